#include <gmock/gmock.h>

#include <algorithm>

#include "command_bench.hpp"
#include "rangerctl/command/lights.hpp"

namespace rangerctl {
namespace {

using command::Lights;
using command::LightsProcedure;
using command::Report;
using protocol::kDefaultCatalogue;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Ms = Bench::Ms;

constexpr std::string_view kOn = "121#0101000000000000";
constexpr std::string_view kOff = "121#0100000000000000";
constexpr std::string_view kRelease = "121#0000000000000000";

Report lights(Bench& bench, Lights wanted, command::LightsOptions options = {}) {
  LightsProcedure procedure(kDefaultCatalogue, wanted, options);
  return bench.run(procedure);
}

std::ptrdiff_t count(const Bench& bench, std::string_view frame) {
  const auto all = bench.frames();
  return std::count(all.begin(), all.end(), frame);
}

TEST(LightsCommand, HoldsForAsLongAsItIsToldAndGivesBack) {
  Bench bench;
  const Report report = lights(bench, Lights::on, {.hold = Ms(2000)});
  EXPECT_EQ(report.status, ExitStatus::ok) << report.text;
  EXPECT_THAT(report.text, AllOf(HasSubstr("lights on: confirmed after 0.0"), HasSubstr("held for 2.00 s"),
                                 HasSubstr("given back")));
  EXPECT_EQ(bench.frames().front(), kOn);
  EXPECT_EQ(bench.frames().back(), kRelease);
  EXPECT_GE(count(bench, kOn), 100);
  for (std::size_t i = 1; i < bench.sent.size(); ++i)
    EXPECT_EQ(bench.sent[i].at - bench.sent[i - 1].at, Ms(20));
}

TEST(LightsCommand, OffIsHeldToo) {
  Bench bench;
  const Report report = lights(bench, Lights::off, {.hold = Ms(1000)});
  EXPECT_EQ(report.status, ExitStatus::ok) << report.text;
  EXPECT_EQ(bench.frames().front(), kOff);
  EXPECT_EQ(count(bench, kOn), 0);
}

TEST(LightsCommand, CtrlCGivesBack) {
  Bench bench;
  bench.stop_at(Ms(3000));
  const Report report = lights(bench, Lights::on);
  EXPECT_EQ(report.status, ExitStatus::interrupted);
  EXPECT_THAT(report.text, HasSubstr("given back"));
  EXPECT_THAT(bench.progress, ElementsAre(HasSubstr("held until Ctrl-C")));
  EXPECT_EQ(bench.frames().back(), kRelease);
}

TEST(LightsCommand, ReleaseIsConfirmed) {
  Bench bench;
  bench.foreign(kOn, Ms(0), Ms(480));
  const Report report = lights(bench, Lights::release);
  EXPECT_EQ(report.status, ExitStatus::ok) << report.text;
  EXPECT_THAT(bench.frames(), Each(kRelease));
}

TEST(LightsCommand, RefusesWithTheReason) {
  for (const std::string_view scenario : {"standby", "remote", "empty-battery"}) {
    for (const Lights wanted : {Lights::on, Lights::off, Lights::release}) {
      Bench bench(scenario);
      const Report report = lights(bench, wanted, {.hold = Ms(1000)});
      EXPECT_EQ(report.status, ExitStatus::refused) << scenario << ": " << report.text;
      EXPECT_THAT(bench.sent, IsEmpty());
    }
  }
}

TEST(LightsCommand, WithoutAConfirmationItGivesBackAndSaysSo) {
  Bench bench;
  bench.script("0.5 silence 0x231");
  const Report report = lights(bench, Lights::on, {.hold = Ms(9000)});
  EXPECT_EQ(report.status, ExitStatus::no_answer);
  EXPECT_THAT(report.text, HasSubstr("does not confirm it within 2.00 s"));
  EXPECT_EQ(bench.frames().back(), kRelease);
}

TEST(LightsCommand, LosingControlEndsIt) {
  Bench bench;
  bench.script("1.5 remote on");
  const Report report = lights(bench, Lights::on, {.hold = Ms(9000)});
  EXPECT_EQ(report.status, ExitStatus::refused);
  EXPECT_THAT(report.text, HasSubstr("control was lost"));
  EXPECT_LE(bench.now(), Ms(2600));
}

TEST(LightsCommand, FeedbackThatStopsEndsIt) {
  Bench bench;
  bench.script("1.5 silence 0x231");
  const Report report = lights(bench, Lights::on, {.hold = Ms(9000)});
  EXPECT_EQ(report.status, ExitStatus::no_answer);
  EXPECT_THAT(report.text, HasSubstr("does not show it any more"));
}

TEST(LightsCommand, ALowBatteryMayMakeThemFlash) {
  Bench bench("low-battery");
  const Report report = lights(bench, Lights::on, {.hold = Ms(5000)});
  EXPECT_EQ(report.status, ExitStatus::ok) << report.text;
}

TEST(LightsCommand, AnInterfaceThatGoesDown) {
  Bench bench;
  bench.at(Ms(1500), [](Bench& b) { b.link = {.state = LinkState::down, .outages = 1}; });
  const Report report = lights(bench, Lights::on, {.hold = Ms(9000)});
  EXPECT_EQ(report.status, ExitStatus::bus);
  EXPECT_THAT(report.text,
              AllOf(HasSubstr("confirmed after"), HasSubstr("went down"), HasSubstr("not confirmed")));
}

}  // namespace
}  // namespace rangerctl
