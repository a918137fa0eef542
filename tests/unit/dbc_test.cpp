#include "rangerctl/protocol/dbc.hpp"

#include <gmock/gmock.h>

#include <array>
#include <fstream>
#include <sstream>

#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::protocol {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string dbc_of(const Signal& signal) {
  const std::array signals{signal};
  const std::array messages{
      Message{0x123, "m", Direction::feedback, 8, 0, 0, signals, "meaning", "a source"}};
  return to_dbc(Catalogue("c", "Title", messages));
}

/// Was loaded by hand in cantools (strict), which decodes and encodes all vectors with it as we do. To renew
/// it: rangerctl protocol --dbc > tests/data/ranger_mini_3.dbc
TEST(Dbc, IsTheGoldenFile) {
  std::ifstream file(RANGERCTL_TEST_DATA "/ranger_mini_3.dbc", std::ios::binary);
  std::ostringstream golden;
  golden << file.rdbuf();
  EXPECT_EQ(to_dbc(kDefaultCatalogue), golden.str());
}

TEST(Dbc, BigEndianSignalsStartAtTheirHighestBit) {
  EXPECT_THAT(dbc_of({.name = "s", .field = u8(0)}), HasSubstr(" SG_ s : 7|8@0+ (1,0) [0|255] \"\" host\n"));
  EXPECT_THAT(dbc_of({.name = "s", .field = i16(6), .decimals = 3, .unit = "rad"}),
              HasSubstr(" SG_ s : 55|16@0- (0.001,0) [-32.768|32.767] \"rad\" host\n"));
  EXPECT_THAT(dbc_of({.name = "s", .field = u32(4)}), HasSubstr(" SG_ s : 39|32@0+ (1,0) [0|4294967295]"));
  EXPECT_THAT(dbc_of({.name = "s", .field = bit_field(1, 2, 3)}), HasSubstr(" SG_ s : 12|3@0+ (1,0) [0|7]"));
  EXPECT_THAT(dbc_of({.name = "s", .field = {2, 2, 4, 6, false}}), HasSubstr(" SG_ s : 17|6@0+"))
      << "across two bytes: bits 4 to 9 of bytes 2 and 3";
  EXPECT_THAT(dbc_of({.name = "s", .field = i16(0), .range = {-5, 7}}), HasSubstr("(1,0) [-5|7]"));
}

TEST(Dbc, SaysWhichUnitAnAmbiguousSignalIsExportedIn) {
  const std::string dbc =
      dbc_of({.name = "s", .field = u16(0), .decimals = 1, .unit = "V", .fine_above = 1000});
  EXPECT_THAT(dbc, HasSubstr("(0.01,0) [0.00|655.35] \"V\""));
  EXPECT_THAT(dbc, HasSubstr("Exported in 0.01 V; raw values of at most 1000 are 0.1 V on other firmware"));
}

TEST(Dbc, FlagsStayOneNumberAndAreNamedInTheComment) {
  constexpr std::array kFlags{Flag{0, "low", "too low"}, Flag{6, "ok"}};
  const std::string dbc = dbc_of({.name = "s", .field = u8(0), .flags = kFlags, .meaning = "state"});
  EXPECT_THAT(dbc, HasSubstr("CM_ SG_ 291 s \"state. Bits: 0 low (too low), 6 ok\";\n"));
  EXPECT_THAT(dbc, Not(HasSubstr("\nVAL_ 291")));
}

TEST(Dbc, ChoicesAreAValueTable) {
  constexpr std::array kChoices{Choice{2, "up"}, Choice{1, "middle", "halfway"}};
  const std::string dbc = dbc_of({.name = "s", .field = u8(0), .choices = kChoices});
  EXPECT_THAT(dbc, HasSubstr("VAL_ 291 s 2 \"up\" 1 \"middle\" ;\n"));
  EXPECT_THAT(dbc, HasSubstr("CM_ SG_ 291 s \"Values: middle (halfway)\";\n"));
}

TEST(Dbc, CommentsCannotEndEarly) {
  const std::string dbc =
      dbc_of({.name = "s", .field = u8(0), .meaning = "say \"hi\" \\ gr\xC3\xBC\xC3\x9F\n"});
  EXPECT_THAT(dbc, HasSubstr("CM_ SG_ 291 s \"say \\\"hi\\\" ? gr?????\";\n"));
}

TEST(Dbc, ThePeriodIsTheCycleTimeAndTheDirectionTheSender) {
  const std::string dbc = to_dbc(kDefaultCatalogue);
  EXPECT_THAT(dbc, HasSubstr("BO_ 609 motor1_low_speed: 8 chassis\n"));
  EXPECT_THAT(dbc, HasSubstr("BO_ 1089 clear_error_command: 1 host\n"));
  EXPECT_THAT(dbc, HasSubstr("BA_ \"GenMsgCycleTime\" BO_ 609 100;\n"));
  EXPECT_THAT(dbc, Not(HasSubstr("BO_ 1089 0;"))) << "not periodic";
}

}  // namespace
}  // namespace rangerctl::protocol
