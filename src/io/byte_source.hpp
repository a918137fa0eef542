#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "io/input.hpp"

namespace rangerctl::io {

/// The bytes of an input, so many as somebody asks for.
class ByteSource {
 public:
  explicit ByteSource(std::unique_ptr<Input> input) : input_(std::move(input)) {}

  /// Fills `to` as far as there are bytes, waiting where the input has to; returns how many there were. Less
  /// than asked for: the end, or error() says why it cannot be read further.
  std::size_t read(std::span<char> to);
  /// Whether read() of so many would not wait: they are there, or the input ends before.
  [[nodiscard]] bool has(std::size_t count);
  /// Waits until so many are ahead(), or the input ends before.
  void fetch(std::size_t count) {
    while (bytes_.size() - at_ < count && fill()) {
    }
  }
  /// What is there already and was not read; valid until the next call of another method.
  [[nodiscard]] std::span<const std::uint8_t> ahead() const {
    return {reinterpret_cast<const std::uint8_t*>(bytes_.data()) + at_, bytes_.size() - at_};
  }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  [[nodiscard]] std::string name() const { return input_->name(); }

 private:
  bool fill();

  std::unique_ptr<Input> input_;
  std::vector<char> bytes_;
  std::size_t at_ = 0;
  bool ended_ = false;
  std::optional<Error> error_;
};

}  // namespace rangerctl::io
