#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "rangerctl/interface_facts.hpp"

namespace rangerctl::io {

/// Asks what the driver of an interface says, once a second, on a thread of its own: while an adapter is
/// pulled out the answer can take a second.
class InterfaceWatch {
 public:
  /// The destructor waits for the answer that is on its way.
  explicit InterfaceWatch(std::string name);

  /// The newest answer, once. The inner one is empty where the driver said nothing, because the interface is
  /// gone for example.
  std::optional<std::optional<InterfaceFacts>> take();

 private:
  void run(const std::stop_token& stop);

  std::string name_;
  std::mutex mutex_;
  std::condition_variable_any pause_;
  std::optional<std::optional<InterfaceFacts>> answer_;
  std::jthread thread_;
};

}  // namespace rangerctl::io
