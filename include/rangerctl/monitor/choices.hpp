#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "rangerctl/transport.hpp"

/// What the person in front of the dashboard has chosen to see.
namespace rangerctl::monitor {

enum class Page : std::uint8_t {
  overview,  ///< the chassis
  frames,    ///< the bus: every id with its rate and age
  faults,    ///< every error bit, and when it came and went
  plots,     ///< how values went
  help,      ///< keys and signs
};
inline constexpr int kPages = 4;  ///< those that Tab goes through

/// By what the frames page is sorted.
enum class Sort : std::uint8_t { id, rate, age, count, changes };
inline constexpr std::array kSortNames{"id", "rate", "age", "count", "changes"};

/// What the last row asks for.
enum class Prompt : std::uint8_t {
  none,
  filter,       ///< text that an id, a name or a signal contains
  clear_error,  ///< yes or no
  position,     ///< of a replay
};

/// What tells one row of the frames page from the others.
struct IdKey {
  FrameKind kind = FrameKind::data;
  bool extended = false;
  std::uint32_t id = 0;
  bool operator==(const IdKey&) const = default;
};
[[nodiscard]] inline IdKey id_key(const Frame& frame) { return {frame.kind, frame.extended, frame.id}; }

struct Choices {
  Page page = Page::overview;
  Page behind_help = Page::overview;
  Prompt prompt = Prompt::none;
  std::string typed = {};  ///< behind the prompt
  SteadyTime asked = {};   ///< since when the prompt is there
  std::size_t scroll = 0;  ///< rows of text above the screen: help, one frame, the events

  // Frames.
  std::optional<IdKey> selected = {};  ///< nothing: the first row
  bool opened = false;                 ///< everything about that one
  bool bytes = false;                  ///< payloads, also where not all rows fit then
  Sort sort = Sort::id;
  std::string filter = {};

  // Faults.
  std::optional<std::size_t> fault = {};  ///< of fault_places(); nothing: the first active one
  bool events = false;                    ///< the whole list of events

  // Plots.
  std::size_t width = 0;  ///< of Trace::kWidths
};

}  // namespace rangerctl::monitor
