#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>

#include "rangerctl/monitor/draw.hpp"
#include "rangerctl/terminal/input.hpp"

/// Which key does what on the dashboard: one table for the keyboard, the last row and the help page.
namespace rangerctl::monitor {

enum class Act : std::uint8_t {
  go_to_page,  ///< `value`: the Page
  next_page,
  help,
  back,  ///< out of a prompt, a frame, the events, the help
  quit,
  freeze,
  record,
  move,     ///< `value` rows
  to_edge,  ///< the first row, or with `value` 1 the last one
  open,     ///< what is under the cursor
  filter,
  sort,
  bytes,
  clear_error,  ///< asks first
  save,
  zoom,  ///< `value`: to longer spans of time
  pause,
  step,      ///< `value` frames
  speed,     ///< `value` steps of the table of speeds
  seek,      ///< `value` seconds
  position,  ///< asks for one
};

/// On which pages a key means something.
using PageSet = std::uint8_t;
[[nodiscard]] constexpr PageSet page_bit(Page page) {
  return static_cast<PageSet>(1U << static_cast<unsigned>(page));
}
inline constexpr PageSet kEveryPage = 0xFF;

/// Where frames come from when a key means something.
enum class Source : std::uint8_t { any, live, replay };

struct KeyBinding {
  char32_t key;
  std::uint8_t modifiers;
  PageSet pages;
  Source source;
  Act act;
  int value;
  std::string_view label;  ///< as people read it: "Enter"; empty: said by another row
  std::string_view hint;   ///< for the last row; empty: not there
  int importance;          ///< of the hint; lower numbers stay longer
  std::string_view help;   ///< empty: said by another row
};

[[nodiscard]] std::span<const KeyBinding> key_bindings();

/// Whether a key means something on this page now.
[[nodiscard]] bool applies(const KeyBinding& binding, Page page, bool replay);

/// What a key asks the program to do, beyond showing something else.
struct Request {
  enum class Kind : std::uint8_t {
    none,
    quit,
    freeze,   ///< or go on
    record,   ///< or end it
    save,     ///< the report of the faults
    clear,    ///< the error of bit `value`, or kAllErrors
    pause,    ///< the replay, or go on
    step,     ///< `value` frames
    speed,    ///< `value` steps of the table of speeds
    seek_by,  ///< `value` milliseconds
    seek_to,  ///< `value` milliseconds since the first frame
  };
  static constexpr std::int64_t kAllErrors = -1;
  Kind kind = Kind::none;
  std::int64_t value = 0;
  std::string_view refusal = {};  ///< what to tell instead of doing something; empty: nothing
  bool operator==(const Request&) const = default;
};

/// Who reads the question before a command takes longer than that; a paste does not.
inline constexpr std::chrono::milliseconds kLeastThought{300};

/// What the person sees while a key is typed.
struct Sight {
  Scene shown;
  Size screen;
  bool replay = false;
  bool frozen = false;
};

/// What `key`, typed at `now`, changes.
[[nodiscard]] Request react(Choices& choices, const terminal::Event& key, const Sight& sight, SteadyTime now);

/// "90", "1:30", "1:02:03.5", as people write a position in a log; nothing where it is none.
[[nodiscard]] std::optional<std::chrono::milliseconds> parse_position(std::string_view text);

}  // namespace rangerctl::monitor
