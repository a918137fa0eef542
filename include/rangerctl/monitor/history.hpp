#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "rangerctl/monitor/state.hpp"
#include "rangerctl/monitor/trace.hpp"

/// What a dashboard remembers beyond the present: when errors came and went, how regularly frames arrive,
/// which of their bytes change, and how values went. Of bounded size, however long it runs.
namespace rangerctl::monitor {

/// A point in time as the source of the frames has it, and on the clock of the state.
struct Moment {
  Timestamp time;  ///< may be unknown
  SteadyTime at;
};

/// Times between the frames of one id, by their time stamps. A step of the clock and an outage of the
/// interface are none.
struct Gaps {
  std::uint64_t count = 0;
  std::chrono::nanoseconds least{std::numeric_limits<std::int64_t>::max()};  ///< counts only when count > 0
  std::chrono::nanoseconds most{0};
  double mean = 0;     ///< in nanoseconds
  double squares = 0;  ///< sum of the squared distances from the mean (Welford)

  void add(std::chrono::nanoseconds gap);
  /// Standard deviation in nanoseconds; 0 with less than two gaps.
  [[nodiscard]] double jitter() const;
};

struct ByteHistory {
  std::uint8_t least = 0xFF;
  std::uint8_t most = 0;
  std::uint32_t changes = 0;  ///< of this byte from one frame to the next
  SteadyTime changed;         ///< counts only when changes > 0
};

/// Of one id.
struct IdHistory {
  Gaps gaps;
  std::array<ByteHistory, 64> bytes;  ///< as many as the longest frame had count
  std::uint64_t changes = 0;          ///< frames that differ from the one before
  Frame last;                         ///< counts only when gaps or bytes have been taken, see `any`
  bool any = false;
  Timestamp time;  ///< of the last frame, as its source has it
  SteadyTime arrival;
};

/// Of one signal, in raw values.
struct SignalHistory {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = std::numeric_limits<std::int64_t>::min();
  std::int64_t last = 0;
  [[nodiscard]] bool any() const { return least <= most; }
};

/// Of one bit of a flags signal.
struct BitHistory {
  std::uint32_t times = 0;        ///< how often it was set
  bool set = false;               ///< in the last frame
  bool since_before = false;      ///< it was set in the first frame: `first` may be too late
  Moment first;                   ///< when it was set; counts only when times > 0
  Moment latest;                  ///< ... for the last time
  std::optional<Moment> cleared;  ///< for the last time
};

struct MessageHistory {
  IdHistory id;
  std::vector<SignalHistory> signals;            ///< in the order of the message's signals
  std::vector<std::array<BitHistory, 32>> bits;  ///< one element a flags signal, in their order
  std::vector<std::size_t> traces;               ///< those of kTraces that are made of this message
};

enum class EventKind : std::uint8_t {
  bit_set,  ///< a flag that means that something is wrong
  bit_cleared,
  changed,     ///< an enumeration: `before` became `value`
  silent,      ///< `value` expected messages, of which this is the first, became stale
  heard,       ///< ... arrive again
  link,        ///< `value` is the LinkState, `before` the one before
  controller,  ///< `value` is the Controller, `before` the one before
  dropped,     ///< the kernel lost `value` frames
  held_up,     ///< nobody watched for `value` milliseconds: this program was stopped, or the computer
};

/// Something that an engineer wants to find again afterwards.
struct Event {
  Moment when;
  EventKind kind = EventKind::bit_set;
  std::uint8_t signal = 0;    ///< index into the message's signals
  std::uint8_t bit = 0;       ///< bit_set, bit_cleared
  std::uint16_t message = 0;  ///< index into the catalogue's messages
  std::int64_t value = 0;
  std::int64_t before = 0;
};

/// The newest events, oldest first.
class EventLog {
 public:
  static constexpr std::size_t kMost = 2000;

  EventLog() { events_.reserve(kMost); }
  void add(const Event& event);

  [[nodiscard]] std::size_t size() const { return events_.size(); }
  /// 0 is the oldest that is kept.
  [[nodiscard]] const Event& at(std::size_t index) const;
  /// All that there were.
  [[nodiscard]] std::uint64_t total() const { return total_; }

 private:
  std::vector<Event> events_;
  std::uint64_t total_ = 0;
};

/// A value that is plotted.
struct TraceSource {
  std::string_view title;
  std::string_view message;
  std::string_view signal;
  std::int32_t least_span;  ///< in raw values: what a plot shows at least, so that noise stays flat
};
inline constexpr std::array kTraces{
    TraceSource{"speed", "motion_feedback", "linear_velocity", 200},
    TraceSource{"steering", "motion_feedback", "steering_angle", 200},
    TraceSource{"voltage", "bms_status", "voltage", 200},
    TraceSource{"current", "bms_status", "current", 20},
    TraceSource{"motor 1 current", "motor1_high_speed", "current", 20},
    TraceSource{"motor 2 current", "motor2_high_speed", "current", 20},
    TraceSource{"motor 3 current", "motor3_high_speed", "current", 20},
    TraceSource{"motor 4 current", "motor4_high_speed", "current", 20},
    TraceSource{"motor 5 current", "motor5_high_speed", "current", 20},
    TraceSource{"motor 6 current", "motor6_high_speed", "current", 20},
    TraceSource{"motor 7 current", "motor7_high_speed", "current", 20},
    TraceSource{"motor 8 current", "motor8_high_speed", "current", 20},
};

/// Error frames of one set of classes.
struct ErrorHistory {
  OtherId arrivals;
  IdHistory id;
};

/// The last time that the interface was away.
struct Outage {
  SteadyTime from;
  std::optional<SteadyTime> to;  ///< nothing: it still is
};

struct History {
  explicit History(const protocol::Catalogue& catalogue);

  std::vector<MessageHistory> messages;  ///< in the order of the catalogue
  std::vector<IdHistory> others;         ///< in the order of State::others
  std::vector<ErrorHistory> errors;      ///< at most kMostForeignIds; State::errors counts all
  EventLog events;
  std::array<Trace, kTraces.size()> traces;
  std::vector<bool> silent;           ///< messages that an event has called silent
  SteadyTime looked;                  ///< for silence, the last time
  std::optional<SteadyTime> resumed;  ///< when this program went on after it was held up
  std::optional<Outage> outage;

  // What the last event of its kind said.
  Controller controller = Controller::not_told;
};

/// A State with its History: what a dashboard shows.
struct Watched {
  /// As State.
  Watched(const protocol::Catalogue& catalogue, std::uint32_t bit_rate, SteadyTime now)
      : state(catalogue, bit_rate, now), history(catalogue) {}

  State state;
  History history;
};

/// Takes a frame as monitor::reduce() of a State does. Allocates only for the first frame of an id that is
/// not in the catalogue, or of a set of error classes.
void reduce(Watched& watched, const Received& received, SteadyTime now);

/// Takes what the transport says about the link at `when`.
void take_link(Watched& watched, const LinkStatus& status, const Moment& when);

/// Takes what the driver says about the interface, see monitor::take_interface() of a State.
void take_interface(Watched& watched, std::optional<InterfaceFacts> facts, const Moment& when);

/// Nobody watched for `duration` until now: what has been taken up to here says nothing any more, and a
/// silence is not that of the chassis.
void note_hold_up(Watched& watched, const Moment& when, std::chrono::milliseconds duration);

/// Notes what fell silent or is heard again. reduce() does that too, but nothing reduces silence.
void look_for_silence(Watched& watched, const Moment& when);

/// The value of a trace in its finest unit, and the decimals of that: 50.2 V and 50.23 V are both in 0.01 V.
[[nodiscard]] std::int64_t finest(const protocol::Signal& signal, std::int64_t raw);
[[nodiscard]] std::uint8_t finest_decimals(const protocol::Signal& signal);

/// The bit histories of a flags signal. Precondition: it is one.
[[nodiscard]] const std::array<BitHistory, 32>& bits_of(const History& history,
                                                        const protocol::Catalogue& catalogue,
                                                        std::size_t message, const protocol::Signal& signal);

/// "set emergency_stop", "motor3 over_current cleared", "control_mode remote, was can".
[[nodiscard]] std::string event_text(const Event& event, const protocol::Catalogue& catalogue);

}  // namespace rangerctl::monitor
