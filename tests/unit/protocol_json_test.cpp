#include "cli/protocol_json.hpp"

#include <gtest/gtest.h>

#include "rangerctl/protocol/catalogue.hpp"
#include "rangerctl/protocol/table.hpp"

namespace rangerctl {
namespace {

using protocol::kDefaultCatalogue;

nlohmann::ordered_json find(std::string_view id) {
  for (const auto& message : cli::protocol_json(kDefaultCatalogue)) {
    if (message["id"] == id) return message;
  }
  return {};
}

TEST(ProtocolJson, HasEveryMessage) {
  EXPECT_EQ(cli::protocol_json(kDefaultCatalogue).size(), 33U);
  EXPECT_EQ(cli::protocol_json(protocol::Catalogue("none", "None", {})).dump(), "[]");
}

TEST(ProtocolJson, SaysEverythingOfAMessage) {
  EXPECT_EQ(
      find("423").dump(),
      R"({"id":"423","name":"drive_mode_command","direction":"command","dlc":1,)"
      R"("meaning":"current or voltage drive of the motors","source":"user manual V1.0.1, section 3.2",)"
      R"("signals":[{"name":"drive_mode","byte":0,"bytes":1,"low_bit":0,"bits":8,"signed":false,)"
      R"("decimals":0,"min":0,"max":1,"choices":[{"value":0,"name":"current"},{"value":1,"name":"voltage"}],)"
      R"("meaning":"only in park"}]})");
  EXPECT_EQ(find("111")["timeout_ms"], 500);
  EXPECT_EQ(find("261")["period_ms"], 100);
  EXPECT_EQ(find("261")["direction"], "feedback");
}

TEST(ProtocolJson, NumbersAreTheExactDecimals) {
  EXPECT_EQ(find("111")["signals"][1]["max"].dump(), "3.259");
  EXPECT_EQ(find("111")["signals"][1]["min"].dump(), "-3.259");
  EXPECT_EQ(find("211")["signals"][3]["max"].dump(), "4294967295");
  EXPECT_EQ(find("361")["signals"][2]["max"].dump(), "655.35");
  EXPECT_EQ(find("361")["signals"][2]["fine_above"], 1000);
  EXPECT_EQ(find("311")["signals"][0]["min"].dump(), "-2147483.648");
}

TEST(ProtocolJson, FlagsCarryRemedyAndClearCode) {
  const auto errors = find("211")["signals"][3]["flags"];
  EXPECT_EQ(errors.size(), 20U);
  EXPECT_EQ(errors[0].dump(), R"({"bit":0,"name":"battery_undervoltage","meaning":"battery voltage too low",)"
                              R"("remedy":"charge the battery, then clear","clear_code":9})");
  EXPECT_FALSE(errors[7].contains("clear_code")) << "emergency_stop has none";
}

TEST(ProtocolTable, IsATableOfEightyColumns) {
  const std::string table = protocol::to_table(kDefaultCatalogue);
  EXPECT_EQ(table.substr(0, table.find("121")),
            "ID   MESSAGE                  FROM     DLC  PERIOD  SIGNALS\n"
            "111  motion_command           host       8   20 ms  linear_velocity,\n"
            "                                                    angular_velocity,\n"
            "                                                    steering_angle\n");
  EXPECT_NE(table.find("\n241  remote_control_feedback  chassis    8   20 ms  swa, swb, swc, swd,\n"),
            table.npos);
  EXPECT_NE(table.find("\n441  clear_error_command      host       1       -  error\n"), table.npos);
  for (std::size_t at = 0, end = 0; (end = table.find('\n', at)) != table.npos; at = end + 1)
    EXPECT_LE(end - at, 80U) << table.substr(at, end - at);
}

}  // namespace
}  // namespace rangerctl
