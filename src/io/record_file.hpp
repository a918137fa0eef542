#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

#include "io/descriptor.hpp"
#include "rangerctl/exchange/ring.hpp"
#include "rangerctl/result.hpp"

namespace rangerctl::io {

/// A new file for a record. The error says why it cannot be made; one that exists is left alone.
Result<Descriptor> create_record(const std::string& path);

/// Writes text to a file until a write fails.
class RecordSink {
 public:
  explicit RecordSink(Descriptor file) : file_(std::move(file)) {}

  void write(std::string_view text);
  [[nodiscard]] bool failed() const { return error_ != 0; }
  /// Why the file could not be written any more; empty: it can.
  [[nodiscard]] std::string trouble() const;

 private:
  Descriptor file_;
  std::atomic<int> error_{0};  ///< errno of the first write that failed
};

/// Takes items from one thread and writes them as text on a thread of its own. The disk never holds up the
/// thread that hands them over: what does not fit into `kSize` waiting items is lost and counted.
template <class Item, std::size_t kSize>
class RecordFile {
 public:
  /// What an item looks like in the file, and what `count` lost ones do; called on the writing thread.
  struct Texts {
    std::function<std::string(const Item&)> item;
    std::function<std::string(std::uint64_t count)> lost;
  };

  /// `head` is written first.
  RecordFile(Descriptor file, std::string_view head, Texts texts)
      : sink_(std::move(file)), texts_(std::move(texts)) {
    sink_.write(head);
    thread_ = std::thread([this] { run(); });
  }
  /// As finish().
  ~RecordFile() { finish(); }
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;

  /// Neither waits, locks nor allocates.
  void push(const Item& item) {
    if (!ring_.push(item)) ++lost_;
  }
  /// Writes what is left; nothing may be pushed afterwards. Then failed() and written() are final.
  void finish() {
    if (!thread_.joinable()) return;
    ends_ = true;
    thread_.join();
    write_waiting();
  }
  [[nodiscard]] std::uint64_t lost() const { return lost_; }
  /// Items that are in the file.
  [[nodiscard]] std::uint64_t written() const { return written_; }
  [[nodiscard]] bool failed() const { return sink_.failed(); }
  [[nodiscard]] std::string trouble() const { return sink_.trouble(); }

 private:
  static constexpr std::chrono::milliseconds kWriteEvery{50};

  void run() {
    while (!ends_) {
      write_waiting();
      std::this_thread::sleep_for(kWriteEvery);
    }
  }
  void write_waiting() {
    std::string text;
    Item item;
    std::uint64_t count = 0;
    for (; ring_.pop(item); ++count) text += texts_.item(item);
    if (const std::uint64_t lost = lost_; lost != lost_written_) {
      text += texts_.lost(lost - lost_written_);
      lost_written_ = lost;
    }
    sink_.write(text);
    if (!sink_.failed()) written_ += count;
  }

  RecordSink sink_;
  Texts texts_;
  exchange::Ring<Item, kSize> ring_;
  std::atomic<std::uint64_t> lost_{0};
  std::atomic<std::uint64_t> written_{0};
  std::uint64_t lost_written_ = 0;
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

}  // namespace rangerctl::io
