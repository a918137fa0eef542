#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rangerctl/command/change.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/result.hpp"

namespace rangerctl::command {

/// A value of clear_error_command.error, as the user named it.
struct ClearCode {
  std::uint8_t code = 0;  ///< 0: all_non_critical
  bool operator==(const ClearCode&) const = default;
};

/// "0x09", "9", the name of a code or of an error bit, or "all" (0x00). Errors: status usage where there is
/// no such code or name, status refused for a bit that no code clears on its own.
[[nodiscard]] Result<ClearCode> parse_clear_code(const protocol::Catalogue& catalogue, std::string_view word);

/// The bits of system_status.errors that the code clears; for 0x00 all 32.
[[nodiscard]] std::uint32_t cleared_bits(const protocol::Catalogue& catalogue, ClearCode code);

/// The table of codes for people: code, name, the bits that it clears, what to do before.
[[nodiscard]] std::string clear_code_table(const protocol::Catalogue& catalogue);

struct ClearErrorOptions {
  std::chrono::milliseconds timeout{2000};  ///< for each code
  bool wait = true;
};

/// Clears one code after the other and waits each time until its bits are gone; for 0x00 until no bit is
/// left. A code that is not confirmed does not keep the next ones from being tried; the status is then
/// no_answer. Ends at once where the bus or the chassis does not allow it any more.
class ClearErrorProcedure : public Procedure {
 public:
  /// Precondition: `codes` is not empty. Keeps a reference to the catalogue.
  ClearErrorProcedure(const protocol::Catalogue& catalogue, std::vector<ClearCode> codes,
                      const ClearErrorOptions& options);

  Action step(const View& view, SteadyTime now) override;
  void sent(const Result<Sent>& result, SteadyTime now) override { current_->sent(result, now); }
  void stop(const Error& why) override { current_->stop(why); }

 private:
  void begin(std::optional<SteadyTime> looking_since);
  [[nodiscard]] bool goes_on(const Report& report) const;
  [[nodiscard]] Report summary() const;

  const protocol::Catalogue& catalogue_;
  std::vector<ClearCode> codes_;
  ClearErrorOptions options_;
  std::optional<ChangeProcedure> current_;
  std::optional<SteadyTime> start_;
  std::vector<Report> reports_;
};

}  // namespace rangerctl::command
