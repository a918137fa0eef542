#pragma once

#include <cstdint>
#include <optional>

#include "rangerctl/frame.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/result.hpp"
#include "rangerctl/transport.hpp"

/// The one way out to the bus. Limits live here and in the catalogue, not in each caller.
namespace rangerctl {

/// On whose behalf frames are sent.
enum class Role : std::uint8_t {
  host,     ///< commands within their limits, and the catalogue's queries
  chassis,  ///< feedback alone
  nobody,   ///< what the catalogue does not have, such as the traffic of other devices (`log replay --all`)
};

/// Whose frame this is: the chassis's where it is feedback of the catalogue, the host's where its id is that
/// of a command or of a query, even where nobody would send such a frame, else nobody's. An unknown payload
/// counts as feedback with its length alone: a query may have the same id.
[[nodiscard]] Role role_of(const protocol::Catalogue& catalogue, const Frame& frame);

/// What is known about the chassis now. A value is there only while it is fresh.
struct Situation {
  std::optional<std::int64_t> motion_mode;     ///< raw, of motion_mode_feedback
  std::optional<std::int64_t> steering_angle;  ///< raw: the largest magnitude in steering_angle_feedback
};

/// Whether `frame` may be sent by this role according to the table alone: a classic 11-bit data frame of a
/// message of the role, with exactly its DLC (feedback may be longer, as it is on hardware), reserved bits
/// zero, every signal within its range and every choice known. Nobody's frames have no limit but that
/// their id is none of the catalogue's, in no kind of frame with 11 bits. The error is of status refused and
/// names the limit and its source.
[[nodiscard]] Result<void> check_table(const protocol::Catalogue& catalogue, Role role, const Frame& frame);

/// Whether a sender may give `signal` this raw value: its range, and for a command only choices that have a
/// name. The error as for check_table().
[[nodiscard]] Result<void> check_value(const protocol::Message& message, const protocol::Signal& signal,
                                       std::int64_t raw);

/// Whether a command within the table may be sent in this situation. A command that moves the chassis
/// (Message::limits is not empty) with any signal other than zero needs a known motion mode and keeps that
/// mode's limits; all zeros always pass. Precondition: check_table() passed.
[[nodiscard]] Result<void> check_situation(const protocol::Catalogue& catalogue, const Frame& frame,
                                           const Situation& situation);

/// What a command's signal may be in a motion mode at this steering angle (raw, magnitude; the larger of the
/// commanded and the measured one): its own range within the conditional limits that hold.
[[nodiscard]] protocol::Range allowed_range(const protocol::Message& message, const protocol::Signal& signal,
                                            std::int64_t motion_mode, std::int64_t steering);

/// Whether `frame` commands a motion: of a message with limits, and not all zeros. Short frames count too.
[[nodiscard]] bool commands_motion(const protocol::Catalogue& catalogue, const Frame& frame);

/// Sends what the role and the limits allow, and refuses the rest. Keeps references to both arguments.
class Gate {
 public:
  Gate(const protocol::Catalogue& catalogue, Role role, Transport& transport)
      : catalogue_(catalogue), role_(role), transport_(transport) {}

  /// The error is of status refused (nothing was sent), or what Transport::transmit() says.
  Result<Sent> send(const Frame& frame, const Situation& situation = {});

  /// Sends anything. Only for `send --unsafe`, which says so.
  Result<Sent> send_unchecked(const Frame& frame);

 private:
  const protocol::Catalogue& catalogue_;
  Role role_;
  Transport& transport_;
};

}  // namespace rangerctl
