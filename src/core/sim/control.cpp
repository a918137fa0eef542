#include "rangerctl/sim/control.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "rangerctl/output/filter.hpp"
#include "rangerctl/text.hpp"

namespace rangerctl::sim {
namespace {

using protocol::Catalogue;

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// Takes the first word off `text`.
std::string_view take_word(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_of(kBlanks), text.size());
  const std::string_view word = text.substr(0, end);
  text = trimmed(text.substr(end));
  return word;
}

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

Error unknown_word(std::string_view word, const std::vector<std::string_view>& accepted) {
  const std::string_view best = nearest(word, accepted);
  return {ExitStatus::usage,
          fmt::format("no '{}'; {}use one of: {}", word,
                      best.empty() ? std::string() : fmt::format("did you mean {}? ", best),
                      fmt::join(accepted, ", "))};
}

template <class Value>
struct Word {
  std::string_view text;
  Value value;
};

/// The value of a row whose text is `word`, as a control of type Made.
template <class Made, class Value, std::size_t kRows>
Result<Control> choose(const Word<Value> (&rows)[kRows], std::string_view word) {
  std::vector<std::string_view> accepted;
  for (const Word<Value>& row : rows) {
    if (row.text == word) return Control(Made{row.value});
    accepted.push_back(row.text);
  }
  return unknown_word(word, accepted);
}

Result<Control> change_flags(const Catalogue& catalogue, std::string_view name, bool set) {
  const auto flags = parse_flag_choice(catalogue, name);
  if (!flags) return flags.error();
  return Control(ChangeFlags{*flags, set});
}

bool is_feedback(const Catalogue& catalogue, std::uint32_t id) {
  const protocol::Message* const message = catalogue.find(id);
  return message == nullptr ? catalogue.find_opaque(id) != nullptr : !message->is_command();
}

Result<Control> change_silence(const Catalogue& catalogue, std::string_view what, bool silent) {
  if (what == "all") return Control(Silence{std::nullopt, silent});
  const auto filter = output::parse_id_filter(what, catalogue);
  if (!filter) return filter.error();
  if (filter->mask != protocol::kStandardIds - 1 || !is_feedback(catalogue, filter->id))
    return Error{ExitStatus::usage, fmt::format("'{}' is no feedback of the chassis", what)};
  return Control(Silence{filter->id, silent});
}

Result<Control> parse_charge(const Catalogue& /*catalogue*/, std::string_view text) {
  const auto percent = parse_number(text);
  if (!percent || *percent < 0 || *percent > 100)
    return Error{ExitStatus::usage, fmt::format("'{}' is no charge; use 0 to 100", text)};
  return Control(SetCharge{*percent});
}

constexpr Word<RemoteAction> kRemoteActions[] = {
    {"on", RemoteAction::on},       {"off", RemoteAction::off},   {"lost", RemoteAction::lost},
    {"found", RemoteAction::found}, {"key1", RemoteAction::key1},
};
constexpr Word<Variant> kVariants[] = {{"manual", Variant::manual}, {"hardware", Variant::hardware}};
constexpr Word<SwitchReport> kSwitchReports[] = {
    {"alternate", SwitchReport::alternate}, {"always", SwitchReport::always}, {"never", SwitchReport::never}};
constexpr Word<bool> kOnOff[] = {{"on", true}, {"off", false}};

constexpr Verb kVerbs[] = {
    {"set", "NAME", "raise an error, or a flag such as bit9, alarm_1.overvoltage, motor3.over_current",
     [](const Catalogue& catalogue, std::string_view name) { return change_flags(catalogue, name, true); }},
    {"release", "NAME", "its cause is gone; an error stays until it is cleared",
     [](const Catalogue& catalogue, std::string_view name) { return change_flags(catalogue, name, false); }},
    {"remote", "on|off|lost|found|key1",
     "it takes control, gives it back, is out of reach or back, clears errors",
     [](const Catalogue&, std::string_view word) { return choose<UseRemote>(kRemoteActions, word); }},
    {"silence", "ID|MESSAGE|all", "stop sending it",
     [](const Catalogue& catalogue, std::string_view what) { return change_silence(catalogue, what, true); }},
    {"unsilence", "ID|MESSAGE|all", "send it again",
     [](const Catalogue& catalogue, std::string_view what) {
       return change_silence(catalogue, what, false);
     }},
    {"soc", "PERCENT", "the charge of the battery, 0 to 100", parse_charge},
    {"reset", "", "off and on again, without the errors whose cause is gone",
     [](const Catalogue&, std::string_view) { return Result<Control>(Control(PowerCycle{})); }},
    {"variant", "manual|hardware", "send what the manual says, or what a real vehicle sends",
     [](const Catalogue&, std::string_view word) { return choose<ChooseVariant>(kVariants, word); }},
    {"switching", "alternate|always|never", "how often mode_switching is set while the wheels turn",
     [](const Catalogue&, std::string_view word) { return choose<ReportSwitching>(kSwitchReports, word); }},
    {"drive", "on|off", "a scripted host takes control and drives figures of eight",
     [](const Catalogue&, std::string_view word) { return choose<Drive>(kOnOff, word); }},
};

Error unknown_verb(std::string_view word) {
  std::vector<std::string_view> names;
  for (const Verb& verb : kVerbs) names.push_back(verb.name);
  return unknown_word(word, names);
}

std::size_t count_words(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) take_word(text);
  return count;
}

Error wrong_arguments(std::string_view line, const Verb& verb) {
  return {ExitStatus::usage, fmt::format("'{}' is not complete or too long; write: {}{}{}", line, verb.name,
                                         verb.argument.empty() ? "" : " ", verb.argument)};
}

/// Precondition: `line` is trimmed and not empty.
Result<Control> parse_control(const Catalogue& catalogue, std::string_view line) {
  std::string_view argument = line;
  const std::string_view name = take_word(argument);
  const auto* const verb = std::find_if(std::begin(kVerbs), std::end(kVerbs),
                                        [name](const Verb& row) { return row.name == name; });
  if (verb == std::end(kVerbs)) return unknown_verb(name);
  if (count_words(argument) != (verb->argument.empty() ? 0U : 1U)) return wrong_arguments(line, *verb);
  return verb->parse(catalogue, argument);
}

bool says_nothing(std::string_view trimmed_line) { return trimmed_line.empty() || trimmed_line[0] == '#'; }

/// Longer than anybody simulates, and far from the end of SimTime.
constexpr double kLongestSeconds = 1e8;

/// The time in front of a line; nothing where its first word is none.
std::optional<SimTime> take_time(std::string_view& line) {
  std::string_view rest = line;
  const auto seconds = parse_number(take_word(rest));
  if (!seconds || *seconds < 0 || *seconds > kLongestSeconds) return std::nullopt;
  line = rest;
  return SimTime(std::llround(*seconds * 1e9));
}

Error time_in_front(std::string_view rest) {
  return {ExitStatus::usage,
          fmt::format("a line typed here acts at once and has no time in front; write: {}", rest)};
}

Error no_time_in_front(std::string_view line) {
  return {ExitStatus::usage,
          fmt::format("a line of a script begins with its time in seconds, as in: 2.0 {}", line)};
}

}  // namespace

std::span<const Verb> control_verbs() { return kVerbs; }

Result<std::optional<Control>> parse_live_line(const Catalogue& catalogue, std::string_view line) {
  line = trimmed(line);
  if (says_nothing(line)) return std::optional<Control>();
  std::string_view without_time = line;
  if (take_time(without_time)) return time_in_front(without_time);
  const auto control = parse_control(catalogue, line);
  if (!control) return control.error();
  return std::optional(*control);
}

Result<std::optional<TimedControl>> parse_script_line(const Catalogue& catalogue, std::string_view line) {
  line = trimmed(line);
  if (says_nothing(line)) return std::optional<TimedControl>();
  const auto at = take_time(line);
  if (!at) return no_time_in_front(line);
  if (line.empty()) return unknown_verb(line);
  const auto control = parse_control(catalogue, line);
  if (!control) return control.error();
  return std::optional(TimedControl{*at, *control, std::string(line)});
}

}  // namespace rangerctl::sim
