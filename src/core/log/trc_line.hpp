#pragma once

#include "reading.hpp"

/// PEAK TRC, one line at a time, in the versions 1.0 to 2.1 ("PEAK CAN TRC File Format"), and of 3.0 what is
/// as in 2.1.
///
/// - Times are milliseconds since $STARTTIME, which is local, counts in days since 1899-12-30 and is taken to
///   the microsecond; without it since zero.
/// - Bus 1 is "can0". Before 1.2 and in 2.0 lines have no bus.
/// - An id of 8 digits has 29 bits, one of 4 has 11; also of 7 and of 3, which python-can and others write.
/// - Versions 1.x tell themselves by their lines. Those of 2.x are what $COLUMNS says, in any order but with
/// D
///   last, L being the DLC and l the number of bytes.
/// - PEAK's error frames have a code of their own: they are read as a bus error with eight bytes of zeros, as
///   those of Vector ASC.
namespace rangerctl::log::trc {

class Parser final : public reading::PlainLineParser {
 public:
  explicit Parser(LocalToUtc to_utc) : to_utc_(to_utc) {}

 private:
  static constexpr std::size_t kMostColumns = 16;

  /// The letters of $COLUMNS, without the D at the end.
  struct Columns {
    std::array<char, kMostColumns> letters{};
    std::size_t count = 0;
  };
  struct Row;

  LineKind read(std::string_view line, LineEnd end, LogFrame& out) override;
  LineKind read_keyword(std::string_view text);
  LineKind read_time(std::string_view word, Timestamp& time) const;
  LineKind read_line_of_1(reading::Words words, LineEnd end, LogFrame& out);
  LineKind read_frame_of_1(reading::Words& words, LineEnd end, Frame& frame) const;
  LineKind read_line_of_2(reading::Words words, LineEnd end, LogFrame& out);
  LineKind read_frame_of_2(reading::Words& words, const Row& row, LineEnd end, LogFrame& out);
  static bool read_length(const Row& row, bool is_fd, Frame& frame);
  LineKind set_columns(std::string_view text);

  LocalToUtc to_utc_;
  Timestamp start_;            ///< digits 0: unknown
  bool has_columns_ = false;   ///< versions 2.x
  bool has_reserved_ = false;  ///< 1.3: a column that says whether it is a message of J1939
  Columns columns_;
  reading::BusName bus_;
};

/// "44548.6028595139", days since 1899-12-30, local.
bool read_start_time(std::string_view text, LocalToUtc to_utc, Timestamp& time);

}  // namespace rangerctl::log::trc
