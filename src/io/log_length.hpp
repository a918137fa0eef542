#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "rangerctl/protocol/schema.hpp"

namespace rangerctl::io {

/// Everything that a log holds.
struct LogExtent {
  std::chrono::nanoseconds length{0};  ///< offset of the last frame, see LogFrames; 0 without any frame
  std::uint64_t frames = 0;
};

/// Finds out the extent of a log on a thread of its own, which reads the file once from its beginning.
class LogLength {
 public:
  /// `catalogue` is kept by reference.
  LogLength(std::string file, const protocol::Catalogue& catalogue);

  /// Nothing until the thread is through; and nothing ever where the file cannot be opened, is no regular
  /// file, or changed its size or was replaced meanwhile. A compressed file that is cut short has the extent
  /// of what can be read.
  [[nodiscard]] std::optional<LogExtent> extent() const;

 private:
  void count(const std::stop_token& stop);

  const std::string file_;
  const protocol::Catalogue& catalogue_;
  LogExtent extent_;  ///< of the thread alone until is_known_, and of everybody, constant, from then on
  std::atomic<bool> is_known_{false};
  std::jthread thread_;  ///< last, so that it has ended before what it uses; its end stops the reading
};

}  // namespace rangerctl::io
