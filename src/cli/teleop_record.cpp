#include "cli/teleop_record.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <nlohmann/json.hpp>

#include "io/wall_clock.hpp"
#include "rangerctl/log/written_frame.hpp"

namespace rangerctl::cli {
namespace {

using io::wall_clock;
using Json = nlohmann::ordered_json;

std::string seconds(const Timestamp& time) {
  return fmt::format("{}.{:06}", time.seconds, time.nanoseconds / 1000);
}

/// A comment of the log: the object with its time in front, which must not go through a double.
std::string line(const Timestamp& time, const Json& json) {
  const std::string rest = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return fmt::format(R"(# {{"time":{},{})", seconds(time), rest.substr(1)) + '\n';
}

std::string_view action_name(teleop::Action action) {
  constexpr std::array<std::string_view, 9> kNames{"none", "note",   "cap",     "release", "zero",
                                                   "stop", "disarm", "silence", "fault"};
  return kNames.at(static_cast<std::size_t>(action));
}

std::string key_name(char32_t key) {
  constexpr std::array<std::pair<char32_t, std::string_view>, 9> kNames{{{terminal::kEnter, "Enter"},
                                                                         {terminal::kTab, "Tab"},
                                                                         {terminal::kEscape, "ESC"},
                                                                         {terminal::kBackspace, "Backspace"},
                                                                         {terminal::kUp, "Up"},
                                                                         {terminal::kDown, "Down"},
                                                                         {terminal::kLeft, "Left"},
                                                                         {terminal::kRight, "Right"},
                                                                         {terminal::kUnknownKey, "unknown"}}};
  for (const auto& [code, name] : kNames) {
    if (code == key) return std::string(name);
  }
  return key >= U' ' && key < 0x7F ? std::string(1, static_cast<char>(key))
                                   : fmt::format("U+{:04X}", static_cast<std::uint32_t>(key));
}

Json to_json(const teleop::Event& event, const protocol::Catalogue& catalogue) {
  Json json;
  if (event.kind == teleop::Event::Kind::state) {
    json["from"] = teleop::state_name(event.from);
    json["state"] = teleop::state_name(event.to);
  }
  if (event.rule < teleop::kRuleCount) json["rule"] = teleop::rules()[event.rule].number;
  json["text"] = teleop::event_text(event, catalogue);
  return json;
}

Json to_json(const teleop::KeyRecord& key) {
  constexpr std::array<std::string_view, 3> kActions{"press", "repeat", "release"};
  Json json{{"key", key_name(key.event.key)},
            {"action", kActions.at(static_cast<std::size_t>(key.event.action))}};
  if (key.event.modifiers != 0) json["modifiers"] = key.event.modifiers;
  if (key.bound) json["age"] = static_cast<double>(key.bound->count()) / 1'000'000;
  if (key.dropped) json["dropped"] = true;
  return json;
}

Json reasons_json(const teleop::Findings& findings, const protocol::Catalogue& catalogue) {
  Json reasons = Json::array();
  for (std::size_t i = 0; i < teleop::kRuleCount; ++i) {
    if (!teleop::is_something(findings[i])) continue;
    reasons.push_back({{"rule", teleop::rules()[i].number},
                       {"action", action_name(findings[i].action)},
                       {"text", teleop::rules()[i].words(findings[i], catalogue)}});
  }
  return reasons;
}

}  // namespace

Result<std::unique_ptr<TeleopRecord>> TeleopRecord::create(const std::string& path,
                                                           const std::string& address,
                                                           const protocol::Catalogue& catalogue) {
  auto sink = io::RecordSink::create({path});
  if (!sink) return sink.error();
  return std::unique_ptr<TeleopRecord>(new TeleopRecord(std::move(*sink), address, catalogue));
}

TeleopRecord::TeleopRecord(std::unique_ptr<io::RecordSink> sink, std::string address,
                           const protocol::Catalogue& catalogue)
    : address_(std::move(address)),
      catalogue_(catalogue),
      file_(std::move(sink), line(wall_clock(), {{"record", "rangerctl teleop"}, {"bus", address_}}),
            {[this](const Item& item) { return text_of(item); },
             [](std::uint64_t lost) {
               return line(wall_clock(), {{"lost", lost}});
             }}) {}

template <class What>
void TeleopRecord::push(const What& what) {
  file_.push({wall_clock(), what});
}

void TeleopRecord::frame(const Received& received) { push(received); }
void TeleopRecord::not_sent(const Frame& frame, NotSent why) { push(FrameNotSent{frame, why}); }
void TeleopRecord::event(const teleop::Event& event) { push(event); }
void TeleopRecord::key(const teleop::KeyRecord& key) { push(key); }
void TeleopRecord::findings(const teleop::Status& status) {
  push(Reasons{status.state, status.findings, status.sent});
}

std::string TeleopRecord::text_of(const Item& item) const {
  struct Visitor {
    const TeleopRecord& record;
    const Timestamp& time;
    std::string operator()(const Received& received) const {
      return log::written_line(received, record.address_);
    }
    std::string operator()(const FrameNotSent& frame) const {
      constexpr std::array<std::string_view, 3> kWhy{"queue_full", "refused", "dry_run"};
      return line(time, {{"not_sent", kWhy.at(static_cast<std::size_t>(frame.why))},
                         {"frame", log::written_frame(frame.frame)}});
    }
    std::string operator()(const teleop::Event& event) const {
      return line(time, to_json(event, record.catalogue_));
    }
    std::string operator()(const teleop::KeyRecord& key) const { return line(time, to_json(key)); }
    std::string operator()(const Reasons& reasons) const {
      return line(time, {{"state", teleop::state_name(reasons.state)},
                         {"reasons", reasons_json(reasons.findings, record.catalogue_)},
                         {"linear_velocity", static_cast<double>(reasons.sent.linear_velocity) / 1000},
                         {"angular_velocity", static_cast<double>(reasons.sent.angular_velocity) / 1000},
                         {"steering_angle", static_cast<double>(reasons.sent.steering_angle) / 1000}});
    }
  };
  return std::visit(Visitor{*this, item.time}, item.what);
}

}  // namespace rangerctl::cli
