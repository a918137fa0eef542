#include "io/record_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "rangerctl/text.hpp"

namespace rangerctl::io {

Result<Descriptor> create_record(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (file.get() >= 0) return file;
  const std::string why = std::generic_category().message(errno);
  const std::string advice = errno == EEXIST ? "; a record is never overwritten, choose another name" : "";
  return Error{ExitStatus::failed, fmt::format("cannot record to {}: {}{}", printable(path), why, advice)};
}

void RecordSink::write(std::string_view text) {
  while (!text.empty() && error_ == 0) {
    const ssize_t written = ::write(file_.get(), text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
}

std::string RecordSink::trouble() const {
  const int error = error_;
  return error == 0 ? "" : "recording ended: " + std::generic_category().message(error);
}

}  // namespace rangerctl::io
