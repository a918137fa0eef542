#include <gmock/gmock.h>

#include "log_format_support.hpp"

namespace rangerctl::log {
namespace {

using ::testing::ElementsAre;

std::string python(std::string_view line) { return texts_of(Format::python_can_csv, {line})[0]; }
std::string gvret(std::string_view line) { return texts_of(Format::gvret_csv, {line})[0]; }

// Lines of the first test were written by python-can 4.1.
TEST(PythonCanCsv, Frames) {
  EXPECT_EQ(python("timestamp,arbitration_id,extended,remote,error,dlc,data"), "header line");
  EXPECT_EQ(python("1712345678.123456,0x211,0,0,0,8,AAEB9gAAAAA="),
            "1712345678.123456 - 211#000101F600000000");
  EXPECT_EQ(python("1712345678.12,0x18ff50e5,1,0,0,2,qrs="), "1712345678.12 - 18FF50E5#AABB");
  EXPECT_EQ(python("1712345678.0,0x123,0,1,0,4,"), "1712345678.0 - 123#R4");
  EXPECT_EQ(python("1712345678.0,0x0,1,0,1,0,"), "1712345678.0 - 20000000#");
  EXPECT_EQ(python("0.5,0x7f,0,0,0,1,/w==\r"), "0.5 - 07F#FF");
  EXPECT_EQ(python("0.5,0x7f,0,0,0,1,+w=="), "0.5 - 07F#FB");
  EXPECT_EQ(python("5e-05,0x123,0,0,0,0,"), "0.00005 - 123#");
  EXPECT_EQ(python("0.5,0x123,0,0,0,12,AQIDBAUGBwgJCgsM"), "0.5 - 123##40102030405060708090A0B0C");
}

TEST(PythonCanCsv, WhatIsWrong) {
  struct Row {
    std::string_view line;
    std::string_view kind;
  };
  for (const Row& row :
       {Row{"x,0x211,0,0,0,0,", "bad time stamp"}, Row{"0.5,0x800,0,0,0,0,", "bad id"},
        Row{"0.5,0x20000000,1,0,0,0,", "bad id"}, Row{"0.5,0x211,2,0,0,0,", "unrecognised line"},
        Row{"0.5,0x211,0,1,1,0,", "unrecognised line"}, Row{"0.5,0x211,0,0,0,65,", "length mismatch"},
        Row{"0.5,0x211,0,0,0,2,AQ==", "length mismatch"}, Row{"0.5,0x211,0,0,0,1,A===", "bad data"},
        Row{"0.5,0x211,0,0,0,1,AQID", "length mismatch"}, Row{"0.5,0x211,0,0,0,1,-w==", "bad data"},
        Row{"0.5,0x211,0,0,0,1,A?==", "bad data"}, Row{"0.5,0x211,0,0,0,1,AQ=", "bad data"},
        Row{"0.5,0x211,0,0,0,1,AQ==,", "unrecognised line"}, Row{"0.5,0x211,0,0,0,0", "length mismatch"}})
    EXPECT_EQ(python(row.line), row.kind) << row.line;
}

TEST(GvretCsv, BothVersions) {
  EXPECT_EQ(gvret("Time Stamp,ID,Extended,Bus,LEN,D1,D2,D3,D4,D5,D6,D7,D8"), "header line");
  EXPECT_EQ(gvret("166064000,00000221,false,0,8,00,00,0B,B8,00,00,FF,9C,"),
            "166.064000 can0 221#00000BB80000FF9C");
  EXPECT_EQ(gvret("166064000,00000221,false,Rx,0,2,00,01"), "166.064000 can0 rx 221#0001");
  EXPECT_EQ(gvret("-1500000,18FF50E5,true,Tx,1,0,,,,,,,,,"), "-2.500000 can1 tx 18FF50E5#")
      << "a floor and decimals";
  EXPECT_EQ(gvret("1,00000221,False,0,1,FF,00,00,00,00,00,00,00,"), "0.000001 can0 221#FF")
      << "unused columns";
}

TEST(GvretCsv, WhatIsWrong) {
  struct Row {
    std::string_view line;
    std::string_view kind;
  };
  for (const Row& row :
       {Row{"1.5,221,false,0,0,", "bad time stamp"},
        Row{"99999999999999999999999999,221,false,0,0,", "bad time stamp"}, Row{"1,800,false,0,0,", "bad id"},
        Row{"1,221,perhaps,0,0,", "unrecognised line"}, Row{"1,221,false,256,0,", "unrecognised line"},
        Row{"1,221,false,0,9,", "length mismatch"}, Row{"1,221,false,0,2,00,", "length mismatch"},
        Row{"1,221,false,0,1,0,", "bad data"}, Row{"1,221,false,0,1,00,01,", "length mismatch"},
        Row{"1,221,false,0,1,0G,", "bad data"},
        Row{"1,221,false,0,1,FF,00,00,00,00,00,00,00,00,", "length mismatch"}})
    EXPECT_EQ(gvret(row.line), row.kind) << row.line;
}

}  // namespace
}  // namespace rangerctl::log
