#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "rangerctl/log/log_frame.hpp"
#include "rangerctl/output/record_writer.hpp"
#include "rangerctl/output/text_buffer.hpp"
#include "rangerctl/protocol/schema.hpp"

namespace rangerctl::convert {

/// What could not be said in a table of rows at equal distances.
struct WideCsvNotes {
  std::uint64_t gaps = 0;      ///< stretches without any frame that have no rows
  std::uint64_t backward = 0;  ///< how often the log's time went back, and the rows with it
  std::uint64_t timeless = 0;  ///< frames without a time, left out
};

/// Decoded signals as a table: a row each `grid`, a column a signal, numbers alone: scaled values, choices
/// and flags as the integers that they are in the frame. So PlotJuggler, pandas and spreadsheets open it.
///
/// Rows lie at the whole second in which the log begins plus multiples of the grid. A row has what was last
/// received by then, its own moment included; nothing where that is older than a second, than five periods of
/// its message and than a step of the grid. No row lies further behind the frame before it than a second, or
/// one step of the grid where that is more.
class WideCsv {
 public:
  /// `grid` is positive. `catalogue` is kept by reference.
  WideCsv(const protocol::Catalogue& catalogue, std::vector<output::SignalChoice> columns,
          std::chrono::nanoseconds grid);

  void write_header(output::TextBuffer& out) const;
  /// Takes the next frame of the log and appends the rows before it.
  void take(const log::LogFrame& frame, output::TextBuffer& out);
  /// Appends the last row.
  void finish(output::TextBuffer& out);

  [[nodiscard]] const WideCsvNotes& notes() const { return notes_; }

 private:
  using Offset = std::chrono::nanoseconds;  ///< from the second in which the log begins

  struct Column {
    output::SignalChoice choice;
    std::size_t message;  ///< index into the catalogue
  };
  struct Latest {
    std::uint64_t word = 0;
    std::optional<Offset> time;
  };

  [[nodiscard]] Offset offset_of(const Timestamp& time) const;
  [[nodiscard]] Offset first_row_from(Offset time) const;
  void begin(const Timestamp& time);
  void move_to(Offset time, output::TextBuffer& out);
  void write_rows(Offset before, output::TextBuffer& out);
  void write_row(output::TextBuffer& out) const;
  char* put_time(char* to) const;
  char* put_cell(char* to, const Column& column) const;

  const protocol::Catalogue& catalogue_;
  std::vector<Column> columns_;
  Offset grid_;
  unsigned decimals_;  ///< of the time
  std::vector<Latest> latest_;
  std::optional<std::int64_t> base_;  ///< the second in which the log begins
  Offset last_{0};                    ///< of the last frame
  Offset next_row_{0};
  WideCsvNotes notes_;
};

}  // namespace rangerctl::convert
