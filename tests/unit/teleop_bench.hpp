// Teleop against the simulated chassis and a simulated terminal, millisecond by millisecond of a clock that
// the test owns.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "count_allocations.hpp"
#include "rangerctl/log/written_frame.hpp"
#include "rangerctl/protocol/catalogue.hpp"
#include "rangerctl/protocol/values.hpp"
#include "rangerctl/sim/chassis.hpp"
#include "rangerctl/sim/scenario.hpp"
#include "rangerctl/teleop/machine.hpp"

namespace rangerctl::teleop {

class TeleopBench {
 public:
  using Ms = std::chrono::milliseconds;
  static constexpr SteadyTime kStart{std::chrono::seconds(1000)};

  static Options kitty() { return {.terminal = {.answers = true, .key_releases = true}}; }
  static Options legacy() { return {.terminal = {.answers = true, .key_releases = false}}; }

  explicit TeleopBench(Options options = kitty(), std::string_view scenario = "normal",
                       sim::ControlMode control = sim::ControlMode::standby)
      : dry_run_(options.dry_run),
        chassis_(protocol::kDefaultCatalogue, control),
        machine_(protocol::kDefaultCatalogue, protocol::ranger_mini_3::kBitRate, options, kStart) {
    chassis_.schedule(*sim::load_scenario(protocol::kDefaultCatalogue, scenario));
  }

  // ---- The world ----
  Ms round_trip{20};
  std::optional<Ms> stalled_until;  // what the terminal sends stays on the way
  bool terminal_answers = true;
  bool chassis_is_heard = true;
  bool echoes = true;  // whether the bus acknowledges, and the chassis gets what is sent
  bool chassis_obeys = true;
  bool queue_is_full = false;
  LinkStatus link;
  Tick tick_template{};  // but for the time
  Ms tick_period{20};
  std::optional<Ms> frozen_until;  // this program does not run

  // What happens to the chassis now: "set emergency_stop".
  void chassis(std::string_view line, Ms delay = Ms(0)) {
    const std::string text =
        std::to_string(static_cast<double>((now_ + delay).count()) / 1000) + ' ' + std::string(line);
    chassis_.schedule({**sim::parse_script_line(protocol::kDefaultCatalogue, text)});
  }
  // A frame of somebody else, now.
  void foreign(std::string_view text, FrameDirection direction = FrameDirection::rx) {
    const Frame frame = *log::parse_written_frame(protocol::kDefaultCatalogue, text);
    chassis_.apply(frame);
    machine_.take(Received{frame, {}, direction, false}, clock());
  }
  // A frame of the chassis beside what it sends itself.
  void feedback(std::string_view text) {
    machine_.take(
        Received{*log::parse_written_frame(protocol::kDefaultCatalogue, text), {}, FrameDirection::rx, false},
        clock());
  }

  // An incomplete one.
  void raw_feedback(std::uint32_t id, std::uint8_t length) {
    Frame frame;
    frame.id = id;
    frame.length = length;
    machine_.take(Received{frame, {}, FrameDirection::rx, false}, clock());
  }
  // What the controller of this host says.
  void error_frame(std::uint32_t id, std::uint8_t controller = 0) {
    Frame frame;
    frame.kind = FrameKind::error;
    frame.id = id;
    frame.length = 8;
    frame.data[1] = controller;
    machine_.take(Received{frame, {}, FrameDirection::rx, false}, clock());
  }

  // ---- The operator ----
  void type(terminal::Event event) { push(now_, event); }
  void key(char32_t key, terminal::KeyAction action = terminal::KeyAction::press,
           std::uint8_t modifiers = 0) {
    type({.kind = terminal::EventKind::key, .key = key, .action = action, .modifiers = modifiers});
  }
  void release(char32_t code) { key(code, terminal::KeyAction::release); }
  void event(terminal::EventKind kind) { type({.kind = kind}); }
  // What a terminal sends, in one read, now.
  void bytes(std::string_view text) {
    for (const char byte : text) {
      if (const auto event = parser_.take(byte, clock())) push(now_, *event);
    }
    if (const auto event = parser_.end_of_read()) push(now_, *event);
  }
  // Legacy: the key goes down now and repeats; the time passes.
  void hold(char32_t code, Ms duration, Ms delay = Ms(500), Ms period = Ms(33)) {
    const Ms end = now_ + duration;
    key(code);
    run(std::min(delay, duration));
    while (now_ < end) {
      key(code);
      run(std::min(period, end - now_));
    }
  }
  // Presses A and waits until the code can have been read.
  std::optional<int> ask_for_code() {
    key(U'A');
    run(Ms(150));
    return machine_.status().code;
  }
  void type_code(int code) {
    key(U'0' + static_cast<char32_t>(code / 10));
    key(U'0' + static_cast<char32_t>(code % 10));
    key(terminal::kEnter);
  }
  bool arm() {
    run(Ms(1500));
    const auto code = ask_for_code();
    if (!code) return false;
    type_code(*code);
    run(Ms(700));
    return machine_.state() == State::armed;
  }

  // ---- Time ----
  void run(Ms duration) {
    for (const Ms end = now_ + duration; now_ < end;) {
      now_ += Ms(1);
      chassis_.advance(now_, frames_);
      for (const sim::TimedFrame& timed : frames_) {
        if (chassis_is_heard && link.state == LinkState::up)
          counted([&] { machine_.take(Received{timed.frame, {}, FrameDirection::rx, false}, clock()); });
      }
      frames_.clear();
      if (frozen_until && now_ < *frozen_until) continue;
      if (const auto event = parser_.idle(clock())) push(now_, *event);
      deliver();
      if (now_ >= next_tick_ && !ended) step();
    }
  }
  [[nodiscard]] Ms now() const { return now_; }
  [[nodiscard]] SteadyTime clock() const { return kStart + now_; }

  // ---- What came out ----
  struct SentFrame {
    Ms at;
    Frame frame;
    State state;
  };
  std::vector<SentFrame> sent;
  std::vector<std::string> events;
  std::vector<int> rules_seen;  // numbers of the main reasons, one after the other; 0: none
  std::optional<Farewell> ended;
  bool count_allocations = false;
  std::uint64_t allocated = 0;  // inside of the machine and the gate

  [[nodiscard]] Machine& machine() { return machine_; }
  [[nodiscard]] State state() const { return machine_.state(); }
  [[nodiscard]] Status status() const { return machine_.status(); }
  [[nodiscard]] const Rule* reason() const {
    const std::size_t index = main_reason(machine_.status().findings);
    return index < kRuleCount ? &rules()[index] : nullptr;
  }

  static std::int64_t raw(const Frame& frame, std::string_view signal) {
    const protocol::Message& message = *protocol::kDefaultCatalogue.find("motion_command");
    return protocol::raw_value(protocol::find_signal(message, signal)->field, frame.bytes());
  }
  static bool moves(const Frame& frame) {
    return frame.id == 0x111 && (raw(frame, "linear_velocity") != 0 || raw(frame, "angular_velocity") != 0);
  }
  // Of the frames from `from` on, as "421#01".
  [[nodiscard]] std::vector<std::string> written(Ms from = Ms(0)) const {
    std::vector<std::string> all;
    for (const SentFrame& row : sent) {
      if (row.at >= from) all.push_back(log::written_frame(row.frame));
    }
    return all;
  }
  // Of the last frame that moves the robot.
  [[nodiscard]] std::optional<Ms> last_motion() const {
    for (auto row = sent.rbegin(); row != sent.rend(); ++row) {
      if (moves(row->frame)) return row->at;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::int64_t fastest(Ms from = Ms(0)) const {
    std::int64_t most = 0;
    for (const SentFrame& row : sent) {
      if (row.frame.id == 0x111 && row.at >= from)
        most = std::max(most, std::abs(raw(row.frame, "linear_velocity")));
    }
    return most;
  }

 private:
  void push(Ms terminal_time, const terminal::Event& event) {
    const auto later = std::upper_bound(on_the_way_.begin(), on_the_way_.end(), terminal_time,
                                        [](Ms time, const auto& row) { return time < row.first; });
    on_the_way_.insert(later, {terminal_time, event});
  }

  void deliver() {
    if (stalled_until && now_ < *stalled_until) return;
    ++batch_;
    while (!on_the_way_.empty() && on_the_way_.front().first + round_trip / 2 <= now_) {
      machine_.take(on_the_way_.front().second, batch_, clock());
      on_the_way_.erase(on_the_way_.begin());
    }
  }

  // Runs a part of the loop and counts what it allocates.
  template <class Part>
  std::invoke_result_t<Part> counted(Part part) {
    const std::uint64_t before = testing::allocations();
    struct AtEnd {
      TeleopBench& bench;
      std::uint64_t before;
      ~AtEnd() {
        if (bench.count_allocations) bench.allocated += testing::allocations() - before;
      }
    } at_end{*this, before};
    return part();
  }

  void step() {
    next_tick_ = now_ + tick_period;
    if (echoes) {
      for (const Frame& frame : waiting_)
        machine_.take(Received{frame, {}, FrameDirection::tx, true}, clock());
      waiting_.clear();
    }
    machine_.take_link(link, clock());
    Tick tick = tick_template;
    tick.now = clock();
    tick.random = random_ += 37;
    const Output output = counted([&] { return machine_.step(tick); });
    counted([&] { return machine_.status().now; });
    const Rule* const why = reason();
    if (rules_seen.empty() || rules_seen.back() != (why == nullptr ? 0 : why->number))
      rules_seen.push_back(why == nullptr ? 0 : why->number);
    if (output.ask_terminal && terminal_answers)
      push(now_ + round_trip / 2, {.kind = terminal::EventKind::status_report});
    if (round_trip == Ms(0)) deliver();
    for (const Frame& frame : output.to_send()) send(frame);
    for (const Event& event : machine_.events())
      events.push_back(event_text(event, protocol::kDefaultCatalogue));
    ended = output.end;
  }

  void send(const Frame& frame) {
    if (dry_run_) return;
    if (link.state != LinkState::up) return machine_.sent(Error{ExitStatus::bus, "down"}, clock());
    if (queue_is_full) return machine_.sent(Sent::queue_full, clock());
    const Situation situation = command::situation(machine_.view(), clock());
    auto checked = counted([&] { return check_table(protocol::kDefaultCatalogue, Role::host, frame); });
    if (checked)
      checked = counted([&] { return check_situation(protocol::kDefaultCatalogue, frame, situation); });
    if (!checked) {
      refused.push_back(checked.error().message);
      return machine_.sent(checked.error(), clock());
    }
    sent.push_back({now_, frame, machine_.state()});
    machine_.sent(Sent::queued, clock());
    waiting_.push_back(frame);
    if (echoes && chassis_obeys) chassis_.apply(frame);
  }

 public:
  std::vector<std::string> refused;  // by the gate: there must be none

 private:
  bool dry_run_;
  terminal::InputParser parser_;
  sim::Chassis chassis_;
  Machine machine_;
  Ms now_{0};
  Ms next_tick_{0};
  std::uint64_t batch_ = 0;
  std::uint32_t random_ = 0;
  std::vector<sim::TimedFrame> frames_;
  std::vector<Frame> waiting_;
  std::vector<std::pair<Ms, terminal::Event>> on_the_way_;
};

}  // namespace rangerctl::teleop
