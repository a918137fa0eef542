#include <gmock/gmock.h>

#include <array>

#include "cli/protocol_json.hpp"
#include "rangerctl/explain.hpp"
#include "rangerctl/protocol/dbc.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/protocol/table.hpp"
#include "rangerctl/protocol/values.hpp"
#include "rangerctl/sim/chassis.hpp"
#include "rangerctl/sim/scenario.hpp"

/// A message is one record: what is written here, and nothing else, makes it known everywhere.
namespace rangerctl {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

constexpr std::array kArmStates{protocol::Choice{0, "folded"}, protocol::Choice{5, "reaching", "on its way"}};
constexpr std::array kArmSignals{
    protocol::Signal{
        .name = "reach", .field = protocol::i16(0), .decimals = 2, .unit = "m", .meaning = "forward"},
    protocol::Signal{.name = "arm_state", .field = protocol::bit_field(2, 4, 4), .choices = kArmStates},
};
constexpr std::array kArm{protocol::Message{.id = 0x5A5,
                                            .name = "arm_feedback",
                                            .direction = protocol::Direction::feedback,
                                            .dlc = 3,
                                            .period_ms = 50,
                                            .signals = kArmSignals,
                                            .meaning = "an arm that only this test has",
                                            .source = "this test"}};
static_assert(protocol::well_formed(kArm));
constexpr protocol::Catalogue kCatalogue("arm", "Arm", kArm);

TEST(OneRecord, Decodes) {
  const Frame frame{.id = 0x5A5, .length = 3, .data = {0xFF, 0x9C, 0x50}};
  const protocol::Message* const message = kCatalogue.find(frame);
  ASSERT_NE(message, nullptr);
  const auto text = [&](std::size_t signal) {
    const protocol::Signal& row = message->signals[signal];
    return protocol::value_text(row, protocol::raw_value(row.field, frame.bytes()));
  };
  EXPECT_EQ(text(0), "-1.00");
  EXPECT_EQ(text(1), "reaching");
}

TEST(OneRecord, Encodes) {
  Frame frame = protocol::empty_frame(kArm[0]);
  ASSERT_TRUE(protocol::set_signal(frame, kArmSignals[0], *protocol::parse_value(kArmSignals[0], "-1.00")));
  ASSERT_TRUE(
      protocol::set_signal(frame, kArmSignals[1], *protocol::parse_value(kArmSignals[1], "reaching")));
  EXPECT_EQ(frame, (Frame{.id = 0x5A5, .length = 3, .data = {0xFF, 0x9C, 0x50}}));
}

TEST(OneRecord, ExportsToDbc) {
  const std::string dbc = protocol::to_dbc(kCatalogue);
  EXPECT_THAT(dbc, HasSubstr("BO_ 1445 arm_feedback: 3 chassis\n"
                             " SG_ reach : 7|16@0- (0.01,0) [-327.68|327.67] \"m\" host\n"
                             " SG_ arm_state : 23|4@0+ (1,0) [0|15] \"\" host\n"));
  EXPECT_THAT(dbc, HasSubstr("CM_ BO_ 1445 \"an arm that only this test has. Source: this test\";\n"));
  EXPECT_THAT(dbc, HasSubstr("BA_ \"GenMsgCycleTime\" BO_ 1445 50;\n"));
  EXPECT_THAT(dbc, HasSubstr("VAL_ 1445 arm_state 0 \"folded\" 5 \"reaching\" ;\n"));
}

TEST(OneRecord, ExportsToJson) {
  const auto json = cli::protocol_json(kCatalogue);
  ASSERT_EQ(json.size(), 1U);
  EXPECT_EQ(json[0]["id"], "5A5");
  EXPECT_EQ(json[0]["name"], "arm_feedback");
  EXPECT_EQ(json[0]["period_ms"], 50);
  EXPECT_EQ(json[0]["signals"][1]["low_bit"], 4);
  EXPECT_EQ(json[0]["signals"][1]["choices"][1]["name"], "reaching");
}

TEST(OneRecord, IsListed) {
  EXPECT_EQ(protocol::to_table(kCatalogue),
            "ID   MESSAGE       FROM     DLC  PERIOD  SIGNALS\n"
            "5A5  arm_feedback  chassis    3   50 ms  reach, arm_state\n");
}

TEST(OneRecord, IsExplained) {
  const std::string message = R"(0x5A5 arm_feedback: an arm that only this test has

  sent        from the chassis, every 50 ms
  length      3 bytes
  source      this test

  reach      bytes 0-1; signed, in 0.01 m; forward
  arm_state  byte 2 bits 4-7; 0=folded, 5=reaching
)";
  EXPECT_EQ(*explain(kCatalogue, "arm_feedback"), message);
  EXPECT_EQ(*explain(kCatalogue, "0x5A5"), message);
  EXPECT_EQ(*explain(kCatalogue, "reaching"),
            "reaching: value 5 of arm_feedback.arm_state\n\n  meaning     on its way\n"
            "  message     0x5A5 arm_feedback; from the chassis, every 50 ms\n");
  EXPECT_EQ(explain_frame(kCatalogue, {.id = 0x5A5, .length = 3, .data = {0x00, 0x7B, 0x00}}),
            "5A5#007B00: arm_feedback (an arm that only this test has)\n\n"
            "  reach      1.23 m: forward\n  arm_state  folded\n");
}

TEST(OneRecord, IsSentByTheSimulator) {
  sim::Chassis chassis(kCatalogue);
  std::vector<sim::TimedFrame> frames;
  chassis.advance(999ms, frames);
  ASSERT_EQ(frames.size(), 20U);
  EXPECT_EQ(frames[0].frame, (Frame{.id = 0x5A5, .length = 3}));
}

TEST(OneRecord, TheSimulatorIgnoresWhatTheCatalogueHasNotGot) {
  sim::Chassis chassis(kCatalogue);
  chassis.schedule(*sim::load_scenario(kCatalogue, "drive"));
  chassis.schedule(*sim::load_scenario(kCatalogue, "hardware"));
  EXPECT_EQ(chassis.apply({.id = 0x421, .length = 1, .data = {1}}).command, nullptr);
  chassis.apply({.id = 0x4A1, .length = 1, .data = {1}});
  std::vector<sim::TimedFrame> frames;
  chassis.advance(999ms, frames);
  EXPECT_EQ(frames.size(), 20U);
  EXPECT_FALSE(sim::load_scenario(kCatalogue, "estop"));
}

}  // namespace
}  // namespace rangerctl
