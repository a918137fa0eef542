#include "io/replay.hpp"

#include <fmt/format.h>

#include "io/log_frames.hpp"
#include "io/wait.hpp"

namespace rangerctl::io {
namespace {

class Replay : public Transport {
 public:
  Replay(std::string address, std::unique_ptr<Input> input, const protocol::Catalogue& catalogue)
      : address_(std::move(address)), frames_(std::move(input), catalogue) {}

  Result<std::size_t> receive(std::span<Received> buffer, SteadyTime deadline) override {
    while (true) {
      const std::size_t count = take_due(buffer, std::chrono::steady_clock::now());
      if (count > 0 || buffer.empty()) return count;
      if (frames_.error()) return *frames_.error();
      if (std::chrono::steady_clock::now() >= deadline) return std::size_t{0};
      if (!wait_until(has_next_ ? std::min(deadline, next_due()) : deadline)) return std::size_t{0};
    }
  }

  [[nodiscard]] LinkStatus status() const override { return frames_.status(); }
  [[nodiscard]] std::string_view address() const override { return address_; }
  [[nodiscard]] bool can_send() const override { return false; }

 private:
  Result<Sent> transmit(const Frame& /*frame*/) override {
    return Error{ExitStatus::usage, fmt::format("{}: a log takes no frames", address_)};
  }

  std::size_t take_due(std::span<Received> buffer, SteadyTime now) {
    std::size_t count = 0;
    while (count < buffer.size() && (has_next_ || load_next(now)) && next_due() <= now) {
      buffer[count++] = frames_.received();
      has_next_ = false;
    }
    return count;
  }

  /// The first frame is due at once, and the others by it.
  bool load_next(SteadyTime now) {
    has_next_ = frames_.next();
    if (has_next_ && frames_.count() == 1) start_ = now;
    return has_next_;
  }

  [[nodiscard]] SteadyTime next_due() const { return start_ + frames_.offset(); }

  std::string address_;
  LogFrames frames_;
  bool has_next_ = false;
  SteadyTime start_;
};

}  // namespace

Result<std::unique_ptr<Transport>> open_replay(const std::string& file,
                                               const protocol::Catalogue& catalogue) {
  auto input = open_input(file);
  if (!input) return input.error();
  return std::unique_ptr<Transport>(std::make_unique<Replay>("replay:" + file, std::move(*input), catalogue));
}

}  // namespace rangerctl::io
