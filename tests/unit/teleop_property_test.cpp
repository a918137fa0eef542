// Random operators, links and chassis against teleop, and an independent judge of every frame that leaves.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "rangerctl/gate.hpp"
#include "rangerctl/log/written_frame.hpp"
#include "rangerctl/protocol/catalogue.hpp"
#include "rangerctl/protocol/values.hpp"
#include "rangerctl/teleop/machine.hpp"

namespace rangerctl::teleop {
namespace {

using namespace std::chrono_literals;
using protocol::kDefaultCatalogue;
using Ms = std::chrono::milliseconds;
using terminal::EventKind;
using terminal::KeyAction;

#if defined(RANGERCTL_SANITIZED)
constexpr int kSequences = 400;  // of each kind: under the sanitizers the code counts, not the number
#else
constexpr int kSequences = 12'500;
#endif
constexpr int kTicks = 60;
constexpr SteadyTime kStart{std::chrono::seconds(1000)};

std::int64_t raw(const Frame& frame, std::string_view signal) {
  const protocol::Message& message = *kDefaultCatalogue.find(frame.id);
  return protocol::raw_value(protocol::find_signal(message, signal)->field, frame.bytes());
}

bool moves(const Frame& frame) {
  return frame.id == 0x111 && (raw(frame, "linear_velocity") != 0 || raw(frame, "angular_velocity") != 0);
}

// A chassis that obeys at once and says so, and whatever goes wrong with it.
struct Chassis {
  std::uint8_t vehicle_state = 0;
  std::uint8_t control = 0;
  std::uint32_t errors = 0;
  std::uint8_t mode = 0;
  std::uint8_t soc = 80;
  std::uint8_t alarm = 0;
  std::uint8_t driver = 0x40;
  std::int64_t linear = 0;
  std::int64_t angular = 0;
  std::int64_t steering = 0;
  std::set<std::uint32_t> lost;  // ids that do not arrive

  static Frame frame(std::uint32_t id,
                     std::initializer_list<std::pair<std::string_view, std::int64_t>> values) {
    const protocol::Message& message = *kDefaultCatalogue.find(id);
    Frame made = protocol::empty_frame(message);
    for (const auto& [signal, value] : values)
      protocol::put_raw_value(protocol::find_signal(message, signal)->field, value, made.data);
    return made;
  }

  [[nodiscard]] std::vector<Frame> frames() const {
    const std::int64_t spin = mode >= 2 ? 936 : 0;
    const std::int64_t angle = mode == 2 ? 936 : mode == 3 ? -936 : 0;
    return {frame(0x211, {{"vehicle_state", vehicle_state}, {"control_mode", control}, {"errors", errors}}),
            frame(0x221, {{"linear_velocity", linear}, {"angular_velocity", angular}}),
            frame(0x291, {{"motion_mode", mode}}),
            frame(0x271, {{"motor5_angle", angle != 0 ? angle : steering},
                          {"motor6_angle", spin != 0 ? -angle : (mode == 1 ? steering : -steering)},
                          {"motor7_angle", angle != 0 ? angle : (mode == 1 ? steering : -steering)},
                          {"motor8_angle", angle != 0 ? -angle : steering}}),
            frame(0x361, {{"soc", soc}, {"voltage", 4900}}),
            frame(0x362, {{"alarm_1", alarm}}),
            frame(0x263, {{"driver_status", driver}})};
  }

  void obey(const Frame& command) {
    if (command.id == 0x421) control = command.data[0];
    if (control != 1) return;
    if (command.id == 0x141) mode = command.data[0];
    if (command.id != 0x111) return;
    linear = raw(command, "linear_velocity");
    angular = raw(command, "angular_velocity");
    steering = raw(command, "steering_angle");
  }
};

// What the judge knows by itself; nothing of it comes from the rules.
struct Judge {
  bool may_move = false;  // a code was typed after the last loss
  std::optional<SteadyTime> fence;
  std::array<std::optional<SteadyTime>, 3> seen;  // 0x211, 0x221, 0x291
  std::set<char32_t> down;                        // fresh motion keys
  std::optional<SteadyTime> token;                // the last fresh one
  std::optional<SteadyTime> let_go;               // when the last one went up
};

class World {
 public:
  World(const Options& options, std::uint32_t seed)
      : options_(options),
        random_(seed),
        machine_(kDefaultCatalogue, protocol::ranger_mini_3::kBitRate, options, kStart) {}

  // Up to ARMED, with everything well.
  bool arm() {
    careful_ = true;
    for (int i = 0; i < 60; ++i) tick();
    begin_to_arm();
    for (int i = 0; i < 45; ++i) tick();
    careful_ = false;
    return machine_.state() == State::armed;
  }

  void seed(std::uint32_t value) { random_.seed(value); }

  void run_at_random(int ticks) {
    for (int i = 0; i < ticks; ++i) {
      do_something();
      tick();
      if (::testing::Test::HasFailure()) return;
    }
  }

  [[nodiscard]] int moving_frames() const { return moving_frames_; }

 private:
  bool one_in(int n) { return std::uniform_int_distribution(1, n)(random_) == 1; }
  int below(int n) { return std::uniform_int_distribution(0, n - 1)(random_); }

  void send_key(char32_t key, KeyAction action = KeyAction::press) {
    to_program_.push_back({.kind = EventKind::key, .key = key, .action = action});
  }

  void send_digit(int digit) { send_key(U'0' + static_cast<char32_t>(digit)); }

  void begin_to_arm() {
    send_key(U'A');
    code_step_ = 1;
  }

  void type_code() {
    const auto code = machine_.status().code;
    if (code_step_ == 0 || stall_ > 0) return;
    if (code_step_ == 1) {
      if (!code) return;
      // The terminal has to answer once behind the code.
      code_step_ = 2;
      return;
    }
    if (++code_step_ < 6) return;
    code_step_ = 0;
    if (!code) return;
    const bool right = careful_ || !one_in(8);
    send_digit(*code / 10);
    send_digit((*code + (right ? 0 : 1)) % 10);
    send_key(terminal::kEnter);
    typed_right_ = right;
  }

  void do_something() {
    static constexpr std::array kMotionKeys{U'w', U's', U'a', U'd'};
    static constexpr std::array kOtherKeys{U' ', U'x', U'1', U'3', U'9', U'M', U'L', U'c', U'z', U'?', U'Z'};
    const char32_t motion = kMotionKeys[static_cast<std::size_t>(below(4))];
    if (one_in(2))
      send_key(one_in(2) ? U'w' : motion,
               options_.terminal.key_releases && one_in(3) ? KeyAction::repeat : KeyAction::press);
    if (options_.terminal.key_releases && one_in(6)) send_key(motion, KeyAction::release);
    if (one_in(40)) send_key(kOtherKeys[static_cast<std::size_t>(below(kOtherKeys.size()))]);
    if (one_in(150)) to_program_.push_back({.kind = EventKind::focus_out});
    if (one_in(20)) to_program_.push_back({.kind = EventKind::focus_in});
    if (one_in(300)) to_program_.push_back({.kind = EventKind::paste_start});
    if (one_in(30)) to_program_.push_back({.kind = EventKind::paste_end});
    if (machine_.state() == State::disarmed && code_step_ == 0 && one_in(10)) begin_to_arm();
    if (machine_.state() == State::fault && one_in(5)) send_key(U'c');
    if (stall_ == 0 && one_in(120)) stall_ = 1 + below(45);
    if (one_in(3)) make_trouble(below(60));
  }

  // Each may pass again; the judge remembers that it was.
  void make_trouble(int kind) {
    switch (kind) {
      case 0:
        chassis_.errors = one_in(2) ? 0x80 : std::uint32_t{1} << below(32);
        break;
      case 1:
        chassis_.vehicle_state = static_cast<std::uint8_t>(1 + below(5));
        break;
      case 2:
        chassis_.control = one_in(2) ? 3 : 0;
        break;
      case 3:
        chassis_.mode = static_cast<std::uint8_t>(below(6));
        break;
      case 4:
        chassis_.soc = static_cast<std::uint8_t>(below(20));
        break;
      case 5:
        chassis_.alarm = 2;
        break;
      case 6:
        chassis_.driver = 0x21;
        break;
      case 7:
        chassis_.lost.insert(0x211);
        break;
      case 8:
        chassis_.lost.insert(0x221);
        break;
      case 9:
        chassis_.lost.insert(0x291);
        break;
      case 10:
        queue_full_ = 1 + below(4);
        break;
      case 11:
        no_echo_ = 1 + below(15);
        break;
      case 12:
        foreign_ = true;
        break;
      case 13:
        bus_error_ = 0x040;
        break;
      case 14:
        late_ = 1 + below(6);
        break;
      case 15:
        guard_ = false;
        break;
      case 16:
        link_.state = LinkState::down;
        break;
      default:
        if (kind < 30) chassis_ = well(chassis_);
        if (kind == 18) guard_ = true, link_.state = LinkState::up;
        break;
    }
  }

  static Chassis well(Chassis chassis) {
    const Chassis fresh;
    chassis.errors = 0;
    chassis.vehicle_state = 0;
    chassis.soc = fresh.soc;
    chassis.alarm = 0;
    chassis.driver = fresh.driver;
    chassis.lost.clear();
    if (chassis.control == 3) chassis.control = 0;
    return chassis;
  }

  void tick() {
    now_ += Ms(20) * std::max(late_, 1);
    deliver_frames();
    deliver_keys();
    type_code();
    if (std::exchange(link_before_, link_.state) == LinkState::up && link_.state != LinkState::up)
      ++link_.outages;
    machine_.take_link(link_, now_);
    if (link_.state != LinkState::up || !guard_ || late_ >= 6) lose();
    Tick tick{.now = now_, .guard_alive = guard_, .random = static_cast<std::uint32_t>(random_())};
    tick.expirations = std::max(late_, 1);
    tick.late = Ms(20) * (tick.expirations - 1);
    const Output output = machine_.step(tick);
    const bool was_late = std::exchange(late_, 0) >= 2;
    watch_states();
    if (output.ask_terminal) asked_.push_back(now_);
    for (const Frame& frame : output.to_send()) judge_and_send(frame, was_late);
  }

  void deliver_frames() {
    if (link_.state != LinkState::up) return;
    for (const Frame& frame : echoes_) machine_.take(Received{frame, {}, FrameDirection::tx, true}, now_);
    echoes_.clear();
    for (const Frame& frame : chassis_.frames()) {
      if (chassis_.lost.contains(frame.id)) continue;
      machine_.take(Received{frame, {}, FrameDirection::rx, false}, now_);
      watch_frame(frame);
    }
    if (std::exchange(foreign_, false)) {
      lose();
      machine_.take(
          Received{Chassis::frame(0x111, {{"linear_velocity", 100}}), {}, FrameDirection::rx, false}, now_);
    }
    if (const auto error = std::exchange(bus_error_, 0)) {
      lose();
      Frame frame;
      frame.kind = FrameKind::error;
      frame.id = error;
      frame.length = 8;
      machine_.take(Received{frame, {}, FrameDirection::rx, false}, now_);
    }
  }

  void watch_frame(const Frame& frame) {
    if (frame.id == 0x211) {
      judge_.seen[0] = now_;
      if (chassis_.errors & ~std::uint32_t{4} || chassis_.vehicle_state != 0 || chassis_.control != 1) lose();
    }
    if (frame.id == 0x221) judge_.seen[1] = now_;
    if (frame.id == 0x291) {
      judge_.seen[2] = now_;
      if (chassis_.mode > 3) lose();
    }
    if (frame.id == 0x361 && chassis_.soc <= 10) lose();
    if (frame.id == 0x362 && chassis_.alarm != 0) lose();
  }

  // Queries are answered and keys arrive in the order in which they came to be; a stall delivers all at once.
  void deliver_keys() {
    if (stall_ > 0 && --stall_ > 0) return;
    ++batch_;
    while (!asked_.empty() && asked_.front() < now_) {
      judge_.fence = asked_.front();
      asked_.erase(asked_.begin());
      machine_.take({.kind = EventKind::status_report}, batch_, now_);
    }
    for (const terminal::Event& event : to_program_) {
      watch_key(event);
      machine_.take(event, batch_, now_);
    }
    to_program_.clear();
  }

  void watch_key(const terminal::Event& event) {
    const bool motion = event.kind == EventKind::key &&
                        (event.key == U'w' || event.key == U's' || event.key == U'a' || event.key == U'd');
    if (event.kind != EventKind::key && event.kind != EventKind::focus_in &&
        event.kind != EventKind::paste_end)
      judge_.down.clear();
    if (!motion) return;
    if (event.action == KeyAction::release) {
      if (judge_.down.erase(event.key) > 0) judge_.let_go = now_;
    } else if (judge_.fence && now_ - *judge_.fence <= 300ms) {
      if (event.action == KeyAction::press) judge_.down.insert(event.key);
      judge_.token = now_;
    }
  }

  void lose() { judge_.may_move = false; }

  void watch_states() {
    const State state = machine_.state();
    if (state == State::armed && before_ == State::arming)
      judge_.may_move = std::exchange(typed_right_, false);
    if (state == State::disarmed || state == State::fault) lose();
    before_ = state;
  }

  void judge_and_send(const Frame& frame, bool was_late) {
    if (moves(frame)) {
      ++moving_frames_;
      judge(frame, was_late);
    }
    const auto checked = check_situation(kDefaultCatalogue, frame, command::situation(machine_.view(), now_));
    ASSERT_TRUE(checked) << checked.error().message;
    if (link_.state != LinkState::up) return machine_.sent(Error{ExitStatus::bus, "down"}, now_);
    if (queue_full_ > 0) {
      --queue_full_;
      return machine_.sent(Sent::queue_full, now_);
    }
    machine_.sent(Sent::queued, now_);
    ++on_the_way_;
    if (no_echo_ > 0 && --no_echo_ >= 0) return;
    echoes_.push_back(frame);
    chassis_.obey(frame);
  }

  void judge(const Frame& frame, bool was_late) {
    const std::int64_t linear = std::abs(raw(frame, "linear_velocity"));
    const std::int64_t angular = std::abs(raw(frame, "angular_velocity"));
    const std::int64_t steering = std::abs(raw(frame, "steering_angle"));
    const std::int64_t wheel =
        std::max<std::int64_t>(linear, std::llround(std::floor(static_cast<double>(angular) * 0.3068)));
    ASSERT_TRUE(machine_.state() == State::moving || machine_.state() == State::stopping);
    ASSERT_TRUE(judge_.may_move) << "without a fresh arm after a loss";
    ASSERT_FALSE(was_late) << "after a tick was missed";
    for (const auto& seen : judge_.seen)
      ASSERT_TRUE(seen && now_ - *seen <= 200ms) << "without fresh feedback";
    ASSERT_LE(now_ - *judge_.seen[0], 100ms);
    ASSERT_LE(now_ - *judge_.seen[1], 100ms);
    ASSERT_LE(linear, options_.max_mmps);
    ASSERT_LE(wheel, options_.max_mmps);
    ASSERT_LE(angular, 3259);
    ASSERT_LE(linear, steering >= 350 ? 1000 : 2000);
    ASSERT_LE(wheel, chassis_.soc < 15 ? 300 : 2000);
    ASSERT_TRUE(judge_.fence);
    const auto bound = std::chrono::duration_cast<std::chrono::microseconds>(now_ - *judge_.fence);
    ASSERT_LE(bound, 300ms) << "with keys that can be too old";
    ASSERT_LT(wheel * bound.count(), 100 * 1'000'000) << "0.1 m";
    ASSERT_TRUE(judge_.token);
    if (options_.terminal.key_releases) {
      const bool ramp = judge_.let_go && now_ - *judge_.let_go <= 320ms;
      ASSERT_TRUE(!judge_.down.empty() || ramp) << "with no key down";
    } else {
      ASSERT_LE(now_ - *judge_.token, 300ms + 320ms) << "without a key";
    }
  }

  Options options_;
  std::mt19937 random_;
  Machine machine_;
  Judge judge_;
  Chassis chassis_;
  SteadyTime now_ = kStart;
  State before_ = State::disarmed;
  std::vector<SteadyTime> asked_;
  std::vector<terminal::Event> to_program_;
  std::vector<Frame> echoes_;
  std::uint64_t batch_ = 0;
  int code_step_ = 0;
  bool careful_ = false;  // the code is typed right
  bool typed_right_ = false;
  int stall_ = 0;
  int queue_full_ = 0;
  int no_echo_ = 0;
  int late_ = 0;
  bool foreign_ = false;
  bool guard_ = true;
  std::uint32_t bus_error_ = 0;
  LinkStatus link_;
  LinkState link_before_ = LinkState::up;
  int on_the_way_ = 0;
  int moving_frames_ = 0;
};

struct Kind {
  const char* name;
  bool key_releases;
  int max_mmps;
  std::uint32_t first_seed;
};

class TeleopProperty : public ::testing::TestWithParam<Kind> {};

// No command that moves is ever produced in DISARMED, ARMING, ARMED or FAULT, after a stale key, without
// fresh feedback, above a limit, or without a fresh arm after any loss.
TEST_P(TeleopProperty, NothingMovesThatMust) {
  const Kind& kind = GetParam();
  Options options{.max_mmps = kind.max_mmps, .max_was_given = kind.max_mmps > 900};
  options.terminal = {.answers = true, .key_releases = kind.key_releases};
  World armed(options, kind.first_seed);
  ASSERT_TRUE(armed.arm());
  std::int64_t moving = 0;
  for (int i = 0; i < kSequences; ++i) {
    const auto seed = kind.first_seed + static_cast<std::uint32_t>(i);
    SCOPED_TRACE("seed " + std::to_string(seed));
    World world = armed;
    world.seed(seed);
    world.run_at_random(kTicks);
    moving += world.moving_frames();
    if (HasFailure()) return;
  }
  std::cout << kSequences << " sequences from seed " << kind.first_seed << ": " << moving
            << " frames that move\n";
  EXPECT_GT(moving, kSequences) << "most sequences must move, or they judge nothing";
}

INSTANTIATE_TEST_SUITE_P(
    Keyboards, TeleopProperty,
    ::testing::Values(Kind{"kitty1", true, 900, 1'000'000}, Kind{"kitty2", true, 2000, 2'000'000},
                      Kind{"kitty3", true, 900, 3'000'000}, Kind{"kitty4", true, 2000, 4'000'000},
                      Kind{"legacy1", false, 900, 5'000'000}, Kind{"legacy2", false, 2000, 6'000'000},
                      Kind{"legacy3", false, 900, 7'000'000}, Kind{"legacy4", false, 2000, 8'000'000}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace rangerctl::teleop
