#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "area.hpp"
#include "rangerctl/monitor/draw.hpp"

/// Values of the state as text of fixed width.
namespace rangerctl::monitor {

inline constexpr std::string_view kMissing = "----";

struct View {
  const State& state;
  SteadyTime now;
};

/// What pages are drawn from.
struct PageView : View {
  const History& history;
  const Choices& choices;
  const DrawOptions& options;
  const Watched& watched;
  bool frozen = false;  ///< somebody keeps this picture
};
[[nodiscard]] inline Scene scene_of(const PageView& view) { return {view.watched, view.now}; }

/// A signal and its value now. No raw value: never received, stale, or no such signal in the catalogue.
struct Reading {
  const protocol::Signal* signal = nullptr;
  std::optional<std::int64_t> raw;

  [[nodiscard]] bool is(std::string_view choice) const;      ///< an enumeration has this value
  [[nodiscard]] bool has_flag(std::string_view flag) const;  ///< this flag is set
};
[[nodiscard]] Reading reading(const View& view, std::string_view message, std::string_view signal);

/// Right-aligned, signed where the signal is.
[[nodiscard]] std::string number(const Reading& reading, int width);
/// An angle in degrees with one decimal. Precondition: the signal is in radians.
[[nodiscard]] std::string degrees(const Reading& reading, int width);
/// Left-aligned and as wide as the longest name that the signal has.
[[nodiscard]] std::string word(const Reading& reading);
[[nodiscard]] std::string_view unit(const Reading& reading);

/// "  9ms", " 1.3s", "  15s", " 4min", "  2h"; five columns.
[[nodiscard]] std::string age_text(SteadyTime::duration age);
/// As age_text(), but what is younger than a tenth of a second is "<0.1s", and no other digit flickers.
[[nodiscard]] std::string coarse_age_text(SteadyTime::duration age);
/// " 49.9", "  934"; five columns.
[[nodiscard]] std::string rate_text(std::optional<double> per_second);
/// As rate_text(), but without decimals from 5 on.
[[nodiscard]] std::string coarse_rate_text(std::optional<double> per_second);
/// "14:03:20.118", or "+12.345 s" since the start where the source has no time of day; twelve columns.
[[nodiscard]] std::string moment_text(const PageView& view, const Moment& moment);
/// "12345", " 123k", "  12M"; five columns.
[[nodiscard]] std::string count_text(std::uint64_t count);
/// "  123", " 1.2k", "12.3k", " 123k", " 1.2M"; five columns of which no digit flickers for long.
[[nodiscard]] std::string coarse_count_text(std::uint64_t count);
[[nodiscard]] std::string padded(std::string text, int width);

/// The set bits of a flags signal by name.
[[nodiscard]] std::vector<std::string> flag_names(const protocol::Signal& signal, std::int64_t raw);
/// Those of them that mean that something is wrong.
[[nodiscard]] std::vector<std::string> alarm_names(const protocol::Signal& signal, std::int64_t raw);

/// Expected messages that are not fresh: never received or stale.
[[nodiscard]] std::vector<const protocol::Message*> missing_messages(const View& view);
/// Expected messages, so that nothing moves when they arrive, and others once somebody has sent them.
[[nodiscard]] std::vector<const protocol::Message*> listed_messages(const State& state);
[[nodiscard]] std::vector<const OtherId*> others_by_id(const State& state);

/// "212", "18FF1234", "211 RTR".
[[nodiscard]] std::string id_text(const Frame& frame);
/// "[4] 00 07 01 02"; at most eight bytes.
[[nodiscard]] std::string payload_text(const Frame& frame);

[[nodiscard]] std::uint64_t short_frames(const State& state);
/// "short 0  RTR 0  29-bit 0  FD 0".
[[nodiscard]] std::string foreign_text(const State& state);

struct ErrorClass {
  std::string name;
  std::uint64_t count;
};
/// The classes of which there were any.
[[nodiscard]] std::vector<ErrorClass> error_classes(const ErrorFrames& errors);

[[nodiscard]] std::size_t index_of(const View& view, const protocol::Message& message);

}  // namespace rangerctl::monitor
