#include "help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "pages.hpp"
#include "rangerctl/monitor/keys.hpp"

namespace rangerctl::monitor {
namespace {

/// A row of help; a row without a key is a heading.
struct HelpRow {
  std::string_view key;
  std::string_view meaning;
};
constexpr std::array kSigns{
    HelpRow{"", "Signs"},
    HelpRow{"----", "never received, or too old to be true"},
    HelpRow{"+ ? !", "first row: well, something not known, trouble"},
    HelpRow{"!", "active error; frames: rate below 80 % or age above 3 periods"},
    HelpRow{"+", "error that was active since the start"},
    HelpRow{"?", "error bit that is not known: its message does not arrive"},
    HelpRow{"^^", "byte that changed within the last second"},
    HelpRow{"LOST", "motor that sends nothing; part: one of its two messages"},
    HelpRow{"ERR", "motor with an active fault; ok: both of its messages arrive"},
    HelpRow{"status", "Undervoltage Motor-hot Current Driver-hot Sensor Fault"},
    HelpRow{"e", "drive enable bit: set on healthy vehicles too, no alarm"},
    HelpRow{"load", "share of the bus, without stuff bits and with the most there can be"},
    HelpRow{"lost", "frames that this host could not take in time"},
    HelpRow{"err", "error frames: what the controller says about the bus"},
    HelpRow{"last", "time since the last frame of any kind"},
    HelpRow{"jitter", "standard deviation of the time between two frames"},
};

std::vector<HelpRow> rows() {
  std::vector<HelpRow> all{{"", "Keys"}};
  for (const KeyBinding& binding : key_bindings()) {
    if (!binding.help.empty()) all.push_back({binding.label, binding.help});
  }
  all.insert(all.end(), kSigns.begin(), kSigns.end());
  return all;
}

}  // namespace

std::size_t help_rows() { return rows().size(); }

void draw_help(const PageView& view, const Area& area) {
  const std::vector<HelpRow> all = rows();
  const auto room = static_cast<std::size_t>(std::max(1, area.rows()));
  const std::size_t from = std::min(view.choices.scroll, all.size() - std::min(all.size(), room));
  const std::size_t to = std::min(all.size(), from + room);
  for (std::size_t i = from; i < to; ++i) {
    const int row = static_cast<int>(i - from);
    if (all[i].key.empty()) {
      area.heading(row, all[i].meaning);
    } else {
      area.put(row, 1, all[i].key, Style::title);
      area.put_elided(row, 9, all[i].meaning);
    }
  }
  if (to - from < all.size())
    area.put_right(0, area.columns() - 1,
                   fmt::format(" {}..{} of {}, arrows move ", from + 1, to, all.size()), Style::caution);
}

}  // namespace rangerctl::monitor
