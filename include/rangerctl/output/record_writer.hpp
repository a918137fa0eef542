#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rangerctl/frame.hpp"
#include "rangerctl/log/candump_line.hpp"
#include "rangerctl/output/text_buffer.hpp"
#include "rangerctl/protocol/schema.hpp"

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
[[nodiscard]] Decoding decoding_of(const protocol::Catalogue& catalogue, const Frame& frame);

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

/// Everything about one signal that is the same for every frame, in the writer's format.
struct SignalPlan {
  const protocol::Signal* signal;
  Fragment lead;                  ///< what stands before the value
  Fragment tail;                  ///< what stands behind it
  std::vector<Fragment> choices;  ///< texts of signal->choices, in their order
  std::vector<Fragment> flags;    ///< text of each bit, with its separator behind it
};

/// The same for a message.
struct MessagePlan {
  Fragment lead;                    ///< what stands between the data and the first signal
  std::vector<SignalPlan> signals;  ///< the wanted ones; empty: the message is not wanted
  std::size_t room = 0;             ///< characters that lead and signals need at most
};

/// Writes records as the command-line contract describes them. Never goes through floating point, and
/// allocates nothing for a data frame but a larger buffer. Keeps a reference to the catalogue.
class RecordWriter {
 public:
  RecordWriter(const protocol::Catalogue& catalogue, WriterOptions options);

  /// What stands before the first record: the CSV header, otherwise nothing.
  void write_header(TextBuffer& out) const;
  /// Appends the line or lines of one record. False, and nothing appended, where only chosen signals are
  /// wanted and the frame has none of them.
  bool write(const Record& record, TextBuffer& out) const;

 private:
  [[nodiscard]] const MessagePlan& plan_of(const protocol::Message& message) const;

  void write_json(const Record& record, Decoding decoding, TextBuffer& out) const;
  void write_text(const Record& record, Decoding decoding, TextBuffer& out) const;
  void write_csv(const Record& record, Decoding decoding, TextBuffer& out) const;
  char* put_signals(char* to, const MessagePlan& plan, const Frame& frame) const;
  char* put_value(char* to, const SignalPlan& plan, std::int64_t raw) const;
  char* put_flags(char* to, const SignalPlan& plan, std::uint64_t raw) const;

  const protocol::Catalogue& catalogue_;
  WriterOptions options_;
  std::vector<MessagePlan> plans_;  ///< in the order of the catalogue's messages
};

}  // namespace rangerctl::output
