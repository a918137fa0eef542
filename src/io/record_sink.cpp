#include "io/record_sink.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "rangerctl/record/names.hpp"
#include "rangerctl/text.hpp"

namespace rangerctl::io {
namespace {

constexpr unsigned kMostFiles = 1'000'000;

std::string_view advice(int error) {
  switch (error) {
    case EEXIST:
      return "; a record is never overwritten, choose another name";
    case ENOENT:
      return "; its folder does not exist, create it first";
    case EACCES:
    case EPERM:
    case EROFS:
      return "; choose a folder in which you may write with -o";
    default:
      return "";
  }
}

Error cannot_record(const std::string& path, int error) {
  return {ExitStatus::failed, fmt::format("cannot record to {}: {}{}", printable(path),
                                          std::generic_category().message(error), advice(error))};
}

/// A new file; devices and named pipes are there already.
int open_for_record(const std::string& path) {
  const int made = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  struct stat status {};
  if (made >= 0 || errno != EEXIST || ::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode))
    return made;
  return ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
}

/// So that the file is there after a loss of power, and not only what is in it.
void sync_folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const Descriptor descriptor(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.get() >= 0) ::fsync(descriptor.get());
}

std::uint64_t count_lines(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

Result<std::unique_ptr<RecordSink>> RecordSink::create(RecordOptions options) {
  std::unique_ptr<RecordSink> sink(new RecordSink(std::move(options)));
  if (const int error = sink->open(); error != 0) return cannot_record(sink->file(), error);
  return sink;
}

std::string RecordSink::name_of(unsigned number) const {
  if (options_.path == "-") return "standard output";
  return options_.is_cut() ? record::numbered_name(options_.path, number) : options_.path;
}

/// Returns errno where it cannot, otherwise 0.
int RecordSink::open() {
  const bool to_stdout = options_.path == "-";
  const std::string name = file();
  file_ = Descriptor(to_stdout ? ::dup(STDOUT_FILENO) : open_for_record(name));
  struct stat status {};
  if (file_.get() < 0 || ::fstat(file_.get(), &status) != 0) return errno;
  regular_ = S_ISREG(status.st_mode) && !to_stdout;
  compressor_ = make_compressor(options_.path);
  is_compressed_ = compressor_ != nullptr;
  names_.push_back(name);
  ++files_;
  file_size_ = 0;
  opened_ = synced_ = Clock::now();
  if (regular_ && options_.sync) sync_folder_of(name);
  note_free_space();
  return 0;
}

void RecordSink::note_free_space() {
  struct statvfs status {};
  if (!regular_ || ::fstatvfs(file_.get(), &status) != 0) return;
  free_bytes_ = static_cast<std::int64_t>(std::uint64_t{status.f_bavail} * status.f_frsize);
}

std::optional<std::uint64_t> RecordSink::free_bytes() const {
  const std::int64_t bytes = free_bytes_;
  return bytes < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(bytes));
}

void RecordSink::write(std::string_view lines) {
  while (!lines.empty() && !failed()) {
    if (is_full(lines)) {
      begin_next_file();
      continue;
    }
    const std::string_view piece = fitting(lines);
    lines_ += put(piece);
    lines.remove_prefix(piece.size());
  }
  if (is_dirty_ && options_.sync && Clock::now() - synced_ >= *options_.sync) sync();
}

/// Whether not even the first line may still go into this file.
bool RecordSink::is_full(std::string_view lines) const {
  if (file_size_ == 0) return false;
  if (options_.file_time && Clock::now() - opened_ >= *options_.file_time) return true;
  return options_.file_bytes && fitting(lines).empty();
}

/// The lines that go into this file; at least one where it is empty.
std::string_view RecordSink::fitting(std::string_view lines) const {
  if (!options_.file_bytes) return lines;
  const std::uint64_t room = *options_.file_bytes - std::min(file_size_, *options_.file_bytes);
  if (compressor_ != nullptr) return room == 0 && file_size_ != 0 ? std::string_view() : lines;
  if (lines.size() <= room) return lines;
  const std::size_t last = room == 0 ? std::string_view::npos : lines.rfind('\n', room - 1);
  if (last != std::string_view::npos) return lines.substr(0, last + 1);
  return file_size_ == 0 ? lines.substr(0, lines.find('\n') + 1) : std::string_view();
}

/// Returns how many lines are in the file.
std::uint64_t RecordSink::put(std::string_view lines) {
  if (compressor_ != nullptr) {
    std::string compressed;
    compressor_->add(lines, compressed);
    is_dirty_ = true;
    write_bytes(compressed);
    return failed() ? 0 : count_lines(lines);
  }
  const std::size_t written = write_bytes(lines);
  if (!failed()) return count_lines(lines);
  const std::string_view whole = lines.substr(0, written == 0 ? 0 : lines.rfind('\n', written - 1) + 1);
  const auto end = static_cast<off_t>(file_size_ - (written - whole.size()));
  if (regular_ && ::ftruncate(file_.get(), end) == 0) bytes_ -= written - whole.size();
  return count_lines(whole);
}

/// Returns how many bytes are in the file.
std::size_t RecordSink::write_bytes(std::string_view bytes) {
  std::size_t done = 0;
  while (done < bytes.size() && !failed()) {
    const ssize_t written = ::write(file_.get(), bytes.data() + done, bytes.size() - done);
    if (written >= 0) {
      done += static_cast<std::size_t>(written);
    } else if (errno != EINTR) {
      fail(errno);
    }
  }
  file_size_ += done;
  bytes_ += done;
  is_dirty_ = is_dirty_ || done != 0;
  return done;
}

void RecordSink::sync() {
  if (compressor_ != nullptr) {
    std::string compressed;
    compressor_->flush(compressed);
    write_bytes(compressed);
  }
  if (regular_ && ::fdatasync(file_.get()) != 0) fail(errno);
  if (!failed()) synced_lines_ = lines_.load();
  note_free_space();
  is_dirty_ = false;
  synced_ = Clock::now();
}

void RecordSink::begin_next_file() {
  close();
  if (failed()) return;
  int error = EEXIST;
  while (error == EEXIST && number_ < kMostFiles) {
    ++number_;
    error = open();
  }
  if (error != 0) return fail(error);
  if (!options_.keep || names_.size() <= *options_.keep) return;
  ::unlink(names_.front().c_str());
  names_.pop_front();
}

void RecordSink::close() {
  if (compressor_ != nullptr && !failed()) {
    std::string compressed;
    compressor_->finish(compressed);
    write_bytes(compressed);
  }
  if (regular_ && !failed() && ::fdatasync(file_.get()) != 0) fail(errno);
  if (!failed()) synced_lines_ = lines_.load();
  file_.close();
}

void RecordSink::finish() {
  if (file_.get() >= 0) close();
}

void RecordSink::fail(int error) {
  int none = 0;
  error_.compare_exchange_strong(none, error);
}

std::string RecordSink::trouble() const {
  const int error = error_;
  return error == 0 || error == EPIPE ? "" : "recording ended: " + std::generic_category().message(error);
}

}  // namespace rangerctl::io
