#include "trc_line.hpp"

namespace rangerctl::log::trc {

using namespace reading;

namespace {

constexpr std::uint32_t kMostBus = 255;
constexpr std::uint32_t kMostDlc = 15;
constexpr std::string_view kNoId = "FFFFFFFF";

/// Of the versions 2.x.
enum class Content : std::uint8_t { classic, remote, fd, error, event };
struct Type {
  std::string_view name;
  Content content;
  std::uint8_t fd_flags = 0;
};
constexpr std::array kTypes{
    Type{"DT", Content::classic},
    Type{"RR", Content::remote},
    Type{"FD", Content::fd},
    Type{"FB", Content::fd, kFdBitRateSwitch},
    Type{"FE", Content::fd, kFdErrorState},
    Type{"BI", Content::fd, kFdBitRateSwitch | kFdErrorState},
    Type{"ER", Content::error},
    Type{"ST", Content::event},  // status of the hardware
    Type{"EC", Content::event},  // error counters
    Type{"EV", Content::event},  // of the user's
};
const Type* find_type(std::string_view name) {
  const auto* const row =
      std::find_if(kTypes.begin(), kTypes.end(), [name](const Type& type) { return type.name == name; });
  return row == kTypes.end() ? nullptr : row;
}

LineKind read_id(std::string_view word, Frame& frame) {
  std::uint32_t id = 0;
  const bool extended = word.size() == 8 || word.size() == 7;
  if ((!extended && word.size() != 4 && word.size() != 3) || !read_number(word, 16, kMostExtendedId, id))
    return LineKind::bad_id;
  return set_plain_id(id, extended, frame);
}

LineKind end_of_line(const Words& words) { return words.done() ? LineKind::frame : not_expected(words); }

/// What $COLUMNS says where it is not there, by version.
struct DefaultColumns {
  std::string_view version;
  std::string_view columns;
};
constexpr std::array kDefaultColumns{DefaultColumns{"2.0", "N,O,T,I,d,l,D"},
                                     DefaultColumns{"2.1", "N,O,T,B,I,d,R,L,D"},
                                     DefaultColumns{"3.0", "N,O,T,B,I,d,R,V,S,A,r,s,L,D"}};

/// Without what stands behind it: PCAN-Explorer 5 ends one with ';'.
std::string_view value_of(std::string_view text) { return text.substr(0, text.find_first_of(" \t;")); }

}  // namespace

/// The words of one line of a version 2.x, in the places of its columns.
struct Parser::Row {
  std::array<std::string_view, kMostColumns> words;
  const Columns& columns;

  /// Empty: there is no such column.
  [[nodiscard]] std::string_view at(char letter) const {
    for (std::size_t i = 0; i < columns.count; ++i) {
      if (columns.letters[i] == letter) return words[i];
    }
    return {};
  }
};

bool Parser::read_length(const Row& row, bool is_fd, Frame& frame) {
  std::uint32_t number = 0;
  if (read_number(row.at('L'), 10, kMostDlc, number)) {
    if (is_fd) frame.length = fd_length(number);
    if (!is_fd) set_classic_dlc(number, frame);
    return true;
  }
  if (!read_number(row.at('l'), 10, is_fd ? kMostFdBytes : kMostClassicBytes, number)) return false;
  frame.length = static_cast<std::uint8_t>(number);
  return true;
}

LineKind Parser::read(std::string_view line, LineEnd end, LogFrame& out) {
  const Words words(line);
  if (words.rest().starts_with(";$")) return read_keyword(words.rest().substr(2));
  if (words.rest().starts_with(';')) return LineKind::comment;
  return has_columns_ ? read_line_of_2(words, end, out) : read_line_of_1(words, end, out);
}

LineKind Parser::read_keyword(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view keyword = text.substr(0, equals);
  if (equals == std::string_view::npos) return LineKind::header;
  const std::string_view value = value_of(text.substr(equals + 1));
  if (keyword == "STARTTIME") {
    Timestamp time;
    if (read_start_time(value, to_utc_, time)) start_ = time;
  } else if (keyword == "COLUMNS") {
    return set_columns(value);
  } else if (keyword == "FILEVERSION") {
    has_reserved_ = value == "1.3";
    has_columns_ = !value.starts_with("1.");
    for (const DefaultColumns& row : kDefaultColumns) {
      if (row.version == value) return set_columns(row.columns);
    }
  }
  return LineKind::header;
}

/// Each is one letter. A line whose columns are not known has no frame.
LineKind Parser::set_columns(std::string_view text) {
  columns_ = {};
  Columns columns;
  if (text.ends_with(",D")) text.remove_suffix(2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const bool is_last = i + 1 == text.size();
    if (text[i] == 'D' || (!is_last && text[i + 1] != ',') || columns.count == kMostColumns)
      return LineKind::unrecognised;
    columns.letters[columns.count++] = text[i];
  }
  columns_ = columns;
  return LineKind::header;
}

LineKind Parser::read_time(std::string_view word, Timestamp& time) const {
  constexpr int kMilliseconds = 3;
  return read_time_number(word, kMilliseconds, time) && add_time(start_, time) ? LineKind::frame
                                                                               : LineKind::bad_time;
}

/// "     1)     17535.400 1  Rx        0221 -  8    00 00 0B B8 00 00 FF 9C": the bus, the type and the '-'
/// are not in all versions.
LineKind Parser::read_line_of_1(Words words, LineEnd end, LogFrame& out) {
  if (!words.next().ends_with(')')) return LineKind::unrecognised;
  if (const LineKind kind = read_time(words.next(), out.time); kind != LineKind::frame) return kind;
  std::uint32_t bus = 0;
  if (words.peek().size() < 3 && read_number(words.peek(), 10, kMostBus, bus)) words.next();
  if (bus != 0) out.bus = bus_.of(bus - 1);
  if (words.peek() == "Warng") return LineKind::event;
  if (words.peek() == "Error") {
    out.frame = unknown_error();
    return LineKind::frame;
  }
  out.direction = read_direction(words.peek());
  if (out.direction != FrameDirection::unknown) words.next();
  return words.peek() == kNoId ? LineKind::event : read_frame_of_1(words, end, out.frame);
}

LineKind Parser::read_frame_of_1(Words& words, LineEnd end, Frame& frame) const {
  if (const LineKind kind = read_id(words.next(), frame); kind != LineKind::frame) return kind;
  if (words.peek() == "-") {
    words.next();
  } else if (has_reserved_) {
    return LineKind::event;  // J1939, perhaps put together of several frames
  }
  std::uint32_t length = 0;
  if (!read_number(words.next(), 10, kMostClassicBytes, length)) return LineKind::length_mismatch;
  // Behind nothing may have stood "RTR".
  if (length == 0 && words.done() && end == LineEnd::eof) return LineKind::cut;
  frame.length = static_cast<std::uint8_t>(length);
  if (words.peek() == "ERROR") {
    frame = unknown_error();
    return LineKind::frame;
  }
  if (words.peek() == "RTR") {
    words.next();
    frame.kind = FrameKind::remote;
    return end_of_line(words);
  }
  const LineKind kind = read_bytes(words, length, frame.data.data());
  return kind == LineKind::frame ? end_of_line(words) : kind;
}

/// "      1     17535.400 DT 1      0221 Rx -  8    00 00 0B B8 00 00 FF 9C"
LineKind Parser::read_line_of_2(Words words, LineEnd end, LogFrame& out) {
  Row row{{}, columns_};
  for (std::size_t i = 0; i < columns_.count; ++i) row.words[i] = words.next();
  if (const LineKind kind = read_time(row.at('O'), out.time); kind != LineKind::frame) return kind;
  const Type* const type = find_type(row.at('T'));
  if (type == nullptr) return LineKind::unrecognised;
  if (type->content == Content::event) return LineKind::event;
  std::uint32_t bus = 0;
  if (read_number(row.at('B'), 10, kMostBus, bus) && bus != 0) out.bus = bus_.of(bus - 1);
  if (type->content != Content::error) return read_frame_of_2(words, row, end, out);
  // The number of the bus may be cut.
  if (end == LineEnd::eof && words.done()) return LineKind::cut;
  out.frame = unknown_error();
  return LineKind::frame;
}

LineKind Parser::read_frame_of_2(Words& words, const Row& row, LineEnd end, LogFrame& out) {
  const Type& type = *find_type(row.at('T'));
  Frame& frame = out.frame;
  out.direction = read_direction(row.at('d'));
  if (out.direction == FrameDirection::unknown && !row.at('d').empty()) return LineKind::unrecognised;
  if (const LineKind kind = read_id(row.at('I'), frame); kind != LineKind::frame) return kind;
  if (!read_length(row, type.content == Content::fd, frame)) return LineKind::length_mismatch;
  // The length may be cut where it is the last word.
  if (end == LineEnd::eof && words.ended()) return LineKind::cut;
  if (type.content == Content::remote) {
    frame.kind = FrameKind::remote;
    return end_of_line(words);
  }
  if (type.content == Content::fd) {
    frame.kind = FrameKind::fd;
    frame.fd_flags = kFdFormat | type.fd_flags;
  }
  const LineKind kind = read_bytes(words, frame.length, frame.data.data());
  return kind == LineKind::frame ? end_of_line(words) : kind;
}

}  // namespace rangerctl::log::trc
