#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rangerctl/frame.hpp"
#include "rangerctl/gate.hpp"
#include "rangerctl/output/frame_choice.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/result.hpp"

/// A log that is sent again (`log replay`). What of it may leave is decided here, once, for the look at the
/// log before the first frame and for the replay itself.
namespace rangerctl::replay {

/// Why a frame of the log is not sent.
enum class LeftOut : std::uint8_t {
  not_asked_for,    ///< as --only, --not, --from and --to say
  not_mapped,       ///< of a bus that goes nowhere
  command,          ///< moves or changes a robot: only with --with-commands
  unknown,          ///< not of the catalogue: only with --all
  not_sendable,     ///< error frames and CAN XL
  beyond_limits,    ///< feedback that the gate refuses, such as short frames
  beside_chassis,   ///< feedback, while a chassis that is there sends its own
  late_or_blocked,  ///< a motion command that could not leave in time
};
inline constexpr std::size_t kLeftOuts = static_cast<std::size_t>(LeftOut::late_or_blocked) + 1;

/// How many frames were left out, by reason.
class LeftOutCounts {
 public:
  void note(LeftOut reason) { ++counts_[static_cast<std::size_t>(reason)]; }
  [[nodiscard]] std::uint64_t count(LeftOut reason) const {
    return counts_[static_cast<std::size_t>(reason)];
  }
  /// "20 commands (--with-commands), 4 unknown frames (--all)"; empty: none.
  [[nodiscard]] std::string text() const;

 private:
  std::array<std::uint64_t, kLeftOuts> counts_{};
};

struct SelectionOptions {
  bool all = false;            ///< also what is not of the catalogue
  bool with_commands = false;  ///< also commands and queries
  std::int64_t max_speed_mmps = 0;
};

/// What is to become of a frame: it leaves in that role, or is left out, or keeps the whole log from being
/// sent.
struct Verdict {
  std::optional<Role> role = {};
  LeftOut left_out = LeftOut::not_asked_for;  ///< counts only without a role
  std::optional<Error> refusal = {};          ///< of a command that nothing may send
};

/// Whether the frame may leave, as far as it alone tells.
[[nodiscard]] Verdict judge(const protocol::Catalogue& catalogue, const Frame& frame,
                            const SelectionOptions& options);

/// Where the frames of each bus of a log go.
class BusMap {
 public:
  /// `rows`: "can1=vcan0", or "can1=-" for frames that go nowhere; every other bus goes to `rest`. The error
  /// is of status usage.
  static Result<BusMap> parse(const std::vector<std::string>& rows, std::string rest);

  /// Index into interfaces(); nothing: nowhere.
  [[nodiscard]] std::optional<std::size_t> destination(std::string_view bus) const;
  /// Whether a row names this bus.
  [[nodiscard]] bool names(std::string_view bus) const { return find(bus) != nullptr; }
  /// That frames may go to, the one for every other bus first.
  [[nodiscard]] const std::vector<std::string>& interfaces() const { return interfaces_; }

 private:
  struct Row {
    std::string bus;
    std::optional<std::size_t> destination;
  };
  [[nodiscard]] const Row* find(std::string_view bus) const;
  std::size_t index_of(const std::string& interface);

  std::vector<Row> rows_;
  std::vector<std::string> interfaces_;
};

}  // namespace rangerctl::replay
