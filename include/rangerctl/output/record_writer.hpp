#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rangerctl/frame.hpp"
#include "rangerctl/log/candump_line.hpp"
#include "rangerctl/output/text_buffer.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/protocol/values.hpp"

/// Decoded frames as text, JSON lines or CSV: one mechanism for logs and for live traffic.
namespace rangerctl::output {

enum class Format : std::uint8_t { text, json, csv };

/// A frame to write, by reference.
struct Record {
  const Timestamp& time;
  std::string_view bus = {};  ///< may be empty
  FrameDirection direction = FrameDirection::unknown;
  const Frame& frame;
  const log::XlFrame* xl = nullptr;  ///< not null where frame.kind is xl
};

/// How a frame relates to the catalogue.
enum class Decoding : std::uint8_t {
  decoded,
  unknown_id,  ///< no message of this id; also remote, FD, XL and 29-bit frames
  too_short,   ///< fewer bytes than the message needs: never decoded from missing bytes
  error_frame,
};

/// A frame looked up in a catalogue.
struct Lookup {
  Decoding decoding;
  const protocol::Message* message;  ///< null unless decoded or too_short
};
[[nodiscard]] inline Lookup look_up(const protocol::Catalogue& catalogue, const Frame& frame) {
  if (frame.kind == FrameKind::error) return {Decoding::error_frame, nullptr};
  const protocol::Message* const message = catalogue.find(frame);
  if (message == nullptr) return {Decoding::unknown_id, nullptr};
  return {protocol::is_short(*message, frame) ? Decoding::too_short : Decoding::decoded, message};
}

/// One signal of one message; both live in the catalogue.
struct SignalChoice {
  const protocol::Message* message;
  const protocol::Signal* signal;
};

struct WriterOptions {
  Format format = Format::text;
  bool raw = false;                        ///< integers instead of scaled values, names and flags
  std::vector<SignalChoice> signals = {};  ///< not empty: only these, and only frames that have one of them
};

enum class ValueKind : std::uint8_t { number, choice, flags };

/// Everything about one signal that is the same for every frame, in the writer's format.
struct SignalPlan {
  protocol::BitRange bits;
  ValueKind kind = ValueKind::number;
  std::uint8_t decimals = 0;
  std::uint8_t fine_decimals = 0;  ///< of raw values above fine_above
  std::int64_t fine_above = protocol::kNoFineScale;
  Fragment lead;  ///< what stands before the value
  Fragment tail;  ///< what stands behind it
  bool has_tail = false;
  std::vector<std::pair<std::int64_t, Fragment>> choices;  ///< text of each named value
  std::vector<Fragment> flags;                             ///< text of each bit, with its separator behind it
};

/// The same for a message.
struct MessagePlan {
  Fragment lead;                    ///< what stands between the data and the first signal
  std::vector<SignalPlan> signals;  ///< the wanted ones; empty: the message is not wanted
  std::size_t room = 0;             ///< characters that lead and signals need at most
};

/// The signals of a message as they were written last: most of them stay for a while as they are.
struct LastSignals {
  std::uint64_t word = 0;  ///< the frame's payload
  std::string text;        ///< empty: none was written yet
};

/// Time and interface, with which every record begins. Remembers the texts of the last record's second and
/// interface, which the next one usually shares.
class HeadText {
 public:
  explicit HeadText(Format format) : format_(format) {}
  /// Appends both with what separates them from the id. Precondition: room for room_for(bus).
  char* put(char* to, const Timestamp& time, std::string_view bus);
  [[nodiscard]] static std::size_t room_for(std::string_view bus) {
    return 3 * Fragment::kBlock + 6 * bus.size();
  }

 private:
  void learn_second(std::int64_t seconds);
  void learn_bus(std::string_view bus);

  Format format_;
  std::int64_t seconds_ = -1;
  Fragment second_text_;  ///< up to the decimal point
  std::string bus_;
  Fragment bus_text_;  ///< of bus_, escaped and with its separator; not set before the first record
  bool has_bus_ = false;
};

/// Writes records as the command-line contract describes them. Never goes through floating point, and
/// allocates nothing for a data frame but a larger buffer. Keeps a reference to the catalogue.
class RecordWriter {
 public:
  RecordWriter(const protocol::Catalogue& catalogue, WriterOptions options);

  /// What stands before the first record: the CSV header, otherwise nothing.
  void write_header(TextBuffer& out) const;
  /// Appends the line or lines of one record; `found` is look_up() of its frame in the same catalogue. False,
  /// and nothing appended, where only chosen signals are wanted and the frame has none of them.
  bool write(const Record& record, const Lookup& found, TextBuffer& out);
  bool write(const Record& record, TextBuffer& out) {
    return write(record, look_up(catalogue_, record.frame), out);
  }

 private:
  [[nodiscard]] std::size_t index_of(const protocol::Message& message) const;
  [[nodiscard]] const MessagePlan& plan_of(const protocol::Message& message) const;

  void write_json(const Record& record, const Lookup& found, TextBuffer& out);
  void write_text(const Record& record, const Lookup& found, TextBuffer& out);
  void write_csv(const Record& record, const Lookup& found, TextBuffer& out);
  char* put_signals(char* to, const protocol::Message& message, const Frame& frame);
  char* put_signal(char* to, const SignalPlan& plan, std::uint64_t word) const;
  char* put_value(char* to, const SignalPlan& plan, std::int64_t raw) const;
  char* put_flags(char* to, const SignalPlan& plan, std::uint64_t raw) const;

  const protocol::Catalogue& catalogue_;
  WriterOptions options_;
  std::vector<MessagePlan> plans_;  ///< in the order of the catalogue's messages
  std::vector<LastSignals> last_;   ///< the same; not for CSV, where the time stands between signals
  HeadText head_;
};

}  // namespace rangerctl::output
