#include "io/log_beginning.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace rangerctl::io {
namespace {

/// An input of which the beginning was read already, and then perhaps an error.
class BegunInput : public Input {
 public:
  BegunInput(std::string beginning, bool is_all, std::optional<Error> error, std::unique_ptr<Input> rest)
      : beginning_(std::move(beginning)), is_all_(is_all), error_(std::move(error)), rest_(std::move(rest)) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    if (taken_ == beginning_.size()) return read_rest(buffer);
    const std::size_t count = std::min(buffer.size(), beginning_.size() - taken_);
    std::memcpy(buffer.data(), beginning_.data() + taken_, count);
    taken_ += count;
    return count;
  }
  [[nodiscard]] std::string name() const override { return rest_->name(); }
  [[nodiscard]] bool may_wait() const override { return rest_->may_wait(); }
  [[nodiscard]] bool would_wait() const override {
    return taken_ == beginning_.size() && !is_all_ && rest_->would_wait();
  }

 private:
  /// A terminal that said that it was at its end is not asked again: it would begin anew.
  Result<std::size_t> read_rest(std::span<char> buffer) {
    if (error_) return *error_;
    return is_all_ ? Result<std::size_t>(std::size_t{0}) : rest_->read(buffer);
  }

  std::string beginning_;
  std::size_t taken_ = 0;
  bool is_all_;  ///< nothing but perhaps an error follows
  std::optional<Error> error_;
  std::unique_ptr<Input> rest_;
};

}  // namespace

void LogBeginning::read_more() {
  std::array<char, log::kDetectionBytes> buffer;
  const auto count = input_->read(buffer);
  if (!count) error_ = count.error();
  at_end_ = !count || *count == 0;
  if (count) text_.append(buffer.data(), *count);
}

std::unique_ptr<Input> LogBeginning::whole() {
  return std::make_unique<BegunInput>(std::move(text_), at_end_, std::move(error_), std::move(input_));
}

}  // namespace rangerctl::io
