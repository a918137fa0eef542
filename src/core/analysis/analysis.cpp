#include "rangerctl/analysis/analysis.hpp"

#include <algorithm>

#include "rangerctl/protocol/values.hpp"

namespace rangerctl::analysis {
namespace {

using namespace std::chrono_literals;
using protocol::Message;
using protocol::Signal;
using std::chrono::nanoseconds;

/// Speed comes every 20 ms, what the battery says every 500 ms.
constexpr auto kLongestSpeedStep = 1s;
constexpr auto kLongestPowerStep = 5s;

nanoseconds period_of(const Message& message) { return std::chrono::milliseconds(message.period_ms); }

/// Commands are no state of the chassis; and what flashes by itself says nothing.
std::uint64_t tracked_bits(const Message& message) {
  std::uint64_t bits = 0;
  for (const Signal& signal : message.signals) {
    const bool is_state = !signal.flags.empty() || (!signal.choices.empty() && !signal.restless);
    if (is_state && !message.is_command()) bits |= protocol::detail::occupied_bits(signal.field);
  }
  return bits;
}

const Signal* signal_of(const Message* message, std::string_view name) {
  return message == nullptr ? nullptr : protocol::find_signal(*message, name);
}

}  // namespace

Analysis::Analysis(const protocol::Catalogue& catalogue)
    : catalogue_(&catalogue),
      messages_(catalogue.messages().size()),
      last_tracked_(messages_.size()),
      any_tracked_(messages_.size()),
      motion_(catalogue.find("motion_feedback")),
      battery_(catalogue.find("bms_status")),
      velocity_(signal_of(motion_, "linear_velocity")),
      voltage_(signal_of(battery_, "voltage")),
      current_(signal_of(battery_, "current")),
      speed_(kLongestSpeedStep),
      power_(kLongestPowerStep),
      odometers_{catalogue.find("front_odometer"), catalogue.find("rear_odometer")} {
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    messages_[i].signals.resize(catalogue.messages()[i].signals.size());
    const Message* const message = &catalogue.messages()[i];
    tracked_.push_back(tracked_bits(*message));
    const bool is_odometer = std::find(odometers_.begin(), odometers_.end(), message) != odometers_.end();
    is_summed_.push_back(is_odometer || message == motion_ || message == battery_ ? 1 : 0);
  }
}

void Analysis::add(const log::LogFrame& frame) {
  ++frames_;
  take_time(frame.time);
  const Message* const message = catalogue_->find(frame.frame);
  if (message == nullptr) {
    add_other(frame);
  } else {
    add_known(*message, frame);
  }
}

void Analysis::take_time(const Timestamp& time) {
  if (!time.known()) return;
  if (!first_.known()) {
    first_ = earliest_ = latest_ = last_ = time;
    return;
  }
  if (time.order(last_) < 0) ++backward_;
  if (time.order(latest_) > 0) latest_ = time;
  if (time.order(earliest_) < 0) earliest_ = time;
  last_ = time;
}

void Analysis::add_known(const Message& message, const log::LogFrame& frame) {
  const auto index = static_cast<std::size_t>(&message - catalogue_->messages().data());
  MessageStatistics& statistics = messages_[index];
  statistics.id.take_time(frame.time, frame.frame.length, period_of(message));
  if (protocol::is_short(message, frame.frame)) {
    ++statistics.short_frames;
    return;
  }
  const std::uint64_t word = protocol::payload_word(frame.frame);
  if (statistics.id.take_word(word)) take_word(index, word, frame.time);
  if (is_summed_[index] != 0) integrate(message, word, frame.time);
}

void Analysis::take_word(std::size_t index, std::uint64_t word, const Timestamp& time) {
  const Message& message = catalogue_->messages()[index];
  MessageStatistics& statistics = messages_[index];
  for (std::size_t i = 0; i < message.signals.size(); ++i)
    statistics.signals[i].add(protocol::raw_value(message.signals[i].field, word));
  const std::uint64_t tracked = word & tracked_[index];
  if (tracked_[index] == 0 || (any_tracked_[index] && tracked == last_tracked_[index])) return;
  add_change({time, static_cast<std::uint16_t>(index), !any_tracked_[index], last_tracked_[index], tracked});
}

/// Also says what is tracked last.
void Analysis::add_change(const Change& change) {
  last_tracked_[change.message] = change.after;
  any_tracked_[change.message] = true;
  if (change.is_first || changes_.size() < kMostChanges) {
    changes_.push_back(change);
  } else {
    ++more_changes_;
  }
}

void Analysis::integrate(const Message& message, std::uint64_t word, const Timestamp& time) {
  for (std::size_t i = 0; i < odometers_.size(); ++i) {
    if (&message != odometers_[i]) continue;
    travels_[2 * i].add(protocol::raw_value(message.signals[0].field, word));
    travels_[2 * i + 1].add(protocol::raw_value(message.signals[1].field, word));
  }
  if (&message == motion_ && velocity_ != nullptr)
    speed_.add(time, protocol::raw_value(velocity_->field, word));
  if (&message != battery_ || voltage_ == nullptr || current_ == nullptr) return;
  const std::int64_t raw = protocol::raw_value(voltage_->field, word);
  const std::int64_t hundredths = raw > voltage_->fine_above ? raw : raw * 10;
  power_.add(time, hundredths * protocol::raw_value(current_->field, word));  // 0.01 V * 0.1 A
}

void Analysis::add_other(const log::LogFrame& frame) {
  IdStatistics* const statistics = other({frame.frame.id, frame.frame.kind, frame.frame.extended});
  if (statistics == nullptr) {
    ++more_others_;
    return;
  }
  statistics->take_time(frame.time, frame.frame.length, 0ns);
  statistics->take_word(protocol::payload_word(frame.frame));
}

/// Null where there are too many.
IdStatistics* Analysis::other(const OtherId& id) {
  const auto found = other_index_.find(id.key());
  if (found != other_index_.end()) return &others_[found->second].statistics;
  if (others_.size() == kMostOtherIds) return nullptr;
  other_index_.emplace(id.key(), others_.size());
  others_.push_back({id, {}});
  return &others_.back().statistics;
}

std::vector<OtherStatistics> Analysis::others() const {
  std::vector<OtherStatistics> sorted = others_;
  std::sort(sorted.begin(), sorted.end(),
            [](const OtherStatistics& a, const OtherStatistics& b) { return a.id.key() < b.id.key(); });
  return sorted;
}

void Analysis::append(const Analysis& later) {
  frames_ += later.frames_;
  drops_ += later.drops_;
  append_times(later);
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    const MessageStatistics& other = later.messages_[i];
    messages_[i].id.append(other.id, period_of(catalogue_->messages()[i]));
    messages_[i].short_frames += other.short_frames;
    for (std::size_t j = 0; j < other.signals.size(); ++j) {
      if (!other.signals[j].any()) continue;
      messages_[i].signals[j].add(other.signals[j].least);
      messages_[i].signals[j].add(other.signals[j].most);
    }
  }
  append_changes(later);
  append_others(later);
  speed_.append(later.speed_);
  power_.append(later.power_);
  for (std::size_t i = 0; i < travels_.size(); ++i) travels_[i].append(later.travels_[i]);
}

void Analysis::append_times(const Analysis& later) {
  if (!later.first_.known()) return;
  take_time(later.first_);
  if (later.earliest_.order(earliest_) < 0) earliest_ = later.earliest_;
  if (later.latest_.order(latest_) > 0) latest_ = later.latest_;
  last_ = later.last_;
  backward_ += later.backward_;
}

void Analysis::append_changes(const Analysis& later) {
  for (Change change : later.changes_) {
    if (change.is_first && any_tracked_[change.message]) {
      if (change.after == last_tracked_[change.message]) continue;
      change.is_first = false;
      change.before = last_tracked_[change.message];
    }
    add_change(change);
  }
  more_changes_ += later.more_changes_;
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    if (later.any_tracked_[i]) last_tracked_[i] = later.last_tracked_[i];
  }
}

void Analysis::append_others(const Analysis& later) {
  for (const OtherStatistics& one : later.others_) {
    IdStatistics* const statistics = other(one.id);
    if (statistics == nullptr) {
      more_others_ += one.statistics.count;
    } else {
      statistics->append(one.statistics, 0ns);
    }
  }
  more_others_ += later.more_others_;
}

}  // namespace rangerctl::analysis
