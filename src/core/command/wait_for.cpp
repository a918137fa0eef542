#include "rangerctl/command/wait_for.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "rangerctl/command/change.hpp"
#include "rangerctl/command/look.hpp"
#include "rangerctl/protocol/values.hpp"
#include "rangerctl/text.hpp"

namespace rangerctl::command {
namespace {

using protocol::Catalogue;
using protocol::Message;
using protocol::Signal;
using std::chrono::milliseconds;

/// The second word is for shells, where < and > must be quoted.
struct ComparisonRow {
  Comparison comparison;
  std::string_view symbol;
  std::string_view word;
};
constexpr std::array kComparisons{
    ComparisonRow{Comparison::equal, "==", "eq"},  ComparisonRow{Comparison::not_equal, "!=", "ne"},
    ComparisonRow{Comparison::less, "<", "lt"},    ComparisonRow{Comparison::less_equal, "<=", "le"},
    ComparisonRow{Comparison::greater, ">", "gt"}, ComparisonRow{Comparison::greater_equal, ">=", "ge"},
    ComparisonRow{Comparison::has, "has", "has"},  ComparisonRow{Comparison::lacks, "lacks", "lacks"},
};

const ComparisonRow* find_comparison(std::string_view text) {
  const auto found = std::find_if(kComparisons.begin(), kComparisons.end(), [text](const ComparisonRow& row) {
    return row.symbol == text || row.word == text;
  });
  return found == kComparisons.end() ? nullptr : &*found;
}

bool is_order(Comparison comparison) {
  return comparison != Comparison::equal && comparison != Comparison::not_equal &&
         comparison != Comparison::has && comparison != Comparison::lacks;
}

Error usage(std::string message) { return {ExitStatus::usage, std::move(message)}; }

Error no_such_signal(const Catalogue& catalogue, std::string_view word) {
  std::vector<std::string> names;
  for (const Message& message : catalogue.messages()) {
    for (const Signal& signal : message.signals)
      names.push_back(fmt::format("{}.{}", message.name, signal.name));
  }
  return usage(fmt::format("no signal '{}'; write MESSAGE.SIGNAL, see: rangerctl protocol{}", word,
                           suggestion(word, std::vector<std::string_view>(names.begin(), names.end()))));
}

Result<void> check_comparison(const Signal& signal, const ComparisonRow& row) {
  const bool about_bits = row.comparison == Comparison::has || row.comparison == Comparison::lacks;
  if (about_bits && signal.flags.empty())
    return usage(fmt::format("{} is no set of flags; compare it with == or another operator", signal.name));
  if (is_order(row.comparison) && (!signal.choices.empty() || !signal.flags.empty()))
    return usage(fmt::format("the values of {} have no order; compare it with == or !=", signal.name));
  return {};
}

/// In the finer of the two units that such a signal can be in.
std::int64_t in_finer_unit(const Signal& signal, std::int64_t raw) {
  return signal.has_fine_scale() && raw <= signal.fine_above ? raw * 10 : raw;
}

}  // namespace

bool Condition::holds(std::int64_t raw) const {
  const std::int64_t now = in_finer_unit(*signal, raw);
  switch (comparison) {
    case Comparison::equal:
      return now == value;
    case Comparison::not_equal:
      return now != value;
    case Comparison::less:
      return now < value;
    case Comparison::less_equal:
      return now <= value;
    case Comparison::greater:
      return now > value;
    case Comparison::greater_equal:
      return now >= value;
    case Comparison::has:
      return (now & value) == value;
    case Comparison::lacks:
      return (now & value) == 0;
  }
  return false;
}

Result<Condition> parse_condition(const Catalogue& catalogue, std::string_view signal,
                                  std::string_view comparison, std::string_view value) {
  const std::size_t dot = signal.find('.');
  const Message* const message = catalogue.find(signal.substr(0, dot));
  const Signal* const found = message == nullptr || dot == std::string_view::npos
                                  ? nullptr
                                  : protocol::find_signal(*message, signal.substr(dot + 1));
  if (found == nullptr) return no_such_signal(catalogue, signal);
  const ComparisonRow* const row = find_comparison(comparison);
  if (row == nullptr)
    return usage(
        fmt::format("no comparison '{}'; use ==, !=, <, <=, >, >= (or eq, ne, lt, le, gt, ge), for flags "
                    "has or lacks",
                    comparison));
  if (auto checked = check_comparison(*found, *row); !checked) return checked.error();
  const auto raw = protocol::parse_value(*found, value);
  if (!raw) return raw.error();
  return Condition{message, found, row->comparison, *raw,
                   fmt::format("{} {} {}", signal, row->symbol, value)};
}

Action WaitProcedure::step(const View& view, SteadyTime now) {
  if (!start_) start_ = now;
  if (stop_) return {.end = report(stop_->status, "stopped", stop_->message + "; " + last_seen(view, now))};
  const auto raw =
      command::value_since(view, condition_.message->name, condition_.signal->name, *start_, now);
  if (!raw || !condition_.holds(*raw)) {
    true_since_.reset();
  } else if (!true_since_) {
    true_since_ = now;
  }
  if (true_since_ && now - *true_since_ >= options_.hold) {
    const auto after = std::chrono::duration_cast<milliseconds>(now - *start_);
    Report done = report(ExitStatus::ok, "true", "true after " + seconds_text(after));
    done.after = after;
    return {.end = done};
  }
  if (const auto link = check_link(view); !link)
    return {.end = report(ExitStatus::bus, "not_true", link.error().message)};
  if (view.chassis.link.state == LinkState::ended)
    return {.end = report(ExitStatus::no_answer, "not_true", "the log has ended; " + last_seen(view, now))};
  if (now - *start_ >= options_.timeout) {
    return {.end = report(
                ExitStatus::no_answer, "not_true",
                fmt::format("not true within {}; {}", seconds_text(options_.timeout), last_seen(view, now)))};
  }
  const SteadyTime next = true_since_ ? *true_since_ + options_.hold : now + milliseconds(20);
  return {.wake = std::min(next, *start_ + options_.timeout)};
}

std::string WaitProcedure::last_seen(const View& view, SteadyTime now) const {
  const auto raw = command::value(view, condition_.message->name, condition_.signal->name, now);
  if (raw) {
    const std::string text = protocol::value_text(*condition_.signal, *raw);
    return fmt::format("it is {}{}{}", text, condition_.signal->unit.empty() ? "" : " ",
                       condition_.signal->unit);
  }
  return fmt::format("no {} (0x{:03X}) arrives{}", condition_.message->name, condition_.message->id,
                     view.chassis.frame_count == 0 ? ", nor anything else" : "");
}

Report WaitProcedure::report(ExitStatus status, std::string_view result, const std::string& text) const {
  return {status, std::string(result), fmt::format("{}: {}", condition_.text, text), std::nullopt, {}};
}

}  // namespace rangerctl::command
