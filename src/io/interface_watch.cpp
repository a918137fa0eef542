#include "io/interface_watch.hpp"

#include <chrono>
#include <utility>

#include "io/interface_facts.hpp"
#include "io/thread_signals.hpp"

namespace rangerctl::io {

InterfaceWatch::InterfaceWatch(std::string name)
    : name_(std::move(name)), thread_([this](const std::stop_token& stop) {
        leave_signals_to_others();
        run(stop);
      }) {}

std::optional<std::optional<InterfaceFacts>> InterfaceWatch::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(answer_, std::nullopt);
}

void InterfaceWatch::run(const std::stop_token& stop) {
  constexpr std::chrono::seconds kEvery{1};
  while (!stop.stop_requested()) {
    auto facts = interface_facts(name_);
    std::unique_lock lock(mutex_);
    answer_.emplace(facts ? std::optional(std::move(*facts)) : std::nullopt);
    pause_.wait_for(lock, stop, kEvery, [] { return false; });
  }
}

}  // namespace rangerctl::io
