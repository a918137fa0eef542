#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rangerctl/analysis/analysis.hpp"

/// Two logs compared: how people find out what a byte means, from one log with something off and one with it
/// on.
namespace rangerctl::analysis {

struct Difference {
  enum class Kind : std::uint8_t {
    only_in,  ///< the id is only in one log
    fixed,    ///< bits that never change in either log, and are not the same
    moving,   ///< bits that never change in one log and do in the other
    values,   ///< values of a byte, an enumeration or a set of flags that only one log has
    range,    ///< a signal that took other values, see kCommonPart
    rate,     ///< frames a second, see kRatePart
    lengths,  ///< the least or the most data length
  };
  Kind kind = Kind::only_in;
  OtherId id;                                  ///< of a message of the catalogue too
  const protocol::Message* message = nullptr;  ///< null: none of the catalogue
  const protocol::Signal* signal = nullptr;    ///< values, range; null: of a byte
  char side = 'A';                             ///< only_in: the log that has it; moving: where they change
  std::size_t byte = 0;                        ///< fixed, moving, values of a byte
  std::uint8_t mask = 0;                       ///< fixed, moving: the bits
  std::uint8_t bits = 0;                       ///< fixed: these bits in A; moving: in the log where they rest
  std::uint64_t frames = 0;                    ///< only_in
  std::string in_a;                            ///< values, range, rate, lengths: what A has
  std::string in_b;
};

struct DifferenceKind {
  Difference::Kind kind;
  std::string_view name;   ///< in JSON
  std::string_view title;  ///< for people
};
/// In the order of Difference::Kind, the most telling first.
inline constexpr std::array kDifferenceKinds{
    DifferenceKind{Difference::Kind::only_in, "only_in", "Ids only in one log"},
    DifferenceKind{Difference::Kind::fixed, "fixed", "Bits that are fixed in both logs, and differ"},
    DifferenceKind{Difference::Kind::moving, "moving", "Bits that change in one log only"},
    DifferenceKind{Difference::Kind::values, "values", "Values that one log only has"},
    DifferenceKind{Difference::Kind::range, "range", "Signals whose ranges have less than half in common"},
    DifferenceKind{Difference::Kind::rate, "rate", "Rates that differ by more than a tenth"},
    DifferenceKind{Difference::Kind::lengths, "lengths", "Data lengths that differ"},
};

/// What is no difference but noise:
/// - Rates within a tenth of the greater one, and those of ids with less than ten periods in either log.
/// - Ranges of numbers that have at least half of what both cover together in common.
/// - Bytes behind the eighth, which only FD frames have, are not compared.
/// - Values of a byte that took more than sixteen in either log: what counts or is measured takes others in
///   every log. Of a byte with only fixed or moving bits to tell they are not repeated.
inline constexpr double kRatePart = 0.1;
inline constexpr std::uint64_t kFewestPeriods = 10;
inline constexpr std::size_t kMostValues = 16;

/// Sorted by kind, then by id. Both have the same catalogue.
[[nodiscard]] std::vector<Difference> differences(const Analysis& a, const Analysis& b);

/// In 80 columns. `name_a` and `name_b` may contain anything.
[[nodiscard]] std::string diff_text(const Analysis& a, const Analysis& b, std::string_view name_a,
                                    std::string_view name_b);
/// One object and a newline: a:{file frames} b:{..} differences:[{kind id id_kind message signal ...}], of
/// each kind the keys that Difference has for it. `mask` and `bits` are two hex digits, `bit_numbers` a list.
[[nodiscard]] std::string diff_json(const Analysis& a, const Analysis& b, std::string_view name_a,
                                    std::string_view name_b);

}  // namespace rangerctl::analysis
