#include "io/log_length.hpp"

#include <utility>

#include "io/log_frames.hpp"
#include "io/regular_file.hpp"
#include "io/thread_signals.hpp"

namespace rangerctl::io {
namespace {

/// Why reading ended that nobody waits for any more. It has no message, like every stop.
const Error kStopped{ExitStatus::interrupted, {}};

/// Ends within one read when it is asked to, whatever the lines are.
class StoppableInput : public Input {
 public:
  StoppableInput(std::unique_ptr<Input> input, const std::stop_token& stop)
      : input_(std::move(input)), stop_(stop) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    if (stop_.stop_requested()) return kStopped;
    return input_->read(buffer);
  }
  [[nodiscard]] bool may_wait() const override { return input_->may_wait(); }
  [[nodiscard]] bool would_wait() const override { return input_->would_wait(); }

 private:
  std::unique_ptr<Input> input_;
  std::stop_token stop_;
};

}  // namespace

LogLength::LogLength(std::string file, const protocol::Catalogue& catalogue)
    : file_(std::move(file)), catalogue_(catalogue), thread_([this](const std::stop_token& stop) {
        leave_signals_to_others();
        count(stop);
      }) {}

std::optional<LogExtent> LogLength::extent() const {
  return is_known_.load(std::memory_order_acquire) ? std::optional(extent_) : std::nullopt;
}

void LogLength::count(const std::stop_token& stop) {
  const auto before = regular_file(file_);
  if (!before) return;
  auto input = open_input(file_);
  if (!input) return;
  LogFrames frames(std::make_unique<StoppableInput>(std::move(*input), stop), catalogue_);
  while (frames.next()) continue;
  const bool was_stopped = frames.error() && frames.error()->message.empty();
  if (was_stopped || regular_file(file_) != before) return;
  extent_ = {frames.offset(), frames.count()};
  is_known_.store(true, std::memory_order_release);
}

}  // namespace rangerctl::io
