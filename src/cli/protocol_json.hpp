#pragma once

#include <nlohmann/json.hpp>

#include "rangerctl/protocol/schema.hpp"

namespace rangerctl::cli {

/// The catalogue as `rangerctl protocol --json` prints it: an array of messages in the catalogue's order.
/// Keys that do not apply are left out.
///
/// A message: id ("211", hex as in the output of decode), name, direction ("feedback": from the chassis,
/// "command": from the host), dlc, period_ms, timeout_ms, meaning, source, signals, limits
/// (that hold only in some situation; each: signal, min, max, situation).
///
/// A signal: name, byte (first byte), bytes (how many), low_bit and bits (of the big-endian word of those
/// bytes, 0 is the lowest), signed, decimals (value = raw / 10^decimals), unit, min and max (as values, not
/// raw), fine_above (raw values above it have one decimal more), choices (each: value, name, meaning), flags
/// (each: bit, name, meaning, remedy, clear_code), meaning.
[[nodiscard]] nlohmann::ordered_json protocol_json(const protocol::Catalogue& catalogue);

}  // namespace rangerctl::cli
