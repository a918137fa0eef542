#include "rangerctl/sim/feedback.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rangerctl/protocol/values.hpp"

namespace rangerctl::sim {
namespace {

using protocol::Message;
using protocol::Signal;
using std::chrono::milliseconds;

/// A number that is always the same for the same frame, and unlike its neighbours' (the mixing steps of
/// splitmix64).
SimTime jitter(std::uint32_t id, std::uint64_t sent) {
  std::uint64_t mixed = (std::uint64_t{id} << 40U) + sent + 1;
  mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
  mixed ^= mixed >> 31U;
  return SimTime(static_cast<std::int64_t>(mixed % static_cast<std::uint64_t>(kMostJitter.count())));
}

/// What a real vehicle sends in another way: how often, how long, and what the manual does not describe.
struct HardwareRow {
  std::string_view message;
  milliseconds period;
  std::uint8_t length;
  std::array<std::uint8_t, 8> undocumented;
};
constexpr std::array kHardware{
    HardwareRow{"bms_status", milliseconds(240), 8, {}},
    HardwareRow{"bms_alarms", milliseconds(240), 8, {0, 0, 0, 0, 0, 0, 0x08, 0x06}},
};

/// What only a real vehicle sends.
struct UndocumentedRow {
  milliseconds period;
  Frame frame;
};
constexpr std::array kUndocumented{
    UndocumentedRow{milliseconds(2'000), {.id = 0x212, .length = 4, .data = {0x00, 0x07, 0x01, 0x02}}},
};

void put(Frame& frame, const Signal& signal, double value, Variant variant) {
  const bool coarse = signal.has_fine_scale() && variant == Variant::manual;
  const auto decimals = coarse ? signal.decimals : signal.decimals_of(signal.field.max());
  const std::int64_t most = coarse ? signal.fine_above : signal.field.max();
  const std::int64_t raw =
      std::clamp<std::int64_t>(std::llround(value * std::pow(10.0, decimals)), signal.field.min(), most);
  // Not through set_signal(), which never writes a fine-scaled signal in its coarse scale.
  protocol::put_raw_value(signal.field, raw, frame.data);
}

/// No words mean no constant, and the signal stays zero.
void put_constant(Frame& frame, const Signal& signal, std::string_view words) {
  if (const auto raw = protocol::parse_value(signal, words))
    static_cast<void>(protocol::set_signal(frame, signal, *raw));
}

Frame frame_with_constants(const Message& message) {
  Frame frame = protocol::empty_frame(message);
  for (const Signal& signal : message.signals)
    put_constant(frame, signal, find_constant(message.name, signal.name));
  return frame;
}

}  // namespace

FeedbackSchedule::FeedbackSchedule(const protocol::Catalogue& catalogue) {
  for (const Message& message : catalogue.messages()) {
    if (message.direction == protocol::Direction::feedback && message.period_ms > 0) add_message(message);
  }
  for (const UndocumentedRow& row : kUndocumented) {
    if (catalogue.find_opaque(row.frame.id) != nullptr)
      entries_.push_back({.id = row.frame.id, .forms = {std::nullopt, Form{row.period, row.frame}}});
  }
  spread();
}

void FeedbackSchedule::add_message(const Message& message) {
  const Form manual{milliseconds(message.period_ms), frame_with_constants(message)};
  Form hardware = manual;
  for (const HardwareRow& row : kHardware) {
    if (row.message != message.name) continue;
    hardware.period = row.period;
    hardware.frame.length = row.length;
    std::copy(row.undocumented.begin() + message.dlc, row.undocumented.end(),
              hardware.frame.data.begin() + message.dlc);
  }
  Entry entry{.id = message.id, .forms = {manual, hardware}};
  for (const Signal& signal : message.signals) {
    if (const auto source = find_source(message.name, signal.name))
      entry.moving.push_back({&signal, *source});
  }
  entries_.push_back(std::move(entry));
  cycle_ = std::min(cycle_, manual.period);
}

void FeedbackSchedule::spread() {
  const auto places = static_cast<std::int64_t>(entries_.size());
  for (std::int64_t place = 0; place < places; ++place) {
    Entry& entry = entries_[static_cast<std::size_t>(place)];
    entry.place = place;
    put_in_phase(entry, SimTime(0));
  }
  find_next();
}

std::optional<SimTime> FeedbackSchedule::period(const Entry& entry, Variant variant) {
  const auto& form = entry.forms[static_cast<std::size_t>(variant)];
  return form ? std::optional(form->period) : std::nullopt;
}

/// Rare messages begin in different cycles.
void FeedbackSchedule::put_in_phase(Entry& entry, SimTime now) const {
  const auto step = period(entry, variant_);
  if (!step) return;
  const SimTime slot = cycle_ * entry.place / static_cast<std::int64_t>(entries_.size());
  entry.nominal = slot + cycle_ * (entry.place % std::max<std::int64_t>(*step / cycle_, 1));
  while (entry.nominal < now) entry.nominal += *step;
  entry.due = entry.nominal + jitter(entry.id, entry.sent);
}

bool FeedbackSchedule::is_sent(const Entry& entry) const { return !entry.silent && period(entry, variant_); }

SimTime FeedbackSchedule::next_due() const {
  return next_ == entries_.size() ? SimTime::max() : entries_[next_].due;
}

TimedFrame FeedbackSchedule::take(const Body& body, const Controller& controller) {
  Entry& entry = entries_[next_];
  Form& form = *entry.forms[static_cast<std::size_t>(variant_)];
  const SimTime at = entry.due;
  for (const MovingSignal& part : entry.moving) {
    const Sample sample{body, controller, entry.sent, part.source.index};
    put(form.frame, *part.signal, part.source.value(sample), variant_);
  }
  ++entry.sent;
  entry.nominal += form.period;
  entry.due = entry.nominal + jitter(entry.id, entry.sent);
  find_next();
  return {at, form.frame};
}

void FeedbackSchedule::find_next() {
  next_ = entries_.size();
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (is_sent(entries_[i]) && (next_ == entries_.size() || entries_[i].due < entries_[next_].due))
      next_ = i;
  }
}

void FeedbackSchedule::choose(Variant variant, SimTime now) {
  const Variant before = std::exchange(variant_, variant);
  for (Entry& entry : entries_) {
    if (period(entry, before) != period(entry, variant)) put_in_phase(entry, now);
  }
  find_next();
}

void FeedbackSchedule::silence(std::optional<std::uint32_t> id) {
  for (Entry& entry : entries_) entry.silent = entry.silent || !id || entry.id == *id;
  find_next();
}

void FeedbackSchedule::unsilence(std::optional<std::uint32_t> id, SimTime now) {
  for (Entry& entry : entries_) {
    if (!entry.silent || (id && entry.id != *id)) continue;
    entry.silent = false;
    put_in_phase(entry, now);
  }
  find_next();
}

}  // namespace rangerctl::sim
