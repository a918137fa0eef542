#include "rangerctl/output/filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "rangerctl/text.hpp"

namespace rangerctl::output {
namespace {

using protocol::Catalogue;
using protocol::Message;

std::vector<std::string_view> message_names(const Catalogue& catalogue) {
  std::vector<std::string_view> names;
  for (const Message& message : catalogue.messages()) names.push_back(message.name);
  return names;
}

Error unknown_message(std::string_view name, const Catalogue& catalogue) {
  return {ExitStatus::usage, fmt::format("no message '{}'; see: rangerctl protocol{}", name,
                                         suggestion(name, message_names(catalogue)))};
}

struct HexNumber {
  std::uint32_t value;
  std::size_t digits;
};

std::optional<HexNumber> parse_hex(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc{} || end != text.data() + text.size() || text.size() > 8) return std::nullopt;
  return HexNumber{value, text.size()};
}

std::optional<std::uint32_t> parse_digits(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// "38.5" -> 38 s 500000000 ns.
std::optional<Timestamp> parse_seconds(std::string_view text) {
  const std::size_t point = std::min(text.find('.'), text.size());
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + point, seconds);
  if (point == 0 || seconds < 0 || error != std::errc{} || end != text.data() + point) return std::nullopt;
  if (point == text.size()) return Timestamp{seconds, 0, 9};
  std::string fraction(text.substr(point + 1));
  if (fraction.empty() || fraction.size() > 9) return std::nullopt;
  fraction.append(9 - fraction.size(), '0');
  const auto nanoseconds = parse_digits(fraction);
  if (!nanoseconds) return std::nullopt;
  return Timestamp{seconds, *nanoseconds, 9};
}

/// "2024-04-05 19:34:38.5", with or without seconds.
std::optional<Timestamp> parse_date(std::string_view text, log::LocalToUtc to_utc) {
  constexpr std::string_view kShape = "dddd-dd-dd dd:dd";
  if (text.size() < kShape.size() || (text[10] != ' ' && text[10] != 'T')) return std::nullopt;
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    const bool fits =
        kShape[i] == 'd' ? (text[i] >= '0' && text[i] <= '9') : (i == 10 || text[i] == kShape[i]);
    if (!fits) return std::nullopt;
  }
  const auto number = [text](std::size_t at, std::size_t count) {
    return static_cast<int>(*parse_digits(text.substr(at, count)));
  };
  Timestamp second{0, 0, 9};
  if (text.size() > kShape.size()) {
    const auto parsed = parse_seconds(text.substr(kShape.size() + 1));
    if (text[kShape.size()] != ':' || !parsed || parsed->seconds > 60) return std::nullopt;
    second = *parsed;
  }
  const int month = number(5, 2);
  const int day = number(8, 2);
  if (month < 1 || month > 12 || day < 1 || day > 31 || number(11, 2) > 23 || number(14, 2) > 59)
    return std::nullopt;
  second.seconds =
      to_utc(number(0, 4), month, day, number(11, 2), number(14, 2), static_cast<int>(second.seconds));
  return second;
}

Timestamp sum(const Timestamp& a, const Timestamp& b) {
  const std::uint32_t nanoseconds = a.nanoseconds + b.nanoseconds;
  const bool carry = nanoseconds >= 1'000'000'000;
  return {a.seconds + b.seconds + (carry ? 1 : 0), nanoseconds - (carry ? 1'000'000'000U : 0U), 9};
}

}  // namespace

bool IdFilter::matches(const Frame& frame) const {
  const bool is_error = frame.kind == FrameKind::error;
  const std::uint32_t written = is_error ? frame.id | kErrorIdBit : frame.id;
  return (frame.extended || is_error) == eight_digits && ((written ^ id) & mask) == 0;
}

Result<IdFilter> parse_id_filter(std::string_view text, const Catalogue& catalogue) {
  if (const Message* const message = catalogue.find(text)) return IdFilter{message->id, 0x7FF, false};
  const std::size_t colon = text.find(':');
  const auto id = parse_hex(text.substr(0, colon));
  if (!id) return unknown_message(text, catalogue);
  const bool eight_digits = id->digits > 3;
  const std::uint32_t all = eight_digits ? 0x3FFFFFFF : 0x7FF;
  const auto mask = colon == std::string_view::npos ? HexNumber{all, 0} : parse_hex(text.substr(colon + 1));
  if (!mask || (eight_digits && id->digits != 8) || id->value > all) {
    return Error{ExitStatus::usage,
                 fmt::format("'{}' is no id; use a message name, 3 hex digits (211), 8 hex digits for 29-bit "
                             "ids and error frames (18FF50E5), or ID:MASK (250:7F0)",
                             text)};
  }
  return IdFilter{id->value, mask->value & all, eight_digits};
}

Result<SignalChoice> parse_signal_choice(std::string_view text, const Catalogue& catalogue) {
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos) {
    return Error{ExitStatus::usage,
                 fmt::format("'{}' is no signal; use MESSAGE.SIGNAL, for example {}.{}", text,
                             catalogue.messages()[0].name, catalogue.messages()[0].signals[0].name)};
  }
  const Message* const message = catalogue.find(text.substr(0, point));
  if (message == nullptr) return unknown_message(text.substr(0, point), catalogue);
  const std::string_view name = text.substr(point + 1);
  if (const protocol::Signal* const signal = protocol::find_signal(*message, name))
    return SignalChoice{message, signal};
  std::vector<std::string_view> names;
  for (const protocol::Signal& signal : message->signals) names.push_back(signal.name);
  return Error{ExitStatus::usage, fmt::format("no signal '{}' in {}; see: rangerctl explain {}{}", name,
                                              message->name, message->name, suggestion(name, names))};
}

Result<TimeBound> parse_time_bound(std::string_view text, log::LocalToUtc to_utc) {
  const bool relative = text.starts_with('+');
  auto time = parse_seconds(text.substr(relative ? 1 : 0));
  if (!time && !relative) time = parse_date(text, to_utc);
  if (time) return TimeBound{relative, *time};
  return Error{ExitStatus::usage,
               fmt::format("'{}' is no time; use seconds as in the log (1712345678.5), +S from the first "
                           "frame (+2.5), or a local date and time ('2024-04-05 19:34:38')",
                           text)};
}

bool TimeWindow::contains(const Timestamp& time) {
  if (!first_) first_ = time;
  const auto resolved = [this](const TimeBound& bound) {
    return bound.relative ? sum(*first_, bound.time) : bound.time;
  };
  if (from_ && time.order(resolved(*from_)) < 0) return false;
  return !to_ || time.order(resolved(*to_)) <= 0;
}

}  // namespace rangerctl::output
