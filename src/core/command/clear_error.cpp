#include "rangerctl/command/clear_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <limits>

#include "rangerctl/protocol/values.hpp"
#include "rangerctl/text.hpp"

namespace rangerctl::command {
namespace {

using protocol::Catalogue;
using protocol::Choice;
using protocol::Flag;
using protocol::Signal;
using std::chrono::milliseconds;

constexpr ClearCode kAll{0x00};
/// The detail of a report that names the bits that went away.
constexpr std::string_view kCleared = "cleared";

const Signal& codes_signal(const Catalogue& catalogue) {
  return *protocol::find_signal(*catalogue.find("clear_error_command"), "error");
}
const Signal& errors_signal(const Catalogue& catalogue) {
  return *protocol::find_signal(*catalogue.find("system_status"), "errors");
}

std::string code_text(ClearCode code) { return fmt::format("0x{:02X}", code.code); }

std::string joined(const Catalogue& catalogue, std::int64_t errors) {
  return fmt::format("{}", fmt::join(error_names(catalogue, errors), ", "));
}

/// Hexadecimal behind 0x, else decimal; nothing where the word is no number at all.
std::optional<std::uint64_t> parse_number(std::string_view word) {
  const bool hex = word.starts_with("0x") || word.starts_with("0X");
  if (hex) word.remove_prefix(2);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number, hex ? 16 : 10);
  if (error == std::errc::result_out_of_range) return std::numeric_limits<std::uint64_t>::max();
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return number;
}

Error no_such_code(const Catalogue& catalogue, std::string_view word) {
  std::vector<std::string_view> names{"all"};
  for (const Choice& choice : codes_signal(catalogue).choices) names.push_back(choice.name);
  for (const Flag& flag : errors_signal(catalogue).flags) names.push_back(flag.name);
  return {ExitStatus::usage,
          fmt::format("no clear code '{}'; codes are 0x00 to 0x10, or names: rangerctl clear-error --list{}",
                      word, suggestion(word, names))};
}

std::uint32_t emergency_stop(const Catalogue& catalogue) {
  return static_cast<std::uint32_t>(*protocol::parse_value(errors_signal(catalogue), "emergency_stop"));
}

/// The bits of one code are gone, and stay gone for a few frames: an error whose cause remains may blink.
class ErrorsGone : public Confirmation {
 public:
  ErrorsGone(const Catalogue& catalogue, ClearCode code)
      : catalogue_(catalogue), mask_(cleared_bits(catalogue, code)) {}

  bool shows(const View& view, SteadyTime since, SteadyTime now) override {
    const auto errors = value_since(view, "system_status", "errors", since, now);
    if (!errors) return false;
    seen_ = true;
    errors_ = *errors;
    if (since == SteadyTime::min()) before_ = errors_ & mask_;
    const std::uint64_t frames = frames_seen(view);
    if ((errors_ & mask_) != 0) clear_frames_ = 0;
    if ((errors_ & mask_) == 0 && frames != last_frame_) ++clear_frames_;
    last_frame_ = frames;
    return clear_frames_ >= kFrames;
  }

  [[nodiscard]] std::string instead(const View& view, SteadyTime now) const override {
    if (!check_need(Need::feedback, view, now)) return "system_status does not arrive any more";
    const std::int64_t left = errors_ & mask_;
    if (left == 0) return "the bits are gone, but not for long enough";
    std::string text = "still set: " + joined(catalogue_, left);
    for (const Flag& flag : errors_signal(catalogue_).flags) {
      if (((left >> flag.bit) & 1) != 0 && !flag.remedy.empty())
        text += fmt::format("; {}: {}", flag.name, flag.remedy);
    }
    return text;
  }

  [[nodiscard]] std::string done(milliseconds after) const override {
    const std::string left =
        (errors_ & ~mask_) == 0 ? "" : "; still set: " + joined(catalogue_, errors_ & ~mask_);
    if (before_ != 0)
      return fmt::format("{} cleared after {}{}", joined(catalogue_, before_), seconds_text(after), left);
    const std::string what = mask_ == kEveryBit ? "no error" : joined(catalogue_, mask_);
    return fmt::format("sent, but nothing to clear: {} was {}set{}", what, mask_ == kEveryBit ? "" : "not ",
                       left);
  }

  [[nodiscard]] std::vector<Detail> details() const override {
    if (!seen_) return {};
    return {{std::string(kCleared), error_names(catalogue_, before_ & ~errors_)},
            {"still_set", error_names(catalogue_, errors_)}};
  }

  [[nodiscard]] std::vector<std::string> advice() const override {
    if (!is_emergency_stop()) return {};
    return {
        "an emergency stop is set: release its button first; no code is documented for it, 0x00 is the only "
        "candidate"};
  }

  /// A button that is released meanwhile must not bring the chassis back while somebody stands beside it.
  [[nodiscard]] bool may_repeat() const override { return !is_emergency_stop(); }

 private:
  static constexpr int kFrames = 3;
  static constexpr std::uint32_t kEveryBit = std::numeric_limits<std::uint32_t>::max();

  [[nodiscard]] bool is_emergency_stop() const {
    return ((before_ | errors_) & mask_ & emergency_stop(catalogue_)) != 0;
  }

  [[nodiscard]] std::uint64_t frames_seen(const View& view) const {
    return view.chassis.messages[catalogue_.index_of(*catalogue_.find("system_status"))].count;
  }

  const Catalogue& catalogue_;
  std::int64_t mask_;
  bool seen_ = false;
  std::int64_t before_ = 0;       ///< set of these when the frame was sent
  std::int64_t errors_ = 0;       ///< all that are set now
  std::uint64_t last_frame_ = 0;  ///< the count of the one that was looked at last
  int clear_frames_ = 0;          ///< looked at in a row, without any of the bits
};

Change clear_change(const Catalogue& catalogue, ClearCode code, const ClearErrorOptions& options) {
  Change change{.name = "clear-error " + code_text(code),
                .frame = protocol::empty_frame(*catalogue.find("clear_error_command")),
                .needs = {Need::feedback, Need::not_remote, Need::charge, Need::can_control},
                .confirmation = std::make_unique<ErrorsGone>(catalogue, code),
                .timeout = options.timeout,
                .skip_if_so = false,
                .wait = options.wait};
  protocol::put_raw_value(codes_signal(catalogue).field, code.code, change.frame.data);
  return change;
}

}  // namespace

Result<ClearCode> parse_clear_code(const Catalogue& catalogue, std::string_view word) {
  if (word == "all") return kAll;
  const Signal& codes = codes_signal(catalogue);
  const auto number = parse_number(word);
  for (const Choice& choice : codes.choices) {
    const bool same = number ? *number == static_cast<std::uint64_t>(choice.value) : word == choice.name;
    if (same) return ClearCode{static_cast<std::uint8_t>(choice.value)};
  }
  for (const Flag& flag : errors_signal(catalogue).flags) {
    if (flag.name != word) continue;
    if (flag.clear_code >= 0) return ClearCode{static_cast<std::uint8_t>(flag.clear_code)};
    return Error{
        ExitStatus::refused,
        fmt::format("refused: no code clears {} alone; {}. 0x00 clears everything that is not critical: "
                    "rangerctl clear-error all",
                    flag.name, flag.remedy)};
  }
  return no_such_code(catalogue, word);
}

std::uint32_t cleared_bits(const Catalogue& catalogue, ClearCode code) {
  if (code == kAll) return std::numeric_limits<std::uint32_t>::max();
  std::uint32_t bits = 0;
  for (const Flag& flag : errors_signal(catalogue).flags) {
    if (flag.clear_code == code.code) bits |= std::uint32_t{1} << flag.bit;
  }
  return bits;
}

std::string clear_code_table(const Catalogue& catalogue) {
  std::string table = fmt::format("{:<6}{:<29}{}\n", "CODE", "NAME", "CLEARS");
  for (const Choice& choice : codes_signal(catalogue).choices) {
    const ClearCode code{static_cast<std::uint8_t>(choice.value)};
    const std::string bits = code == kAll ? std::string("all that is not critical; which is not documented")
                                          : joined(catalogue, cleared_bits(catalogue, code));
    table += fmt::format("{:<6}{:<29}{}\n", code_text(code), choice.name, bits);
  }
  table += "\nWithout a code of their own (0x00 is the one to try):\n";
  for (const Flag& flag : errors_signal(catalogue).flags) {
    if (flag.clear_code < 0) table += fmt::format("      {:<29}{}\n", flag.name, flag.meaning);
  }
  return table;
}

ClearErrorProcedure::ClearErrorProcedure(const Catalogue& catalogue, std::vector<ClearCode> codes,
                                         const ClearErrorOptions& options)
    : catalogue_(catalogue), codes_(std::move(codes)), options_(options) {
  begin(std::nullopt);
}

void ClearErrorProcedure::begin(std::optional<SteadyTime> looking_since) {
  current_.emplace(clear_change(catalogue_, codes_[reports_.size()], options_), looking_since);
}

Action ClearErrorProcedure::step(const View& view, SteadyTime now) {
  if (!start_) start_ = now;
  Action action = current_->step(view, now);
  if (!action.end) return action;
  reports_.push_back(std::move(*action.end));
  action.end.reset();
  if (goes_on(reports_.back())) {
    begin(start_);
    action.wake = now;
  } else {
    action.end = summary();
  }
  return action;
}

/// A code that the chassis did not confirm in time says nothing about the next one; everything else does.
bool ClearErrorProcedure::goes_on(const Report& report) const {
  const bool timed_out = report.status == ExitStatus::no_answer && report.result == "not_confirmed";
  return (report.status == ExitStatus::ok || timed_out) && reports_.size() < codes_.size();
}

Report ClearErrorProcedure::summary() const {
  if (codes_.size() == 1) return reports_.front();
  Report all = reports_.back();
  all.text.clear();
  all.after.reset();
  std::vector<std::string> cleared;
  for (const Report& report : reports_) {
    all.text += (all.text.empty() ? "" : "; ") + report.text;
    if (report.status != ExitStatus::ok && all.status == ExitStatus::ok) {
      all.status = report.status;
      all.result = report.result;
    }
    for (const Detail& detail : report.details) {
      if (detail.name == kCleared) cleared.insert(cleared.end(), detail.words.begin(), detail.words.end());
    }
  }
  const std::size_t left = codes_.size() - reports_.size();
  if (left > 0) all.text += fmt::format("; {} more not tried", left);
  for (Detail& detail : all.details) {
    if (detail.name == kCleared) detail.words = cleared;
  }
  return all;
}

}  // namespace rangerctl::command
