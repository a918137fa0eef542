#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "io/input.hpp"

namespace rangerctl::io {

/// The bytes of an input, so many as somebody asks for.
class ByteSource {
 public:
  explicit ByteSource(std::unique_ptr<Input> input) : input_(std::move(input)) {}

  /// Fills `to` as far as there are bytes, waiting where the input has to; returns how many there were. Less
  /// than asked for: the end, or error() says why it cannot be read further.
  std::size_t read(std::span<char> to);
  /// Whether the next byte would have to be waited for.
  [[nodiscard]] bool would_wait() const { return at_ == end_ && !ended_ && input_->would_wait(); }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  [[nodiscard]] std::string name() const { return input_->name(); }

 private:
  bool fill();

  std::unique_ptr<Input> input_;
  std::array<char, 65536> buffer_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  bool ended_ = false;
  std::optional<Error> error_;
};

}  // namespace rangerctl::io
