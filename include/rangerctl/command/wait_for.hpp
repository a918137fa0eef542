#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rangerctl/command/procedure.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/result.hpp"

namespace rangerctl::command {

/// `has` and `lacks` are for flags: all of the named bits are set, none is.
enum class Comparison : std::uint8_t {
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  has,
  lacks
};

/// A statement about one signal: "system_status.control_mode == can".
struct Condition {
  const protocol::Message* message = nullptr;
  const protocol::Signal* signal = nullptr;
  Comparison comparison = Comparison::equal;
  std::int64_t value = 0;  ///< raw, fine-scaled signals in their finer unit
  std::string text;        ///< as it is shown: "system_status.control_mode == can"

  [[nodiscard]] bool holds(std::int64_t raw) const;
};

/// MESSAGE.SIGNAL, an operator (==, !=, <, <=, >, >= or eq, ne, lt, le, gt, ge; for flags has and lacks) and
/// a value in the signal's unit. Choices and flags only compare for equality. The error is of status usage.
Result<Condition> parse_condition(const protocol::Catalogue& catalogue, std::string_view signal,
                                  std::string_view comparison, std::string_view value);

struct WaitOptions {
  std::chrono::milliseconds hold{0};  ///< it must have been true for so long without a break
  std::chrono::milliseconds timeout{10'000};
};

/// Waits until a condition is true. Sends nothing. Only fresh feedback counts: silence is not true.
class WaitProcedure : public Procedure {
 public:
  WaitProcedure(Condition condition, const WaitOptions& options)
      : condition_(std::move(condition)), options_(options) {}

  Action step(const View& view, SteadyTime now) override;
  void sent(const Result<Sent>& /*result*/, SteadyTime /*now*/) override {}
  [[nodiscard]] bool only_listens() const override { return true; }
  void stop(const Error& why) override {
    if (!stop_) stop_ = why;
  }

 private:
  [[nodiscard]] Report report(ExitStatus status, std::string_view result, const std::string& text) const;
  [[nodiscard]] std::string last_seen(const View& view, SteadyTime now) const;

  Condition condition_;
  WaitOptions options_;
  std::optional<SteadyTime> start_;
  std::optional<SteadyTime> true_since_;
  std::optional<Error> stop_;
};

}  // namespace rangerctl::command
