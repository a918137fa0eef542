#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rangerctl/monitor/choices.hpp"
#include "rangerctl/monitor/history.hpp"
#include "rangerctl/monitor/screen.hpp"

namespace rangerctl::monitor {

/// With which characters plots are drawn; not every font has the first ones.
enum class Graph : std::uint8_t { braille, block, ascii };

/// Where a replay stands.
struct ReplayView {
  std::chrono::nanoseconds position{0};              ///< since the first frame
  std::optional<std::chrono::nanoseconds> length{};  ///< not known (yet)
  std::string_view speed = "x1";
  bool paused = false;
  bool catching_up = false;  ///< on the way to where somebody wanted to go
};

/// What is written to a file meanwhile.
struct RecordView {
  std::uint64_t frames = 0;
  std::uint64_t lost = 0;  ///< the disk was too slow
  bool failed = false;
};

struct DrawOptions {
  bool ascii = false;             ///< ASCII instead of line-drawing characters
  Graph graph = Graph::braille;   ///< ASCII where `ascii` is set
  std::string_view address = {};  ///< as the user wrote it; may contain anything
  std::string_view clock = {};    ///< the time of day for the header; empty: none
  /// The local time of day "HH:MM:SS" of seconds since 1970; null: UTC.
  std::string (*time_of_day)(std::int64_t seconds) = nullptr;
  std::optional<ReplayView> replay = {};
  std::optional<RecordView> record = {};
  std::string_view notice = {};  ///< what has just happened, in the last row; may contain anything
  Style notice_style = Style::normal;
};

/// What is known and when.
struct Scene {
  const Watched& watched;
  SteadyTime now;
};

/// The dashboard. Every size is served: what matters most is kept, down to a single cell that shows '+'
/// (well),
/// '?' (something is not known) or '!' (trouble).
///
/// `live` is what the first row shows, `shown` everything else: the same, or what was there when somebody
/// froze the screen, which then says so. A value that was never received or is stale is shown as "----". When
/// the chassis is silent, or there is no interface, or a replay has ended, the first row says so.
[[nodiscard]] Screen draw(const Scene& live, const Scene& shown, Size size, const Choices& choices,
                          const DrawOptions& options);

}  // namespace rangerctl::monitor
