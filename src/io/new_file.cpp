#include "io/new_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "io/output.hpp"
#include "io/stop_signal.hpp"
#include "rangerctl/text.hpp"

namespace rangerctl::io {
namespace {

std::string_view advice(int error) {
  switch (error) {
    case EEXIST:
      return "; choose another name, or replace it with --force";
    case ENOENT:
      return "; its folder does not exist, create it first";
    case EACCES:
    case EPERM:
    case EROFS:
      return "; choose a folder in which you may write";
    default:
      return "";
  }
}

bool is_there(const std::string& path, struct stat& status) { return ::stat(path.c_str(), &status) == 0; }

/// What open() gives a new file; mkstemp() is stricter.
mode_t usual_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

Result<NewFile> NewFile::create(std::string path, Existing existing) {
  NewFile file(std::move(path), existing);
  if (const int number = file.open(); number != 0) return file.error(number);
  return file;
}

NewFile::~NewFile() {
  if (file_.get() >= 0 && !temporary_.empty()) ::unlink(temporary_.c_str());
}

Error NewFile::error(int number) const {
  return {ExitStatus::failed, fmt::format("cannot write {}: {}{}", printable(path_),
                                          std::generic_category().message(number), advice(number))};
}

/// Returns errno where it cannot, otherwise 0.
int NewFile::open() {
  struct stat status {};
  if (path_ == "-") return 0;
  if (!is_there(path_, status)) return make_temporary();
  if (S_ISREG(status.st_mode)) return existing_ == Existing::keep ? EEXIST : make_temporary();
  file_ = Descriptor(::open(path_.c_str(), O_WRONLY | O_CLOEXEC));
  return file_.get() < 0 ? errno : 0;
}

int NewFile::make_temporary() {
  temporary_ = path_ + ".XXXXXX";
  file_ = Descriptor(::mkostemp(temporary_.data(), O_CLOEXEC));
  if (file_.get() < 0) return errno;
  ::fchmod(file_.get(), usual_mode());
  return 0;
}

Result<void> NewFile::write(std::string_view bytes) {
  if (file_.get() < 0) return write_stdout(bytes);
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EPIPE) return Error{ExitStatus::ok, {}};
    if (written < 0 && errno != EINTR) return error(errno);
    if (written < 0) {
      if (const auto stopped = stop_signal()) return Error{*stopped, {}};
      continue;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> NewFile::finish() {
  if (temporary_.empty()) return {};
  if (::fsync(file_.get()) != 0) return error(errno);
  if (const int number = take_name(); number != 0) return error(number);
  temporary_.clear();
  return {};
}

/// Where the file system cannot refuse to replace a file that came in between, such as on a memory stick, it
/// is looked at just before.
int NewFile::take_name() const {
  const bool keeps = existing_ == Existing::keep;
  if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), keeps ? RENAME_NOREPLACE : 0U) == 0)
    return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  struct stat status {};
  if (keeps && is_there(path_, status)) return EEXIST;
  return ::rename(temporary_.c_str(), path_.c_str()) == 0 ? 0 : errno;
}

}  // namespace rangerctl::io
