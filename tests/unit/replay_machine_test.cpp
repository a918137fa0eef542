#include <gmock/gmock.h>

#include <algorithm>

#include "motion_endings.hpp"
#include "rangerctl/replay/machine.hpp"

namespace rangerctl::replay {
namespace {

using namespace std::chrono_literals;
using protocol::kDefaultCatalogue;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Ms = Bench::Ms;

constexpr std::string_view kStatus = "211#000101F100000000";
constexpr std::string_view kSpeed = "221#0000000000000000";

Item item(std::string_view frame, Ms offset) {
  const Frame parsed = *log::parse_written_frame(kDefaultCatalogue, frame);
  return {parsed, role_of(kDefaultCatalogue, parsed), 0, offset};
}

Plan plan_of(const std::vector<Item>& items) {
  Plan plan;
  plan.frames = items.size();
  plan.length = items.empty() ? 0ns : items.back().offset;
  for (const Item& one : items) {
    plan.with_commands = plan.with_commands || one.role == Role::host;
    if (one.role == Role::host && commands_motion(kDefaultCatalogue, one.frame)) ++plan.moving;
  }
  return plan;
}

// ---- Without a chassis --------------------------------------------------------------------------------

struct SentAt {
  std::chrono::microseconds at;
  std::string frame;
  bool operator==(const SentAt&) const = default;
};
void PrintTo(const SentAt& row, std::ostream* out) { *out << row.at.count() << " us " << row.frame; }

/// The loop around the machine on a bus with nobody, on a clock that goes from wake to wake.
class Player {
 public:
  explicit Player(std::vector<Item> items) : items_(std::move(items)), plan(plan_of(items_)) {}

  command::Report play(std::chrono::microseconds limit = 1h) {
    Machine machine(kDefaultCatalogue, plan);
    command::View view(kDefaultCatalogue, 500'000, Bench::kStart);
    for (SteadyTime now = Bench::kStart; now - Bench::kStart < limit;) {
      before_step(machine, now - Bench::kStart);
      const Item* const next = at_ < items_.size() ? &items_[at_] : nullptr;
      Step step = machine.step(view, next, now);
      warnings.insert(warnings.end(), step.warnings.begin(), step.warnings.end());
      if (step.kind == Step::Kind::end) return step.report;
      if (step.kind == Step::Kind::rewind) at_ = 0;
      if (step.kind == Step::Kind::skip) ++at_;
      if (step.kind == Step::Kind::wait)
        now = std::clamp(step.wake, now + 100us, std::max(now + 100us, now + nap)) +
              oversleep(now - Bench::kStart);
      if (step.kind == Step::Kind::send && machine.sent(send(step, now), now)) ++at_;
    }
    return {ExitStatus::failed, "endless"};
  }

 private:
  Result<Sent> send(const Step& step, SteadyTime now) {
    Result<Sent> result = transmit(now - Bench::kStart);
    if (result && *result == Sent::queued)
      sent.push_back({std::chrono::duration_cast<std::chrono::microseconds>(now - Bench::kStart),
                      log::written_frame(step.frame)});
    return result;
  }

  std::vector<Item> items_;
  std::size_t at_ = 0;

 public:
  Plan plan;
  std::chrono::milliseconds nap{20};
  std::function<Result<Sent>(SteadyTime::duration)> transmit = [](auto) { return Sent::queued; };
  std::function<std::chrono::microseconds(SteadyTime::duration)> oversleep = [](auto) { return 0us; };
  std::function<void(Machine&, SteadyTime::duration)> before_step = [](auto&, auto) {};
  std::vector<SentAt> sent;
  std::vector<std::string> warnings;
};

std::vector<Item> three() { return {item(kStatus, Ms(0)), item(kSpeed, Ms(7)), item(kStatus, Ms(100))}; }

TEST(ReplayMachine, ListensAndThenSendsAtTheLogsOwnTimes) {
  Player player(three());
  const auto report = player.play();
  EXPECT_EQ(report.status, ExitStatus::ok);
  EXPECT_EQ(report.text, "replay: 3 frames sent, at most 0.00 ms late");
  EXPECT_EQ(report.result, "sent");
  EXPECT_THAT(player.sent,
              ElementsAre(SentAt{600ms, std::string(kStatus)}, SentAt{607ms, std::string(kSpeed)},
                          SentAt{700ms, std::string(kStatus)}));
}

TEST(ReplayMachine, ALateFrameDelaysNoOther) {
  Player player(three());
  player.oversleep = [](SteadyTime::duration at) { return at == 600ms ? 50ms : 0us; };
  EXPECT_THAT(player.play().text, HasSubstr("at most 50.00 ms late"));
  EXPECT_EQ(player.sent.at(1).at, 657ms);
  EXPECT_EQ(player.sent.at(2).at, 700ms);
}

/// An hour of frames 1 ms apart, each sleep a little too long: the last one is not later than any other.
TEST(ReplayMachine, AnHourDoesNotDrift) {
  std::vector<Item> items;
  for (int i = 0; i <= 3'600'000; i += 100) items.push_back(item(kStatus, Ms(i)));
  Player player(std::move(items));
  player.nap = 1h;
  player.oversleep = [](auto) { return 90us; };
  player.play(2h);
  EXPECT_EQ(player.sent.back().at - player.sent.front().at, 3'600'000ms + 90us);
}

TEST(ReplayMachine, SpeedAndPasses) {
  Player player(three());
  player.plan.speed = *Speed::parse("2");
  player.plan.passes = 3;
  EXPECT_THAT(player.play().text, HasSubstr("9 frames sent in 3 passes"));
  // A pass takes 50 ms, and from one to the next it is the mean of 25 ms.
  ASSERT_THAT(player.sent, SizeIs(9));
  EXPECT_EQ(player.sent[2].at, 650ms);
  EXPECT_EQ(player.sent[3].at, 675ms);
  EXPECT_EQ(player.sent[8].at, 800ms);
}

TEST(ReplayMachine, WithoutAnEndUntilItIsStopped) {
  Player player({item(kStatus, Ms(0))});
  player.plan.passes = 0;
  player.before_step = [](Machine& machine, SteadyTime::duration at) {
    if (at >= 700ms) machine.stop({ExitStatus::interrupted, "stopped"});
  };
  const auto report = player.play();
  EXPECT_EQ(report.status, ExitStatus::interrupted);
  EXPECT_EQ(report.result, "stopped");
  EXPECT_THAT(report.text, AllOf(HasSubstr("100 frames sent in 101 passes"), HasSubstr("; stopped")));
}

TEST(ReplayMachine, AFullQueueIsWaitedForInOrder) {
  Player player(three());
  player.transmit = [](SteadyTime::duration at) {
    return at >= 605ms && at < 615ms ? Sent::queue_full : Sent::queued;
  };
  EXPECT_THAT(player.play().text, HasSubstr("8 waits for a full transmit queue"));
  EXPECT_EQ(player.sent.at(1), (SentAt{615ms, std::string(kSpeed)}));
  EXPECT_EQ(player.sent.at(2).at, 700ms);
}

TEST(ReplayMachine, ABusThatTakesNothingIsSaidOnceAndWaitedFor) {
  Player player(three());
  player.transmit = [](SteadyTime::duration at) { return at < 60s ? Sent::queue_full : Sent::queued; };
  const auto report = player.play();
  EXPECT_EQ(report.status, ExitStatus::ok);
  EXPECT_THAT(player.warnings, ElementsAre(HasSubstr("taken no frame for 5 s")));
  EXPECT_THAT(report.text, HasSubstr("held up 1 time"));
  // What follows is not sent in a burst.
  ASSERT_THAT(player.sent, SizeIs(3));
  EXPECT_EQ(player.sent[2].at - player.sent[1].at, 93ms);
}

TEST(ReplayMachine, ASuspendedProcessGoesOnWhereItWas) {
  Player player(three());
  player.oversleep = [](SteadyTime::duration at) { return at == 600ms ? 10s : 0us; };
  EXPECT_THAT(player.play().text, HasSubstr("held up 1 time"));
  EXPECT_EQ(player.sent.at(2).at - player.sent.at(1).at, 93ms);
}

TEST(ReplayMachine, AnInterfaceThatTakesNoneEndsIt) {
  Player player(three());
  player.transmit = [](SteadyTime::duration at) {
    return at < 605ms ? Result<Sent>(Sent::queued) : Error{ExitStatus::bus, "cannot send"};
  };
  const auto report = player.play();
  EXPECT_EQ(report.status, ExitStatus::bus);
  EXPECT_EQ(report.result, "ended");
  EXPECT_THAT(report.text, HasSubstr("1 frame sent, at most 0.00 ms late; cannot send"));
}

TEST(ReplayMachine, FeedbackOfAnyoneElseIsNeverAcceptedWithoutCommands) {
  Machine machine(kDefaultCatalogue, plan_of(three()));
  EXPECT_FALSE(machine.accepts_feedback());
  Player player(three());
  player.before_step = [](Machine& m, SteadyTime::duration at) {
    if (at >= 100ms) m.stop({ExitStatus::refused, "a chassis"});
  };
  const auto report = player.play();
  EXPECT_EQ(report.status, ExitStatus::refused);
  EXPECT_EQ(report.result, "not_sent");
  EXPECT_EQ(report.text, "replay: a chassis; nothing was sent");
  EXPECT_THAT(player.sent, IsEmpty());
}

TEST(ReplayMachine, ByStepAFrameLeavesWhenItIsAskedFor) {
  Player player(three());
  player.plan.by_step = true;
  bool asked = false;
  player.before_step = [&asked](Machine& machine, SteadyTime::duration at) {
    if (at >= 5s && !std::exchange(asked, true)) machine.permit(2);
    if (at >= 9s) machine.stop({ExitStatus::ok, "ended"});
  };
  const auto report = player.play();
  EXPECT_THAT(report.text, HasSubstr("2 frames sent; ended"));
  EXPECT_EQ(report.status, ExitStatus::ok);
  EXPECT_THAT(player.sent, SizeIs(2));
  EXPECT_EQ(player.sent.at(0).at, player.sent.at(1).at);
}

TEST(ReplayMachine, CommandsThatDoNotMoveLeaveWhereNobodyIs) {
  Player player({item(kStatus, Ms(0)), item("421#01", Ms(10))});
  const auto report = player.play();
  EXPECT_THAT(player.sent, SizeIs(2));
  EXPECT_EQ(report.status, ExitStatus::ok);
}

// ---- With the simulated chassis ---------------------------------------------------------------------------

/// The machine on the bench of the commands, whose bus takes the host's frames alone.
class OnBench : public command::Procedure {
 public:
  /// `moving`: of how many motions the plan knows; without it of all.
  explicit OnBench(std::vector<Item> items, std::optional<std::uint64_t> moving = std::nullopt)
      : items_(std::move(items)), machine_(kDefaultCatalogue, plan_of_all(items_, moving)) {}

  command::Action step(const command::View& view, SteadyTime now) override {
    if (view.chassis.last_feedback && !machine_.accepts_feedback())
      machine_.stop({ExitStatus::refused, "a chassis appeared"});
    while (true) {
      Step step = machine_.step(view, at_ < items_.size() ? &items_[at_] : nullptr, now);
      if (step.kind == Step::Kind::end) return {.warnings = step.warnings, .end = step.report};
      if (step.kind == Step::Kind::wait) return {.wake = step.wake, .warnings = step.warnings};
      if (step.kind == Step::Kind::send && step.role == Role::host)
        return {.frame = step.frame, .wake = step.wake};
      if (step.kind == Step::Kind::send) {
        feedback.push_back(log::written_frame(step.frame));
        machine_.sent(Sent::queued, now);
      }
      ++at_;
    }
  }
  void sent(const Result<Sent>& result, SteadyTime now) override {
    if (machine_.sent(result, now)) ++at_;
  }
  void stop(const Error& why) override { machine_.stop(why); }

  std::vector<std::string> feedback;

 private:
  static Plan plan_of_all(const std::vector<Item>& items, std::optional<std::uint64_t> moving) {
    Plan plan = plan_of(items);
    plan.moving = moving.value_or(plan.moving);
    return plan;
  }

  std::vector<Item> items_;
  std::size_t at_ = 0;
  Machine machine_;
};

/// Two seconds of driving, with feedback in between.
std::vector<Item> drive(std::string_view motion = kForward) {
  std::vector<Item> items;
  for (int i = 0; i < 100; ++i) {
    items.push_back(item(motion, Ms(20 * i)));
    items.push_back(item(kSpeed, Ms(20 * i + 3)));
  }
  return items;
}

TEST(ReplayCommands, LeaveAtTheirTimesAndEndWithZeros) {
  Bench bench;
  OnBench replay(drive());
  const auto report = bench.run(replay);
  EXPECT_EQ(report.status, ExitStatus::ok) << report.text;
  EXPECT_THAT(report.text, AllOf(HasSubstr("100 frames sent"), HasSubstr("left out: 100 feedback frames"),
                                 HasSubstr("stopped with 5 zero frames")));
  EXPECT_THAT(replay.feedback, IsEmpty()) << "the chassis that is there has its own";
  ASSERT_THAT(bench.sent, SizeIs(105));
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(bench.sent[static_cast<std::size_t>(i)],
              (Bench::SentFrame{Ms(600 + 20 * i), std::string(kForward)}));
  EXPECT_THAT(last_five(bench), Each(kZeros));
}

TEST(ReplayCommands, EverythingThatEndsThemEndsThemWithFiveZeros) {
  for (const MotionEnding& ending : motion_endings()) {
    SCOPED_TRACE(ending.name);
    Bench bench;
    ending.prepare(bench);
    OnBench replay(drive());
    const auto report = bench.run(replay);
    EXPECT_EQ(report.status, ending.status) << report.text;
    EXPECT_THAT(report.text, AllOf(HasSubstr(ending.reason), HasSubstr("stopped with 5 zero frames")));
    EXPECT_THAT(last_five(bench), Each(kZeros));
    EXPECT_LT(bench.sent.size(), 60U);
    EXPECT_EQ(bench.sent.at(bench.sent.size() - 6).frame, kForward);
  }
}

TEST(ReplayCommands, ABusThatDoesNotAcknowledgeHasThreeFramesAtMost) {
  Bench bench;
  bench.at(Ms(1000), [](Bench& b) { b.echoes = false; });
  OnBench replay(drive());
  const auto report = bench.run(replay);
  EXPECT_EQ(report.status, ExitStatus::no_answer) << report.text;
  EXPECT_THAT(report.text, AllOf(HasSubstr("does not acknowledge"), HasSubstr("could not be confirmed")));
  const auto late = std::count_if(bench.sent.begin(), bench.sent.end(), [](const Bench::SentFrame& row) {
    return row.at >= Ms(1000) && row.frame == kForward;
  });
  EXPECT_EQ(late, 3);
}

TEST(ReplayCommands, NothingLeavesWhereAMotionCannotBe) {
  struct Row {
    sim::ControlMode mode;
    std::string_view line;
    ExitStatus status;
    std::string_view reason;
  };
  for (const Row& row :
       {Row{sim::ControlMode::standby, "0.0 remote off", ExitStatus::refused, "standby"},
        Row{sim::ControlMode::can, "0.0 set emergency_stop", ExitStatus::refused, "emergency_stop"},
        Row{sim::ControlMode::can, "0.0 remote on", ExitStatus::refused, "remote control"}}) {
    Bench bench("normal", row.mode);
    bench.script(row.line);
    OnBench replay(drive());
    const auto report = bench.run(replay);
    EXPECT_EQ(report.status, row.status) << report.text;
    EXPECT_THAT(report.text, AllOf(HasSubstr(row.reason), HasSubstr("nothing was sent")));
    EXPECT_THAT(bench.sent, IsEmpty());
  }
}

TEST(ReplayCommands, AMotionThatMeetsAFullQueueIsDropped) {
  Bench bench;
  bench.at(Ms(1000), [](Bench& b) { b.queue_is_full = true; });
  bench.at(Ms(1100), [](Bench& b) { b.queue_is_full = false; });
  OnBench replay(drive());
  const auto report = bench.run(replay);
  EXPECT_EQ(report.status, ExitStatus::ok) << report.text;
  EXPECT_THAT(report.text,
              AllOf(HasSubstr("95 frames sent"), HasSubstr("5 motion commands that could not leave")));
  EXPECT_THAT(report.text, Not(HasSubstr("waits")));
}

/// A command that waits holds up the motion behind it, which is then too late.
TEST(ReplayCommands, AMotionThatIsLateIsDroppedAndAZeroIsNot) {
  Bench bench;
  bench.at(Ms(590), [](Bench& b) { b.queue_is_full = true; });
  bench.at(Ms(700), [](Bench& b) { b.queue_is_full = false; });
  OnBench replay({item("121#0000000000000000", Ms(0)), item(kForward, Ms(10)), item(kZeros, Ms(20)),
                  item(kForward, Ms(90)), item(kForward, Ms(130))});
  const auto report = bench.run(replay);
  EXPECT_THAT(report.text, HasSubstr("1 motion command that could not leave in time"));
  EXPECT_THAT(bench.frames(), ElementsAre("121#0000000000000000", kZeros, kForward, kForward, kZeros, kZeros,
                                          kZeros, kZeros, kZeros));
}

/// What a session ends with must not look like a loss of control; the zeros come all the same.
TEST(ReplayCommands, StandbyBehindTheLastMotionIsNoTrouble) {
  for (const Ms after_zero : {Ms(20), Ms(1000)}) {
    auto items = drive();
    items.push_back(item(kZeros, Ms(2000)));
    items.push_back(item("421#00", Ms(2000) + after_zero));
    items.push_back(item("441#09", Ms(2300) + after_zero));
    Bench bench;
    OnBench replay(items);
    const auto report = bench.run(replay);
    EXPECT_EQ(report.status, ExitStatus::ok) << report.text;
    EXPECT_THAT(report.text, AllOf(HasSubstr("103 frames sent"), HasSubstr("stopped with 5 zero frames")));
    EXPECT_THAT(last_five(bench), Each(kZeros));
  }
}

/// Between two motions, when the chassis has long come to rest.
TEST(ReplayCommands, AFaultInAPauseKeepsTheNextMotionBack) {
  Bench bench;
  bench.script("3.0 set emergency_stop");
  OnBench replay({item(kForward, Ms(0)), item(kForward, Ms(5000))});
  const auto report = bench.run(replay);
  EXPECT_EQ(report.status, ExitStatus::refused) << report.text;
  EXPECT_THAT(bench.frames(), ElementsAre(kForward, kZeros, kZeros, kZeros, kZeros, kZeros));
}

TEST(ReplayCommands, AnotherControllerThatMovesTheChassisEndsAnyOfThem) {
  Bench bench;
  bench.foreign(kForward, Ms(1000), Ms(5000));
  OnBench replay({item("441#09", Ms(0)), item("441#0A", Ms(2000))});
  const auto report = bench.run(replay);
  EXPECT_EQ(report.status, ExitStatus::refused) << report.text;
  EXPECT_THAT(report.text, HasSubstr("another controller moves the chassis"));
  EXPECT_THAT(bench.frames(), ElementsAre("441#09"));
}

TEST(ReplayCommands, AMotionWithoutAChassisIsRefusedWithAdvice) {
  Bench bench;
  bench.script("0.0 silence all");
  OnBench replay(drive());
  const auto report = bench.run(replay);
  EXPECT_EQ(report.status, ExitStatus::no_answer);
  EXPECT_THAT(report.text,
              AllOf(HasSubstr("no system_status (0x211) arrives"), HasSubstr("nothing was sent")));
  EXPECT_THAT(bench.sent, IsEmpty());
}

TEST(ReplayCommands, MotionsComeNoFasterThanSendAllows) {
  std::vector<Item> items;
  for (int i = 0; i < 100; ++i) items.push_back(item(kForward, Ms(i)));
  Bench bench;
  OnBench replay(items);
  const auto report = bench.run(replay);
  EXPECT_THAT(report.text, HasSubstr("90 motion commands that could not leave"));
  EXPECT_THAT(bench.sent, SizeIs(10 + 5));
  EXPECT_EQ(bench.sent[1].at - bench.sent[0].at, Ms(10));
}

/// The plan came from a look through the log, which another program may have written to since.
TEST(ReplayCommands, AMotionThatWasNotThereBeforeEndsIt) {
  Bench bench;
  OnBench replay({item("441#09", Ms(0)), item(kForward, Ms(100))}, 0);
  const auto report = bench.run(replay);
  EXPECT_EQ(report.status, ExitStatus::failed) << report.text;
  EXPECT_THAT(bench.frames(), ElementsAre("441#09"));
}

TEST(ReplayCommands, ACommandIsOfferedForASecondAndNoLonger) {
  Bench bench;
  bench.at(Ms(550), [](Bench& b) { b.queue_is_full = true; });
  bench.at(Ms(5000), [](Bench& b) { b.queue_is_full = false; });
  OnBench replay({item("441#09", Ms(0))});
  const auto report = bench.run(replay);
  EXPECT_EQ(report.status, ExitStatus::no_answer) << report.text;
  EXPECT_THAT(report.text, HasSubstr("transmit queue is full"));
  EXPECT_THAT(bench.sent, IsEmpty());
}

TEST(ReplayCommands, AComputerThatWasSuspendedSendsNoneOfTheRest) {
  Bench bench;
  bench.asleep_from = Ms(1000);
  bench.awake_again = Ms(9000);
  OnBench replay({item("441#09", Ms(0)), item("441#0A", Ms(2000))});
  const auto report = bench.run(replay);
  EXPECT_EQ(report.status, ExitStatus::failed) << report.text;
  EXPECT_THAT(bench.frames(), ElementsAre("441#09"));
}

TEST(ReplayCommands, WhereNoMotionCouldLeaveThatIsNoSuccess) {
  Bench bench;
  bench.at(Ms(550), [](Bench& b) { b.queue_is_full = true; });
  OnBench replay(drive());
  EXPECT_EQ(bench.run(replay).status, ExitStatus::no_answer);
}

TEST(ReplayCommands, OthersAreSentOnceToAChassisInStandby) {
  Bench bench("normal", sim::ControlMode::standby);
  OnBench replay({item("421#01", Ms(0)), item(kStatus, Ms(5)), item("441#09", Ms(10))});
  const auto report = bench.run(replay);
  EXPECT_EQ(report.status, ExitStatus::ok) << report.text;
  EXPECT_THAT(bench.frames(), ElementsAre("421#01", "441#09"));
}

}  // namespace
}  // namespace rangerctl::replay
