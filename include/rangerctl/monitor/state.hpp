#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "rangerctl/frame.hpp"
#include "rangerctl/interface_facts.hpp"
#include "rangerctl/monitor/meter.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/transport.hpp"

/// What is known about a chassis from the frames that arrived: a value, changed by reduce() alone.
///
/// Liveness is the arrival of frames, never a change of values: healthy values stay constant for minutes.
namespace rangerctl::monitor {

/// After this age the values of a message mean nothing any more: three periods, at least 250 ms, for
/// messages slower than 50 ms at least 500 ms. Zero: the message is not periodic and never gets stale.
[[nodiscard]] constexpr std::chrono::milliseconds stale_after(const protocol::Message& message) {
  const int period = message.period_ms;
  const int least = period > 50 ? 500 : 250;
  return std::chrono::milliseconds(period == 0 ? 0 : 3 * period > least ? 3 * period : least);
}

/// One message of the catalogue.
struct MessageState {
  Frame frame;                    ///< the last complete one; counts only when count > 0
  SteadyTime arrival;             ///< of `frame`
  std::uint64_t count = 0;        ///< complete frames
  std::uint64_t short_count = 0;  ///< frames with fewer bytes than the signals need: never decoded
  Meter meter;                    ///< complete frames
};

/// Frames of one id that are no message of the catalogue.
struct OtherId {
  Frame frame;  ///< the last one; its id, kind and `extended` are what the entry stands for
  SteadyTime arrival;
  std::uint64_t count = 0;
  Meter meter;
};

/// What the controller said about itself in error frames. A healthy one says nothing.
enum class Controller : std::uint8_t {
  not_told,
  error_active,
  error_warning,
  error_passive,
  bus_off,
  restarted
};
[[nodiscard]] std::string_view controller_name(Controller controller);

/// Error frames. They come from the controller of this host and are never on the wire.
struct ErrorFrames {
  static constexpr std::size_t kClasses = 10;
  std::uint64_t count = 0;
  std::array<std::uint64_t, kClasses> by_class{};  ///< element n: frames with bit n of the id
  Frame last;                                      ///< counts only when count > 0
  SteadyTime arrival;
};

/// Frames of kinds that the chassis never sends.
struct ForeignKinds {
  std::uint64_t remote = 0;
  std::uint64_t extended = 0;  ///< 29-bit data frames
  std::uint64_t fd = 0;
  std::uint64_t xl = 0;
};

/// Ids with more than 11 bits, and other kinds, of which each gets an entry; the rest is only counted.
inline constexpr std::size_t kMostForeignIds = 64;

struct State {
  /// `catalogue` is kept by reference. `bit_rate` in bits per second turns frames into bus load.
  State(const protocol::Catalogue& catalogue, std::uint32_t bit_rate, SteadyTime now);

  const protocol::Catalogue* catalogue;
  std::uint32_t robot_bit_rate;  ///< what the robot's bus has to have
  std::uint32_t bit_rate;        ///< what it has, as far as somebody says it; else the robot's
  SteadyTime start;

  std::vector<MessageState> messages;             ///< in the order of catalogue->messages()
  std::vector<OtherId> others;                    ///< in order of first arrival
  std::array<std::uint16_t, 2048> other_index{};  ///< 11-bit data id -> index into `others` + 1; 0: none
  std::size_t foreign_ids = 0;                    ///< entries of `others` that other_index cannot reach
  std::uint64_t not_listed = 0;                   ///< frames of ids for which there was no entry left
  ForeignKinds foreign;
  ErrorFrames errors;
  Controller controller = Controller::not_told;

  Meter frames;      ///< all but error frames
  Meter bits;        ///< on the wire, without stuff bits; classic frames only
  Meter worst_bits;  ///< with as many stuff bits as there can be
  std::uint64_t frame_count = 0;
  SteadyTime last_frame;                    ///< counts only when frame_count > 0
  std::optional<SteadyTime> last_feedback;  ///< of any complete feedback message
  Timestamp time;                           ///< of the newest frame, as its source has it

  std::optional<InterfaceFacts> interface;  ///< where somebody asks the driver, and it says something
  LinkStatus link;
  SteadyTime link_since;  ///< when link.state became what it is
  SteadyTime broken_at;   ///< last time that the link broke: what arrived before says nothing about now
};

/// Takes a frame that was there at `now`, which never goes back. Allocates only for the first frame of an
/// id that is not in the catalogue.
void reduce(State& state, const Received& received, SteadyTime now);

/// The entry of the id of `frame`, which is neither a message of the catalogue nor an error frame; null:
/// none.
[[nodiscard]] const OtherId* find_other(const State& state, const Frame& frame);

/// Takes what the driver says about the interface; nothing where it says nothing any more. Its bit rate is
/// that of the bus load from then on.
void take_interface(State& state, std::optional<InterfaceFacts> facts);

/// What the controller is now: as the driver says it, or else as its last error frame did.
[[nodiscard]] Controller controller_now(const State& state);

/// Takes what the transport says about the link.
void take_link(State& state, const LinkStatus& status, SteadyTime now);

/// Bits of a classic frame on the wire with the pause behind it, without stuff bits and with as many as
/// there can be (ISO 11898-1). FD, XL and error frames: 0.
struct WireBits {
  std::uint32_t least = 0;
  std::uint32_t most = 0;
};
[[nodiscard]] WireBits wire_bits(const Frame& frame);

/// Where a message stands. The order is that of growing trouble.
enum class Freshness : std::uint8_t { fresh, stale, never };
[[nodiscard]] Freshness freshness(const State& state, std::size_t message, SteadyTime now);

/// The raw value of a signal, or nothing when it was never received or is stale.
[[nodiscard]] std::optional<std::int64_t> current_value(const State& state, std::size_t message,
                                                        const protocol::Signal& signal, SteadyTime now);

/// Periodic feedback: the messages that a chassis always sends.
[[nodiscard]] constexpr bool is_expected(const protocol::Message& message) {
  return message.direction == protocol::Direction::feedback && message.period_ms != 0;
}

/// Share of the bus in percent, without stuff bits (`bits`) or with the most (`worst_bits`).
[[nodiscard]] double load_percent(const State& state, const Meter& bits, SteadyTime now);

}  // namespace rangerctl::monitor
