#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rangerctl/analysis/timeline.hpp"
#include "rangerctl/output/summary.hpp"

/// What a log says, put together for text and JSON alike.
namespace rangerctl::analysis {

/// From the earliest to the latest time; zero where there is none.
[[nodiscard]] std::chrono::nanoseconds span_of(const Analysis& analysis);

/// What a summary says besides the numbers of frames, which an analysis says itself.
[[nodiscard]] std::vector<std::string> line_rows(const output::Summary& summary);

/// All stretches of one alarm, of which there is at least one.
struct Alarm {
  std::vector<Stretch> stretches;
  std::chrono::nanoseconds length{0};  ///< of all of them
};
/// In the order in which they were first set.
[[nodiscard]] std::vector<Alarm> alarms_of(const Analysis& analysis);
/// The row of the catalogue; null: a bit that no source names.
[[nodiscard]] const protocol::Flag* flag_of(const Stretch& alarm);

/// How long an enumeration had each of its values.
struct StateTimes {
  const protocol::Message* message;
  const protocol::Signal* signal;
  std::vector<std::pair<std::int64_t, std::chrono::nanoseconds>> values;  ///< by value
  std::uint64_t changes = 0;
};
[[nodiscard]] std::vector<StateTimes> state_times(const Analysis& analysis);

/// A change in words, and its time.
struct Event {
  Timestamp time;
  std::string text;
};
/// By their time.
[[nodiscard]] std::vector<Event> events_of(const Analysis& analysis);

/// Of a message of the catalogue; null: no complete frame of it.
[[nodiscard]] const MessageStatistics* statistics_of(const Analysis& analysis, std::string_view message);

/// How far the wheels went by their odometers, in millimetres, summed over them.
struct WheelTravel {
  std::int64_t sum_mm = 0;
  int wheels = 0;  ///< 0: no odometer
  std::uint64_t resets = 0;
};
[[nodiscard]] WheelTravel wheel_travel(const Analysis& analysis);

/// The catalogue's messages from the chassis that the log does not have.
[[nodiscard]] std::vector<const protocol::Message*> never_seen(const Analysis& analysis);

/// What an id that is not of the catalogue is: "unknown", or the class of an error frame.
[[nodiscard]] std::string other_name(const OtherId& id);

/// Names of the values of an enumeration, or of the flags, that were seen; of a number none.
[[nodiscard]] std::vector<std::string> seen_names(const protocol::Signal& signal,
                                                  const IdStatistics& statistics);

}  // namespace rangerctl::analysis
