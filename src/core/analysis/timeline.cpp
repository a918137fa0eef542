#include "rangerctl/analysis/timeline.hpp"

#include <algorithm>

#include "rangerctl/protocol/values.hpp"

namespace rangerctl::analysis {
namespace {

using protocol::Message;
using protocol::Signal;

/// Ends what is open of `value` in this signal.
void end(std::vector<Stretch>& stretches, const Signal& signal, const Message& message, std::int64_t value,
         const Timestamp& at) {
  const auto open = std::find_if(stretches.rbegin(), stretches.rend(), [&](const Stretch& row) {
    return row.signal == &signal && row.message == &message && row.value == value;
  });
  if (open != stretches.rend() && !open->to) open->to = at;
}

void take_flags(std::vector<Stretch>& stretches, const Message& message, const Signal& signal,
                const Change& change) {
  const auto before =
      change.is_first ? 0 : static_cast<std::uint64_t>(protocol::raw_value(signal.field, change.before));
  const auto after = static_cast<std::uint64_t>(protocol::raw_value(signal.field, change.after));
  for (unsigned bit = 0; bit < signal.field.bits; ++bit) {
    const bool was = (before >> bit & 1) != 0;
    const bool is = (after >> bit & 1) != 0;
    if (was == is || !protocol::is_alarm(signal, bit)) continue;
    if (is) stretches.push_back({&message, &signal, bit, change.time, change.is_first, {}});
    if (was) end(stretches, signal, message, bit, change.time);
  }
}

void take_choice(std::vector<Stretch>& stretches, const Message& message, const Signal& signal,
                 const Change& change) {
  const std::int64_t before = protocol::raw_value(signal.field, change.before);
  const std::int64_t after = protocol::raw_value(signal.field, change.after);
  if (signal.restless || (!change.is_first && before == after)) return;
  if (!change.is_first) end(stretches, signal, message, before, change.time);
  stretches.push_back({&message, &signal, after, change.time, change.is_first, {}});
}

template <class Take>
std::vector<Stretch> collect(const Analysis& analysis, Take take) {
  std::vector<Stretch> stretches;
  for (const Change& change : analysis.changes()) {
    const Message& message = analysis.catalogue().messages()[change.message];
    for (const Signal& signal : message.signals) take(stretches, message, signal, change);
  }
  return stretches;
}

}  // namespace

std::vector<Stretch> alarm_stretches(const Analysis& analysis) {
  return collect(analysis,
                 [](auto& stretches, const Message& message, const Signal& signal, const Change& change) {
                   if (!signal.flags.empty()) take_flags(stretches, message, signal, change);
                 });
}

std::vector<Stretch> choice_stretches(const Analysis& analysis) {
  return collect(analysis,
                 [](auto& stretches, const Message& message, const Signal& signal, const Change& change) {
                   if (!signal.choices.empty()) take_choice(stretches, message, signal, change);
                 });
}

}  // namespace rangerctl::analysis
