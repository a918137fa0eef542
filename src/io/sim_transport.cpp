#include "io/sim_transport.hpp"

#include <algorithm>
#include <vector>

#include "io/wait.hpp"
#include "rangerctl/sim/chassis.hpp"

namespace rangerctl::io {
namespace {

class SimTransport : public Transport {
 public:
  explicit SimTransport(const protocol::Catalogue& catalogue)
      : chassis_(catalogue),
        started_(std::chrono::steady_clock::now()),
        started_at_(std::chrono::system_clock::now()) {}

  Result<std::size_t> receive(std::span<Received> buffer, SteadyTime deadline) override {
    if (pending() == 0) advance();
    if (pending() == 0 && std::chrono::steady_clock::now() < deadline) {
      wait_until(std::min(deadline, started_ + chassis_.next_due()));
      advance();
    }
    const std::size_t count = std::min(pending(), buffer.size());
    for (std::size_t i = 0; i < count; ++i) buffer[i] = received(frames_[taken_++]);
    return count;
  }

  [[nodiscard]] LinkStatus status() const override { return {}; }
  [[nodiscard]] std::string_view address() const override { return "sim"; }

 private:
  Result<Sent> transmit(const Frame& /*frame*/) override { return Sent::queued; }

  [[nodiscard]] std::size_t pending() const { return frames_.size() - taken_; }

  void advance() {
    frames_.clear();
    taken_ = 0;
    chassis_.advance(std::chrono::steady_clock::now() - started_, frames_);
  }

  [[nodiscard]] Received received(const sim::TimedFrame& sent) const {
    const auto time = (started_at_ + sent.at).time_since_epoch();
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
    const auto rest = std::chrono::nanoseconds(time - seconds);
    return {sent.frame,
            {seconds.count(), static_cast<std::uint32_t>(rest.count()), 6},
            FrameDirection::rx,
            false};
  }

  sim::Chassis chassis_;
  SteadyTime started_;
  std::chrono::system_clock::time_point started_at_;
  std::vector<sim::TimedFrame> frames_;
  std::size_t taken_ = 0;  ///< how many of frames_ were handed out
};

}  // namespace

std::unique_ptr<Transport> open_sim(const protocol::Catalogue& catalogue) {
  return std::make_unique<SimTransport>(catalogue);
}

}  // namespace rangerctl::io
