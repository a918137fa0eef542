#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/compress.hpp"
#include "io/descriptor.hpp"
#include "rangerctl/result.hpp"

namespace rangerctl::io {

/// Where a record goes.
struct RecordOptions {
  std::string path;                              ///< "-" is standard output; ".gz" and ".zst" are compressed
  std::optional<std::uint64_t> file_bytes = {};  ///< begin another file before one is larger than that
  std::optional<std::chrono::milliseconds> file_time = {};  ///< or when it is so old
  std::optional<unsigned> keep = {};                        ///< only the last files of this record
  /// How often what was written is made safe from a loss of power; 0: after every write; nothing: at the end.
  std::optional<std::chrono::milliseconds> sync = std::chrono::seconds(1);

  /// Whether the record is cut into numbered files, see record::numbered_name().
  [[nodiscard]] bool is_cut() const { return file_bytes || file_time; }
};

/// Writes lines to a new file, or to several, until a write fails. A file that exists is never overwritten.
///
/// After a crash of the program the file has every line that was written, the last one whole; a compressed
/// file what was written up to the last sync. After a loss of power both have that. Where the disk is full
/// the file ends with the last whole line. Files of a limited size never exceed it, but for a single line
/// that is longer, and for compressed files, which do by what is written at once.
class RecordSink {
 public:
  /// The error says why the file cannot be made.
  static Result<std::unique_ptr<RecordSink>> create(RecordOptions options);

  /// Writes whole lines, or nothing, and syncs when it is time to.
  void write(std::string_view lines);
  /// Writes and syncs what is left; nothing may be written afterwards.
  void finish();

  // To be asked by any thread.
  [[nodiscard]] bool failed() const { return error_ != 0; }
  /// Why the file could not be written any more; empty: it can, or nobody reads standard output any more.
  [[nodiscard]] std::string trouble() const;
  /// Bytes in all files, also in those that are no longer kept.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// Lines that are in the files; of a compressed file that could not be written any more those up to the
  /// last sync.
  [[nodiscard]] std::uint64_t lines() const { return failed() && is_compressed_ ? synced_lines_ : lines_; }
  /// The file that is written now, or was last.
  [[nodiscard]] std::string file() const { return name_of(number_); }
  /// What is left on the file system, as it was at the last sync; nothing where it has no end that is known.
  [[nodiscard]] std::optional<std::uint64_t> free_bytes() const;
  /// How many files it made, also those that are no longer kept.
  [[nodiscard]] unsigned files() const { return files_; }

 private:
  using Clock = std::chrono::steady_clock;

  explicit RecordSink(RecordOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::string name_of(unsigned number) const;
  int open();
  void note_free_space();
  void close();
  [[nodiscard]] bool is_full(std::string_view lines) const;
  void begin_next_file();
  std::string_view fitting(std::string_view lines) const;
  std::uint64_t put(std::string_view lines);
  std::size_t write_bytes(std::string_view bytes);
  void sync();
  void fail(int error);

  RecordOptions options_;
  std::deque<std::string> names_;  ///< of files that this record made and keeps
  Descriptor file_;
  std::unique_ptr<Compressor> compressor_;
  bool regular_ = false;         ///< of the file: can be synced and cut
  std::uint64_t file_size_ = 0;  ///< of the file that is written now
  bool is_dirty_ = false;        ///< something was written since the last sync
  Clock::time_point opened_;
  Clock::time_point synced_;
  std::atomic<unsigned> number_{1};
  std::atomic<unsigned> files_{0};
  std::atomic<std::uint64_t> bytes_{0};
  std::atomic<std::uint64_t> lines_{0};
  std::atomic<std::uint64_t> synced_lines_{0};
  std::atomic<bool> is_compressed_{false};
  std::atomic<std::int64_t> free_bytes_{-1};  ///< below zero: not known
  std::atomic<int> error_{0};                 ///< errno of the first write that failed
};

}  // namespace rangerctl::io
