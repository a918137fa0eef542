#include "io/sim_transport.hpp"

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "io/wait.hpp"
#include "rangerctl/sim/chassis.hpp"
#include "rangerctl/sim/scenario.hpp"

namespace rangerctl::io {
namespace {

class SimTransport : public Transport {
 public:
  SimTransport(const protocol::Catalogue& catalogue, std::string_view address)
      : address_(address),
        chassis_(catalogue, sim::ControlMode::can),
        started_(std::chrono::steady_clock::now()),
        started_at_(std::chrono::system_clock::now()) {}

  void schedule(std::vector<sim::TimedControl> lines) { chassis_.schedule(std::move(lines)); }

  Result<std::size_t> receive(std::span<Received> buffer, SteadyTime deadline) override {
    advance();
    while (waiting_.empty() && std::chrono::steady_clock::now() < deadline) {
      if (!wait_until(std::min(deadline, steady_time(chassis_.next_due())))) break;
      advance();
    }
    const std::size_t count = std::min(waiting_.size(), buffer.size());
    const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(count);
    std::copy(waiting_.begin(), end, buffer.begin());
    waiting_.erase(waiting_.begin(), end);
    return count;
  }

  [[nodiscard]] LinkStatus status() const override { return {}; }
  [[nodiscard]] std::string_view address() const override { return address_; }

 private:
  Result<Sent> transmit(const Frame& frame) override {
    const sim::SimTime now = advance();
    chassis_.apply(frame);
    waiting_.push_back({frame, timestamp(now), FrameDirection::tx, true});
    return Sent::queued;
  }

  /// Takes what was sent up to now, the time that it returns.
  sim::SimTime advance() {
    const sim::SimTime now = std::chrono::steady_clock::now() - started_;
    sent_.clear();
    chassis_.advance(now, sent_);
    for (const sim::TimedFrame& one : sent_)
      waiting_.push_back({one.frame, timestamp(one.at), FrameDirection::rx, false});
    return now;
  }

  [[nodiscard]] SteadyTime steady_time(sim::SimTime time) const {
    return time == sim::SimTime::max() ? SteadyTime::max() : started_ + time;
  }

  [[nodiscard]] Timestamp timestamp(sim::SimTime at) const {
    const auto time = (started_at_ + at).time_since_epoch();
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
    const auto rest = std::chrono::nanoseconds(time - seconds);
    return {seconds.count(), static_cast<std::uint32_t>(rest.count()), 6};
  }

  std::string address_;
  sim::Chassis chassis_;
  SteadyTime started_;
  std::chrono::system_clock::time_point started_at_;
  std::vector<sim::TimedFrame> sent_;  ///< only to keep its memory
  std::deque<Received> waiting_;
};

}  // namespace

Result<std::unique_ptr<Transport>> open_sim(std::string_view address, const protocol::Catalogue& catalogue) {
  constexpr std::string_view kPrefix = "sim:";
  const std::string_view scenario =
      address.starts_with(kPrefix) ? address.substr(kPrefix.size()) : std::string_view{};
  auto lines = sim::load_scenario(catalogue, scenario);
  if (!lines) return lines.error();
  auto transport = std::make_unique<SimTransport>(catalogue, address);
  transport->schedule(std::move(*lines));
  return std::unique_ptr<Transport>(std::move(transport));
}

}  // namespace rangerctl::io
