// The report of the faults, for somebody who was not there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "monitor_scene.hpp"
#include "rangerctl/monitor/report.hpp"

namespace rangerctl::monitor {
namespace {

using namespace scene;
using ::testing::HasSubstr;
using ::testing::Not;

std::string report(const Watched& watched, SteadyTime now) {
  return fault_report({watched, now}, {"can0", "2024-04-05 14:03:30", nullptr});
}

TEST(MonitorReport, NamesWhatWasActiveWithItsTimesAndWhatToDo) {
  Watched watched(Traffic::catalogue(), 500'000, kStart);
  Traffic traffic;
  traffic.run(watched, kStart, kStart + 1s);
  traffic.set("system_status", "errors", 1);
  traffic.set("system_status", "vehicle_state", 2);
  traffic.run(watched, kStart + 1s, kStart + 2s);
  traffic.set("system_status", "errors", 1 << 7);
  traffic.run(watched, kStart + 2s, kStart + 3s);
  const std::string text = report(watched, kStart + 3s);
  EXPECT_THAT(text, HasSubstr("rangerctl fault report of 2024-04-05 14:03:30\ncan0 up; watched for 0:00:03"));
  EXPECT_THAT(text, HasSubstr("+ battery_undervoltage (0x211 errors bit 0, clear-error 0x09)\n"
                              "    1 x, set 14:03:21.003, cleared 14:03:22.003\n"
                              "    battery voltage too low: charge the battery, then clear\n"));
  EXPECT_THAT(text, HasSubstr("! ACTIVE emergency_stop (0x211 errors bit 7, no clear code of its own)\n"
                              "    1 x, set 14:03:22.003\n"));
  EXPECT_THAT(text, HasSubstr("\nEvents, the oldest first: 4\n"
                              "14:03:21.003 vehicle_state abnormal, was normal\n"
                              "14:03:21.003 set battery_undervoltage\n"
                              "14:03:22.003 cleared battery_undervoltage\n"
                              "14:03:22.003 set emergency_stop\n"));
  EXPECT_THAT(text, HasSubstr("errors=emergency_stop"));
}

TEST(MonitorReport, OfAHealthyChassisSaysSo) {
  Watched watched(Traffic::catalogue(), 500'000, kStart);
  Traffic().run(watched, kStart, kStart + 1s);
  EXPECT_THAT(report(watched, kStart + 1s), HasSubstr("Faults that were active since the start\nnone\n"));
}

TEST(MonitorReport, NoAddressPutsAControlCharacterIntoIt) {
  const Watched watched(Traffic::catalogue(), 500'000, kStart);
  const std::string text = fault_report({watched, kStart}, {"replay:\x1b[2J", "now", nullptr});
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace rangerctl::monitor
