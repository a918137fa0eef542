#include <algorithm>
#include <array>

#include "csv_field.hpp"
#include "rangerctl/output/record_writer.hpp"
#include "rangerctl/text.hpp"

namespace rangerctl::output {
namespace {

/// How a record begins.
struct HeadStyle {
  std::string_view before_time;
  std::string_view after_time;
  std::string_view without_time;
  std::string_view before_bus;
  std::string_view after_bus;
  std::string_view without_bus;
};

constexpr std::array kStyles{
    HeadStyle{"", " ", "- ", "", " ", "- "},                     // text
    HeadStyle{"{\"time\":", ",", "{", "\"bus\":\"", "\",", ""},  // json
    HeadStyle{"", ",", ",", "", ",", ","},                       // csv
};

const HeadStyle& style_of(Format format) { return kStyles[static_cast<std::size_t>(format)]; }

std::string escaped(Format format, std::string_view name) {
  switch (format) {
    case Format::text:
      return printable(name);
    case Format::csv:
      return csv_field(name);
    case Format::json:
      break;
  }
  std::string text;
  append_json_escaped(text, name);
  return text;
}

char* put_fraction(char* to, const Timestamp& time) {
  constexpr unsigned kMicroseconds = 6;
  if (time.digits == kMicroseconds) return put_padded(to, time.nanoseconds / 1000, kMicroseconds);
  std::uint32_t fraction = time.nanoseconds;
  for (unsigned digits = 9; digits > time.digits; --digits) fraction /= 10;
  return put_padded(to, fraction, time.digits);
}

}  // namespace

char* HeadText::put(char* to, const Timestamp& time, std::string_view bus) {
  const HeadStyle& style = style_of(format_);
  if (time.known()) {
    if (time.seconds != seconds_) learn_second(time.seconds);
    to = output::put(put_fraction(second_text_.put(to), time), style.after_time);
  } else {
    to = output::put(to, style.without_time);
  }
  if (!has_bus_ || bus != bus_) learn_bus(bus);
  return bus_text_.put(to);
}

void HeadText::learn_second(std::int64_t seconds) {
  std::array<char, 32> digits{};
  std::string text(style_of(format_).before_time);
  text.append(digits.data(), put_decimal(digits.data(), seconds, 0));
  second_text_ = Fragment(text + '.');
  seconds_ = seconds;
}

void HeadText::learn_bus(std::string_view bus) {
  const HeadStyle& style = style_of(format_);
  std::string text(style.without_bus);
  if (!bus.empty())
    text = std::string(style.before_bus) + escaped(format_, bus) + std::string(style.after_bus);
  bus_text_ = Fragment(std::move(text));
  bus_ = bus;
  has_bus_ = true;
}

}  // namespace rangerctl::output
