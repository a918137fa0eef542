#pragma once

#include <chrono>
#include <span>

#include "rangerctl/result.hpp"
#include "rangerctl/transport.hpp"

namespace rangerctl::io {

/// Hands everything that is there to `take(received, now)`, which returns a Result<void>; waits for the first
/// frame until `deadline`. True: nothing is left. False: under a flood it stops after a while, so that other
/// work gets its turn.
template <class Take>
Result<bool> drain(Transport& transport, std::span<Received> buffer, SteadyTime deadline, Take take) {
  constexpr int kMostBatches = 64;
  for (int batch = 0; batch < kMostBatches; ++batch) {
    const auto count = transport.receive(buffer, batch == 0 ? deadline : SteadyTime::min());
    if (!count) return count.error();
    if (*count == 0) return true;
    const SteadyTime now = std::chrono::steady_clock::now();
    for (const Received& received : buffer.first(*count)) {
      if (const Result<void> taken = take(received, now); !taken) return taken.error();
    }
  }
  return false;
}

}  // namespace rangerctl::io
