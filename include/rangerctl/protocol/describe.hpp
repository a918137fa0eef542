#pragma once

#include <string>
#include <vector>

#include "rangerctl/protocol/schema.hpp"

/// What the catalogue says, in words for a terminal of 80 columns. Each function appends one paragraph that
/// ends with a newline.
namespace rangerctl::protocol {

/// One signal and every message that carries it: the eight motors share theirs.
struct SignalUse {
  const Signal* signal;
  std::vector<const Message*> messages;  ///< not empty
};

/// Every signal of the catalogue, in its order. Does not own; the catalogue's messages must outlive it.
[[nodiscard]] std::vector<SignalUse> signal_uses(const Catalogue& catalogue);

/// "0x211"
[[nodiscard]] std::string id_text(std::uint32_t id);

/// "meaning; remedy: ...; clear code 0x09", as far as the catalogue has them; may be empty.
[[nodiscard]] std::string flag_details(const Flag& flag);

/// "-1.000 to 1.000 m/s", or "zero" where nothing else is allowed.
[[nodiscard]] std::string range_text(const Signal& signal, Range range);

/// "linear_velocity: -1.000 to 1.000 m/s while the steering angle is beyond 20 degrees"
[[nodiscard]] std::string limit_text(const Message& message, const ConditionalLimit& limit);

void describe(std::string& out, const Message& message);
void describe(std::string& out, const SignalUse& use);
void describe(std::string& out, const SignalUse& use, const Flag& flag);
void describe(std::string& out, const SignalUse& use, const Choice& choice);

}  // namespace rangerctl::protocol
