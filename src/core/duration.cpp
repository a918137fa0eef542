#include "rangerctl/duration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "rangerctl/protocol/values.hpp"

namespace rangerctl {
namespace {

using std::chrono::milliseconds;

struct Unit {
  std::string_view name;
  std::int64_t ms;
};
constexpr std::array kUnits{Unit{"ms", 1}, Unit{"s", 1000}, Unit{"min", 60'000}, Unit{"h", 3'600'000}};
constexpr milliseconds kLongest = std::chrono::hours(24);

Error no_duration(std::string_view text) {
  return {
      ExitStatus::usage,
      fmt::format("'{}' is no duration; write a number and ms, s, min or h, from 1ms to 24h, as in 20ms or "
                  "1.5s",
                  text)};
}

}  // namespace

Result<milliseconds> parse_duration(std::string_view text) {
  constexpr protocol::Signal kNumber{.name = "duration", .field = protocol::i32(0), .decimals = 3};
  const std::size_t number_length = std::min(text.find_first_not_of("0123456789."), text.size());
  const auto thousandths = protocol::parse_value(kNumber, text.substr(0, number_length));
  for (const Unit& unit : kUnits) {
    if (!thousandths || unit.name != text.substr(number_length)) continue;
    if (*thousandths > kLongest.count() * 1000 || *thousandths * unit.ms % 1000 != 0) break;
    const milliseconds duration(*thousandths * unit.ms / 1000);
    if (duration.count() < 1 || duration > kLongest) break;
    return duration;
  }
  return no_duration(text);
}

}  // namespace rangerctl
