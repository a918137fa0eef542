#pragma once

#include <algorithm>
#include <cstring>
#include <string>

#include "io/input.hpp"

namespace rangerctl::io {

/// A file in memory that gives at most `step` bytes a read, and fails at its end where asked to.
class FakeInput : public Input {
 public:
  FakeInput(std::string content, std::size_t step, bool fails = false)
      : content_(std::move(content)), step_(step), fails_(fails) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t count = std::min({step_, buffer.size(), content_.size() - at_});
    if (count == 0 && fails_) return Error{ExitStatus::failed, "broken"};
    std::memcpy(buffer.data(), content_.data() + at_, count);
    at_ += count;
    return count;
  }
  [[nodiscard]] bool may_wait() const override { return true; }
  [[nodiscard]] bool would_wait() const override { return false; }

 private:
  std::string content_;
  std::size_t step_;
  bool fails_;
  std::size_t at_ = 0;
};

}  // namespace rangerctl::io
