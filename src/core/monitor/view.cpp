#include "view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>

#include "rangerctl/error_frame.hpp"
#include "rangerctl/protocol/values.hpp"

namespace rangerctl::monitor {
namespace {

std::string right_aligned(std::string_view text, int width) { return fmt::format("{:>{}}", text, width); }

std::string with_sign(std::int64_t raw, std::string text) { return raw >= 0 ? "+" + text : text; }

std::size_t longest_name(const protocol::Signal& signal) {
  std::size_t longest = kMissing.size();
  for (const protocol::Choice& choice : signal.choices) longest = std::max(longest, choice.name.size());
  return longest;
}

}  // namespace

bool Reading::is(std::string_view choice) const {
  return signal != nullptr && raw && protocol::choice_name(*signal, *raw) == choice;
}

bool Reading::has_flag(std::string_view flag) const {
  if (signal == nullptr || !raw) return false;
  return std::any_of(signal->flags.begin(), signal->flags.end(), [&](const protocol::Flag& row) {
    return row.name == flag && ((*raw >> row.bit) & 1) != 0;
  });
}

Reading reading(const View& view, std::string_view message_name, std::string_view signal_name) {
  const protocol::Message* const message = view.state.catalogue->find(message_name);
  if (message == nullptr) return {};
  const protocol::Signal* const signal = protocol::find_signal(*message, signal_name);
  if (signal == nullptr) return {};
  return {signal, current_value(view.state, index_of(view, *message), *signal, view.now)};
}

std::string number(const Reading& reading, int width) {
  if (!reading.raw) return right_aligned(kMissing, width);
  std::string text = protocol::value_text(*reading.signal, *reading.raw);
  if (reading.signal->field.is_signed) text = with_sign(*reading.raw, text);
  return right_aligned(text, width);
}

std::string degrees(const Reading& reading, int width) {
  if (!reading.raw) return right_aligned(kMissing, width);
  const double radians = static_cast<double>(*reading.raw) / std::pow(10.0, reading.signal->decimals);
  const auto tenths = static_cast<std::int64_t>(std::lround(radians * 1800.0 / std::numbers::pi));
  std::string text;
  protocol::append_decimal(text, tenths, 1);
  return right_aligned(with_sign(tenths, text), width);
}

std::string word(const Reading& reading) {
  const std::size_t width = reading.signal == nullptr ? kMissing.size() : longest_name(*reading.signal);
  const std::string text =
      reading.raw ? protocol::value_text(*reading.signal, *reading.raw) : std::string(kMissing);
  return fmt::format("{:<{}}", text, width);
}

std::string_view unit(const Reading& reading) {
  return reading.signal == nullptr ? std::string_view{} : reading.signal->unit;
}

std::string age_text(SteadyTime::duration age) {
  const auto ms =
      std::max<std::int64_t>(0, std::chrono::duration_cast<std::chrono::milliseconds>(age).count());
  if (ms < 1000) return fmt::format("{:>3}ms", ms);
  const std::int64_t seconds = ms / 1000;
  if (seconds < 100) return fmt::format("{:>2}.{}s", seconds, ms % 1000 / 100);
  if (seconds < 6000) return fmt::format("{:>2}min", seconds / 60);
  return fmt::format("{:>4}h", std::min<std::int64_t>(seconds / 3600, 9999));
}

std::string rate_text(std::optional<double> per_second) {
  if (!per_second) return right_aligned(kMissing, 5);
  return fmt::format("{:>5.{}f}", *per_second, *per_second < 1000 ? 1 : 0);
}

std::string coarse_age_text(SteadyTime::duration age) {
  const auto tenths = std::max<std::int64_t>(0, age / std::chrono::milliseconds(100));
  if (tenths == 0) return "<0.1s";
  return tenths < 10 ? fmt::format(" 0.{}s", tenths) : age_text(age);
}

std::string coarse_rate_text(std::optional<double> per_second) {
  return per_second && *per_second >= 5 ? fmt::format("{:>5.0f}", *per_second) : rate_text(per_second);
}

std::string moment_text(const PageView& view, const Moment& moment) {
  if (!moment.time.is_time_of_day()) {
    const auto ms = (moment.at - view.state.start) / std::chrono::milliseconds(1);
    return fmt::format("{:>12}", fmt::format("+{}.{:03}", ms / 1000, ms % 1000));
  }
  const auto ms = moment.time.nanoseconds / 1'000'000;
  const std::int64_t day = moment.time.seconds % 86'400;
  const std::string clock = view.options.time_of_day != nullptr
                                ? view.options.time_of_day(moment.time.seconds)
                                : fmt::format("{:02}:{:02}:{:02}", day / 3600, day / 60 % 60, day % 60);
  return fmt::format("{}.{:03}", clock, ms);
}

std::string count_text(std::uint64_t count) {
  struct Step {
    std::uint64_t below;
    std::uint64_t divisor;
    std::string_view suffix;
  };
  constexpr std::array kSteps{Step{100'000, 1, ""}, Step{10'000'000, 1000, "k"},
                              Step{10'000'000'000, 1'000'000, "M"}};
  for (const Step& step : kSteps) {
    if (count < step.below) return right_aligned(fmt::format("{}{}", count / step.divisor, step.suffix), 5);
  }
  return right_aligned(fmt::format("{}G", count / 1'000'000'000), 5);
}

std::string coarse_count_text(std::uint64_t count) {
  struct Step {
    std::uint64_t below;
    std::uint64_t tenths;  ///< a tenth of the unit
    std::string_view suffix;
  };
  constexpr std::array kSteps{Step{1'000'000, 100, "k"}, Step{1'000'000'000, 100'000, "M"},
                              Step{std::numeric_limits<std::uint64_t>::max(), 100'000'000, "G"}};
  if (count < 1000) return right_aligned(fmt::format("{}", count), 5);
  const Step& step =
      *std::find_if(kSteps.begin(), kSteps.end() - 1, [count](const Step& row) { return count < row.below; });
  const std::uint64_t tenths = count / step.tenths;
  if (tenths >= 1000) return right_aligned(fmt::format("{}{}", tenths / 10, step.suffix), 5);
  return right_aligned(fmt::format("{}.{}{}", tenths / 10, tenths % 10, step.suffix), 5);
}

std::string padded(std::string text, int width) {
  text.append(static_cast<std::size_t>(std::max(0, width - text_width(text))), ' ');
  return text;
}

std::vector<std::string> flag_names(const protocol::Signal& signal, std::int64_t raw) {
  std::vector<std::string> names;
  for (unsigned bit = 0; bit < signal.field.bits; ++bit) {
    if (((raw >> bit) & 1) == 0) continue;
    const std::string_view name = protocol::flag_name(signal, bit);
    names.push_back(name.empty() ? fmt::format("bit{}", bit) : std::string(name));
  }
  return names;
}

std::vector<std::string> alarm_names(const protocol::Signal& signal, std::int64_t raw) {
  std::int64_t alarms = 0;
  for (unsigned bit = 0; bit < signal.field.bits; ++bit) {
    if (protocol::is_alarm(signal, bit)) alarms |= raw & (std::int64_t{1} << bit);
  }
  return flag_names(signal, alarms);
}

std::vector<const protocol::Message*> missing_messages(const View& view) {
  std::vector<const protocol::Message*> missing;
  const auto messages = view.state.catalogue->messages();
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (is_expected(messages[i]) && freshness(view.state, i, view.now) != Freshness::fresh)
      missing.push_back(&messages[i]);
  }
  return missing;
}

std::string id_text(const Frame& frame) {
  std::string text = fmt::format("{:0{}X}", frame.id, frame.extended ? 8 : 3);
  if (frame.kind == FrameKind::error) return "ERR " + text;
  if (frame.kind == FrameKind::remote) text += " RTR";
  if (frame.kind == FrameKind::fd) text += " FD";
  if (frame.kind == FrameKind::xl) text += " XL";
  return text;
}

std::string payload_text(const Frame& frame) {
  constexpr std::size_t kShown = 8;
  std::string text = fmt::format("[{}]", frame.length);
  const auto bytes = frame.bytes();
  for (const std::uint8_t byte : bytes.first(std::min(bytes.size(), kShown)))
    text += fmt::format(" {:02X}", byte);
  return bytes.size() > kShown ? text + "…" : text;
}

std::vector<const protocol::Message*> listed_messages(const State& state) {
  std::vector<const protocol::Message*> listed;
  const auto messages = state.catalogue->messages();
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (is_expected(messages[i]) || state.messages[i].count != 0) listed.push_back(&messages[i]);
  }
  return listed;
}

std::vector<const OtherId*> others_by_id(const State& state) {
  std::vector<const OtherId*> others;
  for (const OtherId& other : state.others) others.push_back(&other);
  std::sort(others.begin(), others.end(), [](const OtherId* a, const OtherId* b) {
    return std::tuple(a->frame.extended, a->frame.id, a->frame.kind) <
           std::tuple(b->frame.extended, b->frame.id, b->frame.kind);
  });
  return others;
}

std::uint64_t short_frames(const State& state) {
  std::uint64_t count = 0;
  for (const MessageState& message : state.messages) count += message.short_count;
  return count;
}

std::string foreign_text(const State& state) {
  const ForeignKinds& foreign = state.foreign;
  return fmt::format("short {}  RTR {}  29-bit {}  FD {}", short_frames(state), foreign.remote,
                     foreign.extended, foreign.fd + foreign.xl);
}

std::vector<ErrorClass> error_classes(const ErrorFrames& errors) {
  std::vector<ErrorClass> rows;
  for (std::size_t bit = 0; bit < ErrorFrames::kClasses; ++bit) {
    if (errors.by_class[bit] == 0) continue;
    Frame one;
    one.kind = FrameKind::error;
    one.id = 1U << bit;
    rows.push_back({decode_error_frame(one).classes.front(), errors.by_class[bit]});
  }
  return rows;
}

std::size_t index_of(const View& view, const protocol::Message& message) {
  return static_cast<std::size_t>(&message - view.state.catalogue->messages().data());
}

}  // namespace rangerctl::monitor
