#include "io/replay.hpp"

#include <fmt/format.h>

#include "io/line_reader.hpp"
#include "io/wait.hpp"

namespace rangerctl::io {
namespace {

using namespace std::chrono_literals;

std::chrono::nanoseconds since_epoch(const Timestamp& time) {
  return std::chrono::seconds(time.seconds) + std::chrono::nanoseconds(time.nanoseconds);
}

class Replay : public Transport {
 public:
  Replay(std::string address, std::unique_ptr<Input> input, const protocol::Catalogue& catalogue)
      : address_(std::move(address)), lines_(std::move(input)), parser_(catalogue) {}

  Result<std::size_t> receive(std::span<Received> buffer, SteadyTime deadline) override {
    while (true) {
      const std::size_t count = take_due(buffer, std::chrono::steady_clock::now());
      if (count > 0 || buffer.empty()) return count;
      if (error_) return *error_;
      if (std::chrono::steady_clock::now() >= deadline) return std::size_t{0};
      if (!wait_until(has_next_ ? std::min(deadline, next_due_) : deadline)) return std::size_t{0};
    }
  }

  [[nodiscard]] LinkStatus status() const override { return status_; }
  [[nodiscard]] std::string_view address() const override { return address_; }
  [[nodiscard]] bool can_send() const override { return false; }

 private:
  Result<Sent> transmit(const Frame& /*frame*/) override {
    return Error{ExitStatus::usage, fmt::format("{}: a log takes no frames", address_)};
  }

  std::size_t take_due(std::span<Received> buffer, SteadyTime now) {
    std::size_t count = 0;
    while (count < buffer.size() && (has_next_ || load_next(now)) && next_due_ <= now) {
      buffer[count++] = {next_.frame, next_.time, next_.direction, false};
      has_next_ = false;
    }
    return count;
  }

  /// Reads on to the next frame and says when it is due.
  bool load_next(SteadyTime now) {
    Line line;
    while (!has_next_ && status_.state == LinkState::up) {
      if (!lines_.next(line)) {
        status_.state = LinkState::ended;
        error_ = lines_.error();
        return false;
      }
      const log::LineKind kind =
          line.too_long ? log::LineKind::too_long : parser_.parse(line.text, line.end, next_);
      if (kind == log::LineKind::drop_count) status_.dropped += next_.drops;
      if (!log::is_understood(kind)) ++status_.unreadable;
      has_next_ = kind == log::LineKind::frame;
    }
    if (has_next_) schedule(now);
    return has_next_;
  }

  void schedule(SteadyTime now) {
    const auto time = since_epoch(next_.time);
    if (!started_) {
      next_due_ = now;
    } else if (!next_.time.known()) {
      next_due_ += 1ms;
    } else if (time >= last_time_) {
      next_due_ += time - last_time_;
    }
    started_ = true;
    if (next_.time.known()) last_time_ = time;
  }

  std::string address_;
  LineReader lines_;
  log::CandumpParser parser_;
  log::LogFrame next_;
  bool has_next_ = false;
  bool started_ = false;
  std::chrono::nanoseconds last_time_{0};
  SteadyTime next_due_;
  LinkStatus status_;
  std::optional<Error> error_;
};

}  // namespace

Result<std::unique_ptr<Transport>> open_replay(const std::string& file,
                                               const protocol::Catalogue& catalogue) {
  auto input = open_input(file);
  if (!input) return input.error();
  return std::unique_ptr<Transport>(std::make_unique<Replay>("replay:" + file, std::move(*input), catalogue));
}

}  // namespace rangerctl::io
