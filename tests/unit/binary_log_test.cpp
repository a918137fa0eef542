// pcap, pcapng and BLF. The files in tests/data/logs were made by other programs:
//   dumpcap_vcan0.pcapng, dumpcap_any.pcap   dumpcap 4.0 on vcan0 and on "any", while cansend sent
//   211#000101F100000000,
//                                            18FF50E5#AABB, 123#R4, 321##5010203..0C and
//                                            321#4A94E82AEC585562_E
//   python_can.blf, python_can_stored.blf    python-can 4.1: five messages half a second apart, compressed
//   and not
#include <gmock/gmock.h>
#include <zlib.h>

#include <fstream>
#include <iterator>

#include "fake_input.hpp"
#include "io/log_pieces.hpp"
#include "io/pcap_writer.hpp"
#include "log_format_support.hpp"
#include "rangerctl/log/blf.hpp"
#include "rangerctl/log/socketcan_packet.hpp"

namespace rangerctl::io {
namespace {

using log::text_of;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

std::string content_of(const std::string& name) {
  std::ifstream in(std::string(RANGERCTL_TEST_DATA "/logs/") + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Read {
  std::vector<std::string> texts;
  std::string error;
};
Read read(const std::string& bytes) {
  const auto log = read_log(std::make_unique<FakeInput>(bytes, 7), protocol::kDefaultCatalogue);
  Read read;
  log::LogFrame frame;
  Piece piece;
  while (log->next(frame, piece)) {
    EXPECT_EQ(piece.number, read.texts.size() + 1);
    read.texts.push_back(piece.kind == log::LineKind::frame ? text_of(frame)
                                                            : std::string(log::line_kind_name(piece.kind)));
  }
  if (log->error()) read.error = log->error()->message;
  return read;
}

// The frame of the first line was 05 in its flags when it was sent; libpcap 1.10.3 clears them in this link
// type.
const std::vector<std::string> kFromVcan0{
    "1796129101.556423447 - 211#000101F100000000", "1796129101.605970967 - 18FF50E5#AABB",
    "1796129101.656366359 - 123#R4", "1796129101.710015511 - 321##40102030405060708090A0B0C",
    "1796129101.760521495 - 321#4A94E82AEC585562"};
const std::vector<std::string> kFromAny{"1796129101.556423 - 211#000101F100000000",
                                        "1796129101.605970 - 18FF50E5#AABB", "1796129101.656366 - 123#R4",
                                        "1796129101.710015 - 321##50102030405060708090A0B0C",
                                        "1796129101.760521 - 321#4A94E82AEC585562"};
// The file has local time, see BinaryLogs below.
const std::vector<std::string> kFromPythonCan{
    "1712345678.000000000 can1 rx 211#000101F100000000", "1712345678.500000000 can0 tx 18FF50E5#AABB",
    "1712345679.000000000 can0 rx 123#R4", "1712345679.500000000 can0 rx 321##50102030405060708090A0B0C",
    "1712345680.000000000 can0 20000080#0000000000000000"};

/// The time zone of who made the files.
class BinaryLogs : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("TZ", "UTC", 1);
    ::tzset();
  }
  void TearDown() override {
    ::unsetenv("TZ");
    ::tzset();
  }
};

struct Sample {
  const char* file;
  const std::vector<std::string>& frames;
};
const std::vector<Sample> kSamples{{"dumpcap_vcan0.pcapng", kFromVcan0},
                                   {"dumpcap_any.pcap", kFromAny},
                                   {"python_can.blf", kFromPythonCan},
                                   {"python_can_stored.blf", kFromPythonCan}};

TEST_F(BinaryLogs, OfOtherPrograms) {
  for (const Sample& sample : kSamples) {
    SCOPED_TRACE(sample.file);
    const Read log = read(content_of(sample.file));
    EXPECT_THAT(log.texts, ElementsAreArray(sample.frames));
    EXPECT_EQ(log.error, "");
  }
}

TEST_F(BinaryLogs, CutAtEveryByteTheyHaveTheFirstFramesAndNoOther) {
  for (const Sample& sample : kSamples) {
    SCOPED_TRACE(sample.file);
    const std::string whole = content_of(sample.file);
    for (std::size_t size = 5; size < whole.size(); ++size) {
      const Read log = read(whole.substr(0, size));
      ASSERT_LE(log.texts.size(), sample.frames.size()) << size;
      ASSERT_TRUE(std::equal(log.texts.begin(), log.texts.end(), sample.frames.begin())) << size;
      if (log.texts.size() < sample.frames.size() && log.error.empty()) {
        // A capture that ends between two packets is whole.
        ASSERT_THAT(sample.file, HasSubstr("pcap")) << size;
      }
    }
  }
}

/// Every byte with every bit turned around: an error, another frame, but no crash and no end without an end.
TEST_F(BinaryLogs, DamagedAnywhereTheyEnd) {
  for (const Sample& sample : kSamples) {
    const std::string whole = content_of(sample.file);
    for (std::size_t i = 5; i < whole.size(); ++i) {
      for (const int change : {0xFF, 0x80, 0x01}) {
        std::string bytes = whole;
        bytes[i] = static_cast<char>(bytes[i] ^ change);
        EXPECT_LE(read(bytes).texts.size(), 200U) << sample.file << ' ' << i;
      }
    }
  }
}

/// The first packet of the cooked capture, changed: its time is at 28, its type at 41, its protocol at 54.
TEST_F(BinaryLogs, WhatACookedPacketSays) {
  const auto first = [](std::size_t at, std::string_view bytes) {
    std::string log = content_of("dumpcap_any.pcap");
    log.replace(at, bytes.size(), bytes);
    return read(log).texts.at(0);
  };
  EXPECT_EQ(first(41, "\x04"), "1796129101.556423 - tx 211#000101F100000000");
  EXPECT_EQ(first(54, {"\x00\x0E", 2}), "unrecognised line") << "CAN XL";
  EXPECT_EQ(first(54, {"\x08\x00", 2}), "event") << "IP";
  EXPECT_EQ(first(28, {"\x40\x42\x0F\x00", 4}), "bad time stamp") << "a million microseconds";
}

TEST_F(BinaryLogs, OfOtherLinkTypesAreRefusedByName) {
  std::string ethernet = content_of("dumpcap_any.pcap");
  ethernet[20] = 1;
  EXPECT_THAT(read(ethernet).error, HasSubstr("its link type is EN10MB"));
}

TEST_F(BinaryLogs, WhatPcapIsWrittenIsReadAgain) {
  const auto writer = make_pcap_writer();
  output::TextBuffer out;
  log::LogFrame frame;
  const auto write = [&](Timestamp time, std::string_view text) {
    frame.time = time;
    frame.frame = *log::parse_written_frame(protocol::kDefaultCatalogue, text);
    writer->write(frame, out);
  };
  write({1712345678, 123'456'000, 6}, "211#000101F100000000");
  write({1712345678, 123'456'789, 9}, "321#4A94E82AEC585562_E");
  write({1712345679, 0, 6}, "321##50102030405060708090A0B0C");
  write({1712345679, 0, 6}, "18FF50E5#R8");
  write({1712345679, 0, 6}, "20000040#0000000000000000");
  write({}, "7FF#");
  frame.bus = "can0";
  frame.direction = FrameDirection::rx;
  write({-1, 0, 6}, "7FF#");
  writer->finish(out);
  const Read log = read(std::string(out.view()));
  EXPECT_EQ(log.error, "");
  EXPECT_THAT(
      log.texts,
      ElementsAre("1712345678.123456 - 211#000101F100000000", "1712345678.123456 - 321#4A94E82AEC585562_E",
                  "1712345679.000000 - 321##50102030405060708090A0B0C", "1712345679.000000 - 18FF50E5#R8",
                  "1712345679.000000 - 20000040#0000000000000000", "0.000000 - 7FF#", "0.000000 - 7FF#"));
  using convert::Loss;
  EXPECT_EQ(writer->losses().count(Loss::time_digits), 1U);
  EXPECT_EQ(writer->losses().count(Loss::no_time), 2U);
  EXPECT_EQ(writer->losses().count(Loss::bus_name), 1U);
  EXPECT_EQ(writer->losses().count(Loss::direction), 1U);
}

TEST_F(BinaryLogs, APcapHasTimesUntil2106) {
  const auto writer = make_pcap_writer();
  output::TextBuffer out;
  log::LogFrame frame;
  frame.frame = *log::parse_written_frame(protocol::kDefaultCatalogue, "7FF#");
  for (const std::int64_t seconds : {std::int64_t{3'000'000'000}, std::int64_t{4'294'967'296}}) {
    frame.time = {seconds, 1000, 9};
    writer->write(frame, out);
  }
  EXPECT_THAT(read(std::string(out.view())).texts,
              ElementsAre("3000000000.000001000 - 7FF#", "0.000000000 - 7FF#"));
  EXPECT_EQ(writer->losses().count(convert::Loss::no_time), 1U);
}

TEST_F(BinaryLogs, APcapWithoutFramesHasItsHeader) {
  output::TextBuffer out;
  make_pcap_writer()->finish(out);
  EXPECT_EQ(out.size(), 24U);
  EXPECT_THAT(read(std::string(out.view())).texts, ElementsAre());
}

// ---- Packets ------------------------------------------------------------------------------------------

using Packet = std::vector<std::uint8_t>;

std::string packet_text(const Packet& packet, log::PacketKind kind = log::PacketKind::unknown) {
  log::LogFrame frame;
  const log::LineKind read = log::read_packet(packet, log::IdOrder::big_endian, kind, frame);
  return read == log::LineKind::frame ? log::written_frame(frame.frame)
                                      : std::string(log::line_kind_name(read));
}

TEST(SocketCanPacket, WhatABytesMeans) {
  Packet fd(72, 0);
  fd[2] = 0x03;
  fd[3] = 0x21;
  fd[4] = 2;
  EXPECT_EQ(packet_text(fd), "321##40000") << "by its size, without the flag";
  EXPECT_EQ(packet_text({0, 0, 3, 0x21, 2, 7, 0, 0, 1, 2}), "321##70102");
  EXPECT_EQ(packet_text({0, 0, 3, 0x21, 2, 3, 0, 0, 1, 2}), "321#0102")
      << "flags of a classic frame are padding";
  EXPECT_EQ(packet_text({0, 0, 3, 0x21, 2, 3, 0, 0, 1, 2}, log::PacketKind::fd), "321##70102");
  EXPECT_EQ(packet_text({0, 0, 3, 0x21, 8, 0, 0, 14, 1, 2, 3, 4, 5, 6, 7, 8}), "321#0102030405060708_E");
  EXPECT_EQ(packet_text({0, 0, 3, 0x21, 8, 0, 0, 16, 1, 2, 3, 4, 5, 6, 7, 8}), "321#0102030405060708");
  EXPECT_EQ(packet_text({0x20, 0, 0, 0x40, 8, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8}), "20000040#0102030405060708");
  EXPECT_EQ(packet_text({0x40, 0, 3, 0x21, 4, 0, 0, 0}), "321#R4");
}

TEST(SocketCanPacket, WhatIsWrong) {
  EXPECT_EQ(packet_text({0, 0, 3, 0x21, 2, 0, 0}), "length mismatch");
  EXPECT_EQ(packet_text({0, 0, 3, 0x21, 2, 0, 0, 0, 1}), "length mismatch");
  EXPECT_EQ(packet_text({0, 0, 3, 0x21, 65, 4, 0, 0, 1}), "length mismatch");
  EXPECT_EQ(packet_text({0, 0, 3, 0x21, 9, 4, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}), "length mismatch")
      << "no DLC";
  EXPECT_EQ(packet_text({0, 0, 9, 0x21, 0, 0, 0, 0}), "bad id");
  EXPECT_EQ(packet_text({0x40, 0, 3, 0x21, 9, 4, 0, 0}), "bad id") << "FD has no remote frames";
  EXPECT_EQ(packet_text({0, 0, 3, 0x21, 0x81, 0, 0, 0}), "unrecognised line") << "CAN XL";
}

// ---- BLF ----------------------------------------------------------------------------------------------

namespace blf = log::blf;

Packet little(std::uint64_t value, std::size_t bytes) {
  Packet text;
  for (std::size_t i = 0; i < bytes; ++i) text.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  return text;
}
void append(Packet& to, const Packet& more) { to.insert(to.end(), more.begin(), more.end()); }

/// An object with a header of version 1, with its padding.
Packet object(std::uint32_t type, const Packet& body, std::uint64_t time = 0, std::uint32_t time_unit = 2) {
  Packet all{'L', 'O', 'B', 'J'};
  append(all, little(32, 2));
  append(all, little(1, 2));
  append(all, little(32 + body.size(), 4));
  append(all, little(type, 4));
  append(all, little(time_unit, 4));
  append(all, little(0, 4));
  append(all, little(time, 8));
  append(all, body);
  append(all, Packet(body.size() % 4, 0));
  return all;
}
Packet message(std::uint8_t flags = 0, std::uint8_t dlc = 2, std::uint32_t id = 0x211) {
  Packet body = little(1, 2);
  append(body, {flags, dlc});
  append(body, little(id, 4));
  append(body, {1, 2, 3, 4, 5, 6, 7, 8});
  return body;
}
Packet fd64(std::uint8_t dlc, std::uint8_t length, std::uint32_t flags, std::uint8_t stored) {
  Packet body{2, dlc, length, 0};
  append(body, little(0x123, 4));
  append(body, little(0, 4));
  append(body, little(flags, 4));
  append(body, Packet(24, 0));
  append(body, Packet(stored, 0xAB));
  return body;
}

std::vector<std::string> objects(const std::vector<Packet>& containers, Timestamp start = {10, 0, 3}) {
  std::vector<std::string> texts;
  blf::Objects all(start);
  log::LogFrame frame;
  for (const Packet& container : containers) {
    all.append(container);
    while (const auto kind = all.next(frame))
      texts.push_back(*kind == log::LineKind::frame ? text_of(frame)
                                                    : std::string(log::line_kind_name(*kind)));
  }
  if (all.is_damaged()) texts.emplace_back("damaged");
  if (!all.is_damaged() && all.has_rest()) texts.emplace_back("rest");
  return texts;
}

TEST(Blf, Objects) {
  struct Row {
    Packet object;
    std::string_view text;
  };
  Packet version2 = object(1, Packet(8, 0));
  version2[6] = 2;  // 40 bytes of headers
  version2[4] = 40;
  Packet version3 = object(1, message());
  version3[6] = 3;
  const std::vector<Row> rows{
      {object(1, message()), "10.000000000 can0 rx 211#0102"},
      {object(86, message(1)), "10.000000000 can0 tx 211#0102"},
      {object(1, message(2)), "event"},
      {object(1, message(0x80, 4)), "10.000000000 can0 rx 211#R4"},
      {object(1, message(0, 14)), "10.000000000 can0 rx 211#0102030405060708_E"},
      {object(1, message(0, 16)), "length mismatch"},
      {object(1, message(0, 2, 0x98FF50E5)), "10.000000000 can0 rx 18FF50E5#0102"},
      {object(1, message(0, 2, 0x800)), "bad id"},
      {object(1, message(0, 2, 0x40000211)), "bad id"},
      {object(1, message(), 150'000, 1), "11.500000 can0 rx 211#0102"},
      {object(1, message(), 1'500'000'001), "11.500000001 can0 rx 211#0102"},
      {object(1, message(), ~std::uint64_t{0}), "18446744083.709551615 can0 rx 211#0102"},
      {object(1, message(), ~std::uint64_t{0}, 1), "bad time stamp"},
      {object(1, Packet(15, 0)), "length mismatch"},
      {version2, "length mismatch"},
      {version3, "unrecognised line"},
      {object(73, Packet(32, 1)), "10.000000000 can256 20000080#0000000000000000"},
      {object(2, {3, 0, 0, 0}), "10.000000000 can2 20000080#0000000000000000"},
      {object(101, fd64(9, 12, 0x3000, 12)), "10.000000000 can1 rx 123##5ABABABABABABABABABABABAB"},
      {object(101, fd64(9, 12, 0x3000, 11)), "length mismatch"},
      {object(101, fd64(9, 13, 0x3000, 13)), "length mismatch"},
      {object(101, fd64(2, 2, 0, 2)), "10.000000000 can1 rx 123#ABAB"},
      {object(101, fd64(2, 0, 0x10, 0)), "10.000000000 can1 rx 123#R2"},
      {object(115, Packet(100, 0)), "event"},
  };
  for (std::size_t i = 0; i < rows.size(); ++i)
    EXPECT_THAT(objects({rows[i].object}), ElementsAre(std::string(rows[i].text))) << i;
}

TEST(Blf, ObjectsGoOnFromContainerToContainer) {
  Packet all = object(1, message());
  append(all, object(115, Packet(3000, 0)));
  append(all, object(100, Packet(84, 0)));
  append(all, object(86, message(1)));
  const auto whole = objects({all});
  EXPECT_THAT(whole, ElementsAre("10.000000000 can0 rx 211#0102", "event", "10.000000000 - rx 000#",
                                 "10.000000000 can0 tx 211#0102"));
  for (std::size_t cut = 0; cut <= all.size(); ++cut) {
    const Packet begin(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(cut));
    const Packet end(all.begin() + static_cast<std::ptrdiff_t>(cut), all.end());
    ASSERT_EQ(objects({begin, end}), whole) << cut;
  }
}

/// A file with these objects of its own.
std::string blf_file(const std::vector<Packet>& objects_of_file) {
  Packet bytes(72, 0);
  const std::string_view magic = "LOGG";
  std::copy(magic.begin(), magic.end(), bytes.begin());
  bytes[4] = 72;
  for (const Packet& one : objects_of_file) append(bytes, one);
  return {bytes.begin(), bytes.end()};
}
/// A container that is not compressed; its padding is left out where it is the last.
Packet container(const Packet& content) {
  Packet all{'L', 'O', 'B', 'J'};
  append(all, little(16, 2));
  append(all, little(1, 2));
  append(all, little(32 + content.size(), 4));
  append(all, little(10, 4));
  append(all, Packet(16, 0));
  append(all, content);
  append(all, Packet(content.size() % 4, 0));
  return all;
}

TEST(Blf, AnObjectOutsideOfTheContainersIsNoPartOfThem) {
  const Packet message_object = object(1, message());
  for (std::size_t cut = 1; cut < message_object.size(); ++cut) {
    const Packet begin(message_object.begin(), message_object.begin() + static_cast<std::ptrdiff_t>(cut));
    const Packet end(message_object.begin() + static_cast<std::ptrdiff_t>(cut), message_object.end());
    const Read log = read(blf_file({container(begin), object(86, message(1)), container(end)}));
    EXPECT_EQ(log.error, "") << cut;
    EXPECT_THAT(log.texts, ElementsAre("0.000000000 can0 tx 211#0102", "0.000000000 can0 rx 211#0102"))
        << cut;
  }
}

/// Of zlib, which claims to be so long.
Packet compressed(const Packet& content, std::uint32_t size) {
  uLongf length = ::compressBound(content.size());
  Packet bytes(length);
  EXPECT_EQ(::compress(bytes.data(), &length, content.data(), content.size()), Z_OK);
  bytes.resize(length);
  Packet all{'L', 'O', 'B', 'J'};
  append(all, little(16, 2));
  append(all, little(1, 2));
  append(all, little(32 + bytes.size(), 4));
  append(all, little(10, 4));
  append(all, little(2, 8));
  append(all, little(size, 8));
  append(all, bytes);
  return all;
}

TEST(Blf, AContainerIsAsLongAsItSays) {
  const Packet content = object(1, message());
  const auto size = static_cast<std::uint32_t>(content.size());
  EXPECT_THAT(read(blf_file({compressed(content, size)})).texts, ElementsAre("0.000000000 can0 rx 211#0102"));
  for (const std::uint32_t wrong : {size - 1, size + 1, 0U})
    EXPECT_THAT(read(blf_file({compressed(content, wrong)})).error, HasSubstr("a container is damaged"))
        << wrong;
  EXPECT_THAT(read(blf_file({compressed(content, 0xFFFFFFFF)})).error, HasSubstr("a container is too large"));
}

TEST(Blf, NothingIsReadBehindDamage) {
  Packet all = object(1, message());
  append(all, Packet(12, 'x'));
  append(all, object(1, message()));
  EXPECT_THAT(objects({all}), ElementsAre("10.000000000 can0 rx 211#0102", "damaged"));
  Packet small = object(1, message());
  small[8] = 8;
  small[9] = 0;
  EXPECT_THAT(objects({small}), ElementsAre("damaged")) << "smaller than its header";
  Packet large = object(1, message());
  large[11] = 0xFF;
  EXPECT_THAT(objects({large}), ElementsAre("length mismatch", "rest"));
}

TEST(Blf, TheHeaderOfAFile) {
  Packet header(72, 0);
  const std::string_view magic = "LOGG";
  std::copy(magic.begin(), magic.end(), header.begin());
  header[4] = 144;
  EXPECT_FALSE(blf::read_file_header(header, log::utc)->start.known());
  const Packet start{0xE8, 0x07, 4,  0, 5,  0, 5,   0,
                     19,   0,    34, 0, 38, 0, 123, 0};  // Friday 2024-04-05 19:34:38.123
  std::copy(start.begin(), start.end(), header.begin() + 40);
  EXPECT_EQ(blf::read_file_header(header, log::utc)->start, (Timestamp{1712345678, 123'000'000, 3}));
  header[54] = 0xE8;  // 1000 ms
  header[55] = 0x03;
  EXPECT_FALSE(blf::read_file_header(header, log::utc)->start.known());
  header[54] = 123;
  header[55] = 0;
  header[43] = 1;  // month 260
  EXPECT_FALSE(blf::read_file_header(header, log::utc)->start.known());
  header[43] = 0;
  header[46] = 32;  // no day
  EXPECT_FALSE(blf::read_file_header(header, log::utc)->start.known());
  header[4] = 71;
  EXPECT_FALSE(blf::read_file_header(header, log::utc));
  header[4] = 144;
  header[0] = 'X';
  EXPECT_FALSE(blf::read_file_header(header, log::utc));
}

}  // namespace
}  // namespace rangerctl::io
