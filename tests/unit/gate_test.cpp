#include "rangerctl/gate.hpp"

#include <gmock/gmock.h>

#include <set>
#include <vector>

#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl {
namespace {

using protocol::kDefaultCatalogue;
using ::testing::HasSubstr;

constexpr std::int64_t kAckermann = 0, kOblique = 1, kSpin = 2, kPark = 3;

Frame motion(std::int16_t linear, std::int16_t angular, std::int16_t steering) {
  const auto high = [](std::int16_t raw) {
    return static_cast<std::uint8_t>(static_cast<std::uint16_t>(raw) >> 8U);
  };
  const auto low = [](std::int16_t raw) {
    return static_cast<std::uint8_t>(static_cast<std::uint16_t>(raw) & 0xFFU);
  };
  return {
      .id = 0x111,
      .length = 8,
      .data = {high(linear), low(linear), high(angular), low(angular), 0, 0, high(steering), low(steering)}};
}

bool table_allows(const Frame& frame, Role role = Role::host) {
  const auto checked = check_table(kDefaultCatalogue, role, frame);
  EXPECT_TRUE(checked || checked.error().status == ExitStatus::refused);
  return checked.has_value();
}

bool situation_allows(const Frame& frame, const Situation& situation) {
  const auto checked = check_situation(kDefaultCatalogue, frame, situation);
  EXPECT_TRUE(checked || checked.error().status == ExitStatus::refused);
  return checked.has_value();
}

TEST(Gate, OfAllIdsAHostSendsTheSixCommandsAndTheVersionQuery) {
  std::set<std::uint32_t> allowed;
  for (std::uint32_t id = 0; id < 2048; ++id) {
    for (std::uint8_t length = 0; length <= 8; ++length) {
      for (const std::uint8_t first : {std::uint8_t{0}, std::uint8_t{1}}) {
        if (length == 0 && first != 0) continue;
        if (!table_allows({.id = id, .length = length, .data = {first}})) continue;
        allowed.insert(id);
        EXPECT_EQ(length, id == 0x111 || id == 0x121 ? 8 : 1) << std::hex << id;
      }
    }
  }
  EXPECT_EQ(allowed, (std::set<std::uint32_t>{0x111, 0x121, 0x141, 0x421, 0x423, 0x441, 0x4A1}));
}

TEST(Gate, OfAllIdsAChassisSendsItsFeedbackAlone) {
  std::set<std::uint32_t> allowed;
  for (std::uint32_t id = 0; id < 2048; ++id) {
    for (std::uint8_t length = 0; length <= 8; ++length) {
      if (table_allows({.id = id, .length = length}, Role::chassis)) allowed.insert(id);
    }
  }
  const std::set<std::uint32_t> expected{0x211, 0x212, 0x221, 0x231, 0x241, 0x251, 0x252, 0x253, 0x254, 0x255,
                                         0x256, 0x257, 0x258, 0x261, 0x262, 0x263, 0x264, 0x265, 0x266, 0x267,
                                         0x268, 0x271, 0x281, 0x291, 0x311, 0x312, 0x361, 0x362, 0x4A1};
  EXPECT_EQ(allowed, expected);
}

/// Of a frame of each id and length: whoever may send it, it is its role's, and the third role has the rest.
TEST(Gate, WhatIsNobodysIsNeitherACommandNorFeedback) {
  for (std::uint32_t id = 0; id < 2048; ++id) {
    for (std::uint8_t length = 0; length <= 8; ++length) {
      const Frame frame{.id = id, .length = length};
      const Role role = role_of(kDefaultCatalogue, frame);
      const bool is_known =
          kDefaultCatalogue.find(id) != nullptr || kDefaultCatalogue.find_opaque(id) != nullptr;
      EXPECT_EQ(table_allows(frame, Role::nobody), role == Role::nobody && !is_known) << std::hex << id;
      EXPECT_EQ(table_allows({.id = id, .kind = FrameKind::remote, .length = length}, Role::nobody),
                role == Role::nobody && !is_known)
          << std::hex << id;
      if (table_allows(frame, Role::chassis)) {
        EXPECT_EQ(role, Role::chassis) << std::hex << id;
      }
      if (table_allows(frame, Role::host)) {
        EXPECT_EQ(role, Role::host) << std::hex << id;
      }
    }
  }
  for (const std::uint32_t id : {0x111U, 0x121U, 0x141U, 0x421U, 0x423U, 0x441U, 0x4A1U}) {
    for (const FrameKind kind : {FrameKind::remote, FrameKind::fd})
      EXPECT_EQ(role_of(kDefaultCatalogue, {.id = id, .kind = kind}), Role::host) << std::hex << id;
    EXPECT_EQ(role_of(kDefaultCatalogue, {.id = id, .extended = true}), Role::nobody);
  }
  EXPECT_FALSE(table_allows({.id = 0x40, .kind = FrameKind::error, .length = 8}, Role::nobody));
  EXPECT_FALSE(table_allows({.id = 0x123, .kind = FrameKind::xl}, Role::nobody));
}

TEST(Gate, OtherKindsOfFrameAreRefusedWhateverTheirId) {
  Frame frame{.id = 0x421, .length = 1, .data = {1}};
  ASSERT_TRUE(table_allows(frame));
  for (const FrameKind kind : {FrameKind::remote, FrameKind::error, FrameKind::fd, FrameKind::xl}) {
    Frame other = frame;
    other.kind = kind;
    EXPECT_FALSE(table_allows(other));
  }
  Frame extended = frame;
  extended.extended = true;
  EXPECT_FALSE(table_allows(extended));
  Frame long_dlc = motion(0, 0, 0);
  long_dlc.raw_dlc = 9;
  EXPECT_FALSE(table_allows(long_dlc));
}

TEST(Gate, LimitsOfTheTable) {
  struct Row {
    Frame frame;
    bool allowed;
  };
  const std::vector<Row> rows{
      {motion(2000, 0, 0), true},
      {motion(2001, 0, 0), false},
      {motion(-2000, 0, 0), true},
      {motion(-2001, 0, 0), false},
      {motion(-32768, 0, 0), false},
      {motion(0, 3259, 0), true},
      {motion(0, 3260, 0), false},
      {motion(0, -3259, 0), true},
      {motion(0, -3260, 0), false},
      {motion(0, 0, 1571), true},
      {motion(0, 0, 1572), false},
      {motion(0, 0, -1571), true},
      {motion(0, 0, -1572), false},
      {{.id = 0x141, .length = 1, .data = {3}}, true},
      {{.id = 0x141, .length = 1, .data = {4}}, false},
      {{.id = 0x421, .length = 1, .data = {2}}, false},
      {{.id = 0x421, .length = 1, .data = {3}}, false},
      {{.id = 0x423, .length = 1, .data = {2}}, false},
      {{.id = 0x441, .length = 1, .data = {16}}, true},
      {{.id = 0x441, .length = 1, .data = {17}}, false},
      {{.id = 0x121, .length = 8, .data = {1, 2}}, false},
      {{.id = 0x4A1, .length = 1, .data = {2}}, false},
  };
  for (const Row& row : rows) EXPECT_EQ(table_allows(row.frame), row.allowed) << "row " << &row - rows.data();
}

TEST(Gate, ReservedBitsMustBeZero) {
  for (const Frame& good : {motion(100, 0, 0), Frame{.id = 0x121, .length = 8, .data = {1, 1}}}) {
    ASSERT_TRUE(table_allows(good));
    const std::vector<std::size_t> reserved =
        good.id == 0x111 ? std::vector<std::size_t>{4, 5} : std::vector<std::size_t>{2, 3, 4, 5, 6, 7};
    for (const std::size_t byte : reserved) {
      for (unsigned bit = 0; bit < 8; ++bit) {
        Frame bad = good;
        bad.data[byte] = static_cast<std::uint8_t>(1U << bit);
        EXPECT_FALSE(table_allows(bad)) << good.id << " byte " << byte << " bit " << bit;
      }
    }
  }
}

TEST(Gate, LimitsOfTheMotionMode) {
  struct Row {
    Frame frame;
    std::optional<std::int64_t> mode;
    std::optional<std::int64_t> measured;
    bool allowed;
  };
  const std::vector<Row> rows{
      // Nothing but zeros without a known mode.
      {motion(0, 0, 0), {}, {}, true},
      {motion(1, 0, 0), {}, {}, false},
      {motion(0, 1, 0), {}, {}, false},
      {motion(0, 0, 1), {}, {}, false},
      {motion(1, 0, 0), 7, {}, false},
      {motion(0, 0, 0), 7, {}, true},
      {motion(2000, 0, 0), kAckermann, {}, true},
      {motion(0, 0, 698), kAckermann, {}, true},
      {motion(0, 0, -698), kAckermann, {}, true},
      {motion(0, 0, 699), kAckermann, {}, false},
      {motion(0, 0, -699), kAckermann, {}, false},
      {motion(0, 1, 0), kAckermann, {}, false},
      {motion(0, 0, 1571), kOblique, {}, true},
      {motion(0, 1, 0), kOblique, {}, false},
      {motion(0, 3259, 0), kSpin, 936, true},
      {motion(1, 0, 0), kSpin, 936, false},
      {motion(0, 0, 1), kSpin, 936, false},
      {motion(0, 0, 0), kPark, {}, true},
      {motion(1, 0, 0), kPark, {}, false},
      {motion(0, 1, 0), kPark, {}, false},
      {motion(0, 0, 1), kPark, {}, false},
      // 1 m/s beyond 20 degrees, commanded or measured, whichever is larger.
      {motion(2000, 0, 349), kAckermann, {}, true},
      {motion(1000, 0, 350), kAckermann, {}, true},
      {motion(1001, 0, 350), kAckermann, {}, false},
      {motion(-1001, 0, -350), kAckermann, {}, false},
      {motion(1001, 0, 350), kOblique, {}, false},
      {motion(1001, 0, 0), kAckermann, 349, true},
      {motion(1001, 0, 0), kAckermann, 350, false},
      {motion(1001, 0, 349), kAckermann, 0, true},
      {motion(1001, 0, 350), kAckermann, 0, false},
      {motion(1000, 0, 0), kAckermann, 936, true},
      // Other commands know no mode.
      {{.id = 0x441, .length = 1, .data = {9}}, {}, {}, true},
  };
  for (std::size_t i = 0; i < rows.size(); ++i)
    EXPECT_EQ(situation_allows(rows[i].frame, {rows[i].mode, rows[i].measured}), rows[i].allowed)
        << "row " << i;
}

TEST(Gate, RefusalsNameTheLimitAndItsSource) {
  const auto message_of = [](const Result<void>& checked) { return checked ? "" : checked.error().message; };
  EXPECT_EQ(message_of(check_table(kDefaultCatalogue, Role::host, motion(2001, 0, 0))),
            "refused: motion_command.linear_velocity = 2.001 m/s is beyond its limit: -2.000 to 2.000 m/s "
            "(user manual V1.0.1, section 3.2)");
  EXPECT_EQ(message_of(check_situation(kDefaultCatalogue, motion(1500, 0, 400), {kAckermann, {}})),
            "refused: motion_command.linear_velocity = 1.500 m/s is beyond its limit: -1.000 to 1.000 m/s "
            "while the steering angle is beyond 20 degrees (user manual V1.0.1, section 3.2)");
  EXPECT_EQ(
      message_of(check_situation(kDefaultCatalogue, motion(100, 0, 0), {kPark, {}})),
      "refused: motion_command.linear_velocity = 0.100 m/s is beyond its limit: zero in park (user manual "
      "V1.0.1, section 3.2)");
  EXPECT_THAT(message_of(check_table(kDefaultCatalogue, Role::host, {.id = 0x211, .length = 8})),
              HasSubstr("system_status is feedback of the chassis"));
  EXPECT_THAT(message_of(check_table(kDefaultCatalogue, Role::host, {.id = 0x123, .length = 8})),
              HasSubstr("0x123 is no command of the AgileX RANGER MINI 3.0"));
  EXPECT_THAT(message_of(check_table(kDefaultCatalogue, Role::host, {.id = 0x111, .length = 4})),
              HasSubstr("has 8 bytes, not 4"));
}

/// Keeps what leaves.
class Recorder : public Transport {
 public:
  Result<std::size_t> receive(std::span<Received> /*buffer*/, SteadyTime /*deadline*/) override {
    return std::size_t{0};
  }
  [[nodiscard]] LinkStatus status() const override { return {}; }
  [[nodiscard]] std::string_view address() const override { return "recorder"; }
  std::vector<Frame> sent;

 private:
  Result<Sent> transmit(const Frame& frame) override {
    sent.push_back(frame);
    return Sent::queued;
  }
};

TEST(Gate, WhatIsRefusedDoesNotLeave) {
  Recorder bus;
  Gate host(kDefaultCatalogue, Role::host, bus);
  Gate chassis(kDefaultCatalogue, Role::chassis, bus);
  EXPECT_FALSE(host.send(motion(2001, 0, 0), {kAckermann, {}}));
  EXPECT_FALSE(host.send(motion(100, 0, 0)));
  EXPECT_FALSE(host.send({.id = 0x211, .length = 8}));
  EXPECT_FALSE(chassis.send(motion(0, 0, 0)));
  EXPECT_TRUE(bus.sent.empty());
  EXPECT_TRUE(host.send(motion(100, 0, 0), {kAckermann, {}}));
  EXPECT_TRUE(chassis.send({.id = 0x211, .length = 8}));
  EXPECT_TRUE(host.send_unchecked({.id = 0x7FF, .length = 8}));
  EXPECT_EQ(bus.sent.size(), 3U);
}

}  // namespace
}  // namespace rangerctl
