#include "io/input.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <vector>

#include "io/decompress.hpp"
#include "io/diagnostics.hpp"
#include "io/stop_signal.hpp"

namespace rangerctl::io {
namespace {

constexpr std::size_t kBlock = std::size_t{256} * 1024;

std::string reason(int error) { return std::generic_category().message(error); }

/// An open file descriptor that closes itself.
class File {
 public:
  File(int descriptor, std::string name, bool regular)
      : descriptor_(descriptor), name_(std::move(name)), regular_(regular) {}
  File(File&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)),
        name_(std::move(other.name_)),
        regular_(other.regular_) {}
  File& operator=(File&&) = delete;
  ~File() {
    if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
  }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool regular() const { return regular_; }
  [[nodiscard]] bool would_wait() const {
    pollfd ready{descriptor_, POLLIN, 0};
    return !regular_ && ::poll(&ready, 1, 0) <= 0;
  }

  Result<std::size_t> read(std::span<char> buffer) {
    while (true) {
      if (const auto stopped = stop_signal()) return Error{*stopped, {}};
      if (!regular_ && !is_ready()) continue;
      const ssize_t count = ::read(descriptor_, buffer.data(), buffer.size());
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR)
        return Error{ExitStatus::failed, fmt::format("cannot read {}: {}", name_, reason(errno))};
    }
  }

 private:
  /// Waits for data, but not longer than until a signal that came just before would be noticed.
  [[nodiscard]] bool is_ready() const {
    constexpr int kPatienceMs = 250;
    pollfd ready{descriptor_, POLLIN, 0};
    return ::poll(&ready, 1, kPatienceMs) > 0;
  }

  int descriptor_;
  std::string name_;
  bool regular_;
};

/// Looks at the first bytes and decides then whether to decompress.
class DetectingInput : public Input {
 public:
  explicit DetectingInput(File file) : file_(std::move(file)) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    if (!started_) return start(buffer);
    return decompressor_ == nullptr ? file_.read(buffer) : decompress(buffer);
  }
  [[nodiscard]] std::string name() const override { return file_.name(); }
  [[nodiscard]] bool may_wait() const override { return !file_.regular(); }
  [[nodiscard]] bool would_wait() const override { return file_.would_wait(); }

 private:
  Result<std::size_t> start(std::span<char> buffer) {
    std::size_t have = 0;
    while (have < buffer.size() && may_be_compressed({buffer.data(), have}) && have < kMagicLength) {
      const auto count = file_.read(buffer.subspan(have));
      if (!count) return count.error();
      if (*count == 0) break;
      have += *count;
    }
    started_ = true;
    decompressor_ = make_decompressor({buffer.data(), have});
    if (decompressor_ == nullptr) return have;
    compressed_.resize(kBlock);
    std::memcpy(compressed_.data(), buffer.data(), std::min(have, kBlock));
    pending_ = std::string_view(compressed_.data(), have);
    return decompress(buffer);
  }

  Result<std::size_t> decompress(std::span<char> buffer) {
    while (true) {
      const auto step = decompressor_->step(pending_, buffer);
      if (!step) {
        return Error{ExitStatus::failed,
                     fmt::format("cannot read {}: {}", file_.name(), step.error().message)};
      }
      if (*step > 0) return *step;
      if (!pending_.empty()) continue;
      const auto count = file_.read(compressed_);
      if (!count) return count.error();
      if (*count == 0) return at_end();
      pending_ = std::string_view(compressed_.data(), *count);
    }
  }

  Result<std::size_t> at_end() const {
    if (decompressor_->complete()) return std::size_t{0};
    return Error{ExitStatus::failed,
                 fmt::format("{} is cut short: its compressed data end too early; everything before "
                             "the cut was read",
                             file_.name())};
  }

  File file_;
  bool started_ = false;
  std::unique_ptr<Decompressor> decompressor_;
  std::vector<char> compressed_;
  std::string_view pending_;  ///< part of compressed_ not yet decompressed
};

Error cannot_open(const std::string& path, int error) {
  const std::string_view hint = error == ENOENT   ? "; check the name, or use '-' for standard input"
                                : error == EACCES ? "; you need permission to read it"
                                                  : "";
  return {ExitStatus::failed, fmt::format("cannot open {}: {}{}", path, reason(error), hint)};
}

}  // namespace

std::string input_name(const std::string& path) { return path == "-" ? "standard input" : path; }

void tell_of_terminal(const std::string& path) {
  if (path == "-" && ::isatty(STDIN_FILENO) != 0)
    show_info("reading a log from the terminal; Ctrl-D ends it");
}

Result<std::unique_ptr<Input>> open_input(const std::string& path) {
  const int descriptor = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0) return cannot_open(input_name(path), errno);
  File file(descriptor, input_name(path), S_ISREG(status.st_mode));
  if (S_ISDIR(status.st_mode)) {
    return Error{ExitStatus::failed,
                 fmt::format("cannot read {}: it is a directory; name the log files in it", file.name())};
  }
  return std::unique_ptr<Input>(std::make_unique<DetectingInput>(std::move(file)));
}

}  // namespace rangerctl::io
