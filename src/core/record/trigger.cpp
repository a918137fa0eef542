#include "rangerctl/record/trigger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <compare>

#include "rangerctl/protocol/values.hpp"

namespace rangerctl::record {
namespace {

using protocol::Catalogue;
using protocol::Message;
using protocol::Signal;

Error usage(std::string message) { return {ExitStatus::usage, std::move(message)}; }

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
    text.remove_prefix(blanks);
    const std::string_view word = text.substr(0, text.find(' '));
    if (!word.empty()) words.push_back(word);
    text.remove_prefix(word.size());
  }
  return words;
}

bool has_flag(const Signal& signal, std::string_view name) {
  return std::any_of(signal.flags.begin(), signal.flags.end(),
                     [name](const protocol::Flag& flag) { return flag.name == name; });
}

/// "MESSAGE.SIGNAL" of each set of feedback flags with a bit of this name.
std::vector<std::string> signals_with_flag(const Catalogue& catalogue, std::string_view name) {
  std::vector<std::string> found;
  for (const Message& message : catalogue.messages()) {
    for (const Signal& signal : message.signals) {
      if (!message.is_command() && has_flag(signal, name))
        found.push_back(fmt::format("{}.{}", message.name, signal.name));
    }
  }
  return found;
}

Result<TriggerCondition> parse_word(const Catalogue& catalogue, std::string_view word) {
  const auto signals = signals_with_flag(catalogue, word);
  if (signals.size() > 1) {
    return usage(fmt::format("'{}' is a bit of {} and of {}; write: '{} has {}'", word, signals[0],
                             signals[1], signals[0], word));
  }
  if (!signals.empty()) {
    auto condition = command::parse_condition(catalogue, signals[0], "has", word);
    return condition ? Result<TriggerCondition>(*condition) : condition.error();
  }
  auto filter = output::parse_id_filter(word, catalogue);
  if (filter) return TriggerCondition(*filter);
  return usage(
      fmt::format("'{}' is no trigger; use a message, an id, the name of an error bit, or "
                  "'MESSAGE.SIGNAL OP VALUE' as in 'system_status.control_mode == can'",
                  word));
}

}  // namespace

Result<TriggerCondition> parse_trigger(const Catalogue& catalogue, std::string_view text) {
  const auto words = words_of(text);
  if (words.size() == 1) return parse_word(catalogue, words[0]);
  if (words.size() != 3)
    return usage(fmt::format(
        "'{}' is no trigger; three words are wanted, as in 'system_status.control_mode == can'", text));
  auto condition = command::parse_condition(catalogue, words[0], words[1], words[2]);
  if (!condition) return condition.error();
  return TriggerCondition(*condition);
}

const std::vector<Received>& Trigger::take(const Received& received) {
  out_.clear();
  move_clock(received.time);
  if (triggers(received.frame)) {
    begin();
  } else if (recording_ && options_.after && now_ > until_) {
    recording_ = false;
  }
  if (recording_) {
    out_.push_back(received);
  } else {
    keep(received);
  }
  return out_;
}

void Trigger::move_clock(const Timestamp& time) {
  if (!time.known()) return;
  if (last_time_ && std::is_gt(time.order(*last_time_)))
    now_ = std::min(now_ + time_between(*last_time_, time), kLongestTime);
  last_time_ = time;
}

bool Trigger::triggers(const Frame& frame) {
  if (const auto* const filter = std::get_if<output::IdFilter>(&options_.condition))
    return filter->matches(frame);
  return becomes_true(std::get<command::Condition>(options_.condition), frame);
}

bool Trigger::becomes_true(const command::Condition& condition, const Frame& frame) {
  if (catalogue_.find(frame) != condition.message || protocol::is_short(*condition.message, frame))
    return false;
  const bool before = was_true_;
  was_true_ = condition.holds(protocol::raw_value(condition.signal->field, frame.bytes()));
  return was_true_ && !before;
}

void Trigger::begin() {
  ++count_;
  if (options_.after) until_ = now_ + *options_.after;
  if (recording_) return;
  recording_ = true;
  forget_old();
  if (fell_out_at_ >= now_ - options_.before && fell_out_at_.count() >= 0) ++incomplete_;
  for (const Kept& kept : kept_) out_.push_back(kept.received);
  kept_.clear();
}

void Trigger::keep(const Received& received) {
  forget_old();
  if (options_.before.count() == 0) return;
  if (kept_.size() == kMostKept) {
    fell_out_at_ = kept_.front().at;
    kept_.pop_front();
  }
  kept_.push_back({now_, received});
}

void Trigger::forget_old() {
  while (!kept_.empty() && kept_.front().at < now_ - options_.before) kept_.pop_front();
}

}  // namespace rangerctl::record
