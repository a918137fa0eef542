#pragma once

#include <memory>
#include <optional>
#include <string>

#include "io/input.hpp"
#include "rangerctl/log/format.hpp"

namespace rangerctl::io {

/// The first bytes of an input, as many as it takes to know its format.
class LogBeginning {
 public:
  explicit LogBeginning(std::unique_ptr<Input> input) : input_(std::move(input)) {}

  /// Nothing: read_more() has to say more.
  [[nodiscard]] std::optional<log::Format> format() const { return log::detect(text_, at_end_); }
  /// Reads a piece, waiting where the input has to. What it cannot read is said by whole().
  void read_more();
  [[nodiscard]] const Input& input() const { return *input_; }

  /// The input from its first byte on; nothing else may be called afterwards.
  [[nodiscard]] std::unique_ptr<Input> whole();

 private:
  std::unique_ptr<Input> input_;
  std::string text_;
  bool at_end_ = false;
  std::optional<Error> error_;
};

}  // namespace rangerctl::io
