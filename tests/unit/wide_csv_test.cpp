#include "rangerctl/convert/wide_csv.hpp"

#include <gtest/gtest.h>

#include "rangerctl/log/written_frame.hpp"
#include "rangerctl/output/filter.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::convert {
namespace {

using namespace std::chrono_literals;

struct Given {
  Timestamp time;
  std::string_view frame;
};

constexpr Timestamp at(std::int64_t seconds, std::uint32_t milliseconds) {
  return {seconds, milliseconds * 1'000'000, 6};
}

std::string table(WideCsv& csv, const std::vector<Given>& log) {
  output::TextBuffer out;
  csv.write_header(out);
  log::LogFrame frame;
  for (const Given& row : log) {
    frame.time = row.time;
    frame.frame = *log::parse_written_frame(protocol::kDefaultCatalogue, row.frame);
    csv.take(frame, out);
  }
  csv.finish(out);
  return std::string(out.view());
}

WideCsv wide(std::chrono::nanoseconds grid) {
  std::vector<output::SignalChoice> columns;
  for (const char* name :
       {"system_status.control_mode", "system_status.battery_voltage", "motion_feedback.linear_velocity"})
    columns.push_back(*output::parse_signal_choice(name, protocol::kDefaultCatalogue));
  return {protocol::kDefaultCatalogue, columns, grid};
}

constexpr std::string_view kHeader =
    "time,system_status.control_mode,system_status.battery_voltage,motion_feedback.linear_velocity\n";
std::string with_header(std::string_view rows) {
  std::string text(kHeader);
  text.append(rows);
  return text;
}

constexpr std::string_view k49Volts = "211#000101F100000000";  // control_mode can (1), 49.7 V
constexpr std::string_view k50Volts = "211#000101F400000000";
constexpr std::string_view kForward = "221#0096000000000000";   // 0.150 m/s
constexpr std::string_view kBackward = "221#FF6A000000000000";  // -0.150 m/s

TEST(WideCsv, ARowHasWhatWasLastReceived) {
  WideCsv csv = wide(20ms);
  EXPECT_EQ(table(csv, {{at(100, 5), k49Volts},
                        {at(100, 20), kForward},  // a row at its own moment has it
                        {at(100, 41), kBackward},
                        {at(100, 55), k50Volts}}),
            with_header("100.020,1,49.7,0.150\n100.040,1,49.7,0.150\n100.060,1,50.0,-0.150\n"));
  EXPECT_EQ(csv.notes().gaps + csv.notes().backward + csv.notes().timeless, 0U);
}

TEST(WideCsv, OldValuesAreNoValues) {
  WideCsv csv = wide(500ms);
  EXPECT_EQ(
      table(csv,
            {{at(7, 0), k49Volts}, {at(7, 100), kForward}, {at(7, 900), kForward}, {at(8, 700), kForward}}),
      with_header("7.000,1,49.7,\n7.500,1,49.7,0.150\n8.000,1,49.7,0.150\n8.500,,,0.150\n9.000,,,0.150\n"));
}

TEST(WideCsv, AGapHasNoRows) {
  WideCsv csv = wide(500ms);
  EXPECT_EQ(table(csv, {{at(7, 0), kForward}, {at(1'000'000'007, 100), kForward}}),
            with_header("7.000,,,0.150\n7.500,,,0.150\n8.000,,,0.150\n1000000007.500,,,0.150\n"));
  EXPECT_EQ(csv.notes().gaps, 1U);
}

TEST(WideCsv, TimesMayGoBack) {
  WideCsv csv = wide(1s);
  EXPECT_EQ(table(csv, {{at(100, 500), kForward},
                        {at(40, 300), k49Volts},
                        {at(40, 400), k50Volts},
                        {at(41, 200), kForward}}),
            with_header("101.000,,,0.150\n41.000,1,50.0,\n42.000,,,0.150\n"));
  EXPECT_EQ(csv.notes().backward, 1U);
}

TEST(WideCsv, TheTimeHasTheDigitsThatTheGridNeeds) {
  for (const auto& [grid, row] :
       {std::pair<std::chrono::nanoseconds, std::string>{250us, "7.001250,,,0.150\n"},
        {1ns, "7.001234567,,,0.150\n"},
        {2s, "9.000,,,0.150\n"}}) {
    WideCsv csv = wide(grid);
    EXPECT_EQ(table(csv, {{{7, 1'234'567, 9}, kForward}}), with_header(row));
  }
}

TEST(WideCsv, WhatHasNoTimeIsCounted) {
  WideCsv csv = wide(1s);
  EXPECT_EQ(table(csv, {{{}, kForward}, {{}, k49Volts}}), kHeader);
  EXPECT_EQ(csv.notes().timeless, 2U);
}

TEST(WideCsv, UnknownAndShortFramesMakeNoValues) {
  WideCsv csv = wide(1s);
  EXPECT_EQ(table(csv, {{at(1, 0), "7FF#00"}, {at(1, 500), "211#0001"}}),
            with_header("1.000,,,\n2.000,,,\n"));
}

}  // namespace
}  // namespace rangerctl::convert
