#include "words.hpp"

#include <fmt/format.h>

#include <array>

#include "rangerctl/protocol/flag_words.hpp"

namespace rangerctl::analysis {
namespace {

using std::chrono::nanoseconds;

std::string fraction_text(std::uint32_t fraction, unsigned digits) {
  for (unsigned i = 9; i > digits; --i) fraction /= 10;
  return fmt::format("{:0{}}", fraction, digits);
}

}  // namespace

std::string counted(std::uint64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string time_text(const Timestamp& time) {
  if (!time.known()) return "-";
  return fmt::format("{}.{}", time.seconds, fraction_text(time.nanoseconds, time.digits));
}

std::string offset_text(const Timestamp& start, const Timestamp& time) {
  if (!start.known() || !time.known()) return "-";
  const bool back = time.order(start) < 0;
  const nanoseconds length = back ? time_between(time, start) : time_between(start, time);
  const auto milliseconds = length.count() / 1'000'000;
  return fmt::format("{}{}.{:03}", back ? '-' : '+', milliseconds / 1000, milliseconds % 1000);
}

std::string span_text(nanoseconds span) {
  const auto milliseconds = span.count() / 1'000'000;
  return fmt::format("{}:{:02}:{:02}.{:03}", milliseconds / 3'600'000, milliseconds / 60'000 % 60,
                     milliseconds / 1000 % 60, milliseconds % 1000);
}

std::string alarm_name(const Stretch& alarm) {
  return protocol::flag_words(*alarm.message, *alarm.signal, static_cast<unsigned>(alarm.value));
}

std::string id_text(const OtherId& id) {
  if (id.kind == FrameKind::data) return bare_id_text(id);
  return fmt::format("{} {}", bare_id_text(id), kind_name(id.kind));
}

std::string bare_id_text(const OtherId& id) {
  const bool is_error = id.kind == FrameKind::error;
  return fmt::format("{:0{}X}", is_error ? id.id | kErrorIdBit : id.id, id.extended || is_error ? 8 : 3);
}

std::string_view kind_name(FrameKind kind) {
  constexpr std::array<std::string_view, 5> kKinds{"data", "rtr", "error", "fd", "xl"};
  return kKinds.at(static_cast<std::size_t>(kind));
}

std::string milliseconds_text(double nanoseconds) {
  const double value = nanoseconds / 1e6;
  return fmt::format("{:.{}f}", value, value < 10 ? 2 : value < 1000 ? 1 : 0);
}

double rate_of(const IdStatistics& id) { return id.periods.count == 0 ? 0 : 1e9 / id.periods.mean(); }

}  // namespace rangerctl::analysis
