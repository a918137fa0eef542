#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "monitor_scene.hpp"
#include "rangerctl/error_frame.hpp"
#include "rangerctl/monitor/snapshot.hpp"

namespace rangerctl::monitor {
namespace {

using namespace scene;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

constexpr SteadyTime kNow = kStart + 2s;
const SnapshotHead kHead{"can0", {1712345678, 123'456'000, 6}};

State some_state() {
  State state{Traffic::catalogue(), 500'000, kStart};
  Traffic traffic;
  traffic.set("system_status", "control_mode", 3);
  traffic.set("system_status", "battery_voltage", 500);
  traffic.set("system_status", "errors", (1 << 7) | (1 << 9));
  traffic.set("motion_feedback", "linear_velocity", 150);
  traffic.set("motion_mode_feedback", "motion_mode", 9);
  traffic.set("bms_status", "voltage", 4920);
  traffic.silence("bms_alarms");
  traffic.silence("wheel_speed_feedback");
  traffic.run(state, kStart, kNow);
  reduce(state, data_frame(0x281, {0, 100, 0, 100, 0, 100, 0, 100}), kStart + 1500ms);
  reduce(state, data_frame(0x212, {0, 7, 1, 2}), kNow - 100ms);
  reduce(state, data_frame(0x221, {1}), kNow - 100ms);
  reduce(state, error_frame(kErrorController, 0x10), kNow - 250ms);
  take_link(state, {LinkState::up, 3, 0, 0}, kNow);
  return state;
}

Json message(const Json& snapshot, std::string_view name) {
  for (const Json& row : snapshot["messages"]) {
    if (row["message"] == name) return row;
  }
  return nullptr;
}

TEST(Snapshot, JsonSaysWhatIsKnownAndNothingElse) {
  const Json snapshot = Json::parse(snapshot_json(some_state(), kNow, kHead));
  EXPECT_EQ(snapshot["address"], "can0");
  EXPECT_EQ(snapshot["link"].dump(), R"({"state":"up","dropped":3,"unreadable":0,"outages":0})");
  EXPECT_EQ(snapshot["messages"].size(), 27U) << "commands that nobody sent are left out";

  const Json status = message(snapshot, "system_status");
  EXPECT_EQ(status["id"], "211");
  EXPECT_EQ(status["rate"], 50.0);
  EXPECT_EQ(status["stale"], false);
  EXPECT_EQ(status["signals"]["vehicle_state"], "normal");
  EXPECT_EQ(status["signals"]["control_mode"], "remote");
  EXPECT_EQ(status["signals"]["errors"].dump(), R"(["emergency_stop","bit9"])");
  EXPECT_EQ(message(snapshot, "motion_mode_feedback")["signals"]["motion_mode"], 9);
  EXPECT_EQ(message(snapshot, "motion_feedback")["short"], 1);

  const Json stale = message(snapshot, "wheel_speed_feedback");
  EXPECT_EQ(stale["stale"], true);
  EXPECT_EQ(stale["age"], 0.5);
  EXPECT_TRUE(stale["signals"].is_null());
  const Json never = message(snapshot, "bms_alarms");
  EXPECT_TRUE(never["age"].is_null());
  EXPECT_TRUE(never["rate"].is_null());
  EXPECT_TRUE(never["signals"].is_null());

  EXPECT_EQ(snapshot["other_ids"].dump(),
            R"([{"id":"212","kind":"data","rate":null,"age":0.1,"count":1,"data":"00070102"}])");
  const Json& errors = snapshot["error_frames"];
  EXPECT_EQ(errors["count"], 1);
  EXPECT_EQ(errors["classes"].dump(), R"({"controller_problem":1})");
  EXPECT_EQ(errors["last"], "controller_problem (rx_error_passive)");
  EXPECT_EQ(errors["age"], 0.25);
  EXPECT_EQ(snapshot["bus"]["controller"], "error_passive");
}

TEST(Snapshot, JsonNumbersHaveTheirDecimals) {
  const std::string text = snapshot_json(some_state(), kNow, kHead);
  EXPECT_THAT(text, HasSubstr(R"("time":1712345678.123456,)"));
  EXPECT_THAT(text, HasSubstr(R"("battery_voltage":50.0,)"));
  EXPECT_THAT(text, HasSubstr(R"("linear_velocity":0.150,)"));
  EXPECT_THAT(text, HasSubstr(R"("voltage":49.20,)"));
}

TEST(Snapshot, JsonIsValidForAnyAddress) {
  const std::string text = snapshot_json(some_state(), kNow, {"replay:\"\x1b\\\xFF", {1, 2, 6}});
  EXPECT_TRUE(Json::accept(text));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(Snapshot, TextHasOneLineAMessage) {
  const std::string text = snapshot_text(some_state(), kNow, kHead);
  EXPECT_THAT(text, HasSubstr("link can0 up, ERROR-PASSIVE\n"));
  EXPECT_THAT(text, HasSubstr(" lost 3\n"));
  EXPECT_THAT(text, HasSubstr("\n211 system_status             50.0/s  17ms       vehicle_state=normal "
                              "control_mode=remote battery_voltage=50.0 V errors=emergency_stop,bit9\n"));
  EXPECT_THAT(text, HasSubstr("\n281 wheel_speed_feedback      ----/s stale 500ms motor1_speed=---- m/s "));
  EXPECT_THAT(text,
              HasSubstr("\n362 bms_alarms                ----/s never       alarm_1=---- alarm_2=---- "));
  EXPECT_THAT(text, HasSubstr("\n212  ----/s 100ms       [4] 00 07 01 02\n"));
  EXPECT_THAT(text, HasSubstr("short 1  RTR 0  29-bit 0  FD 0\n"));
  EXPECT_THAT(text, HasSubstr("error frames 1 last controller_problem (rx_error_passive)\n"));
}

TEST(Snapshot, TextSteersNoTerminal) {
  EXPECT_THAT(snapshot_text(some_state(), kNow, {"\x1b[2J", {1, 2, 6}}), HasSubstr("link \\x1B[2J "));
}

}  // namespace
}  // namespace rangerctl::monitor
