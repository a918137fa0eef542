#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "io/record_sink.hpp"
#include "io/thread_signals.hpp"
#include "rangerctl/exchange/ring.hpp"

namespace rangerctl::io {

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
  RecordFile(std::unique_ptr<RecordSink> sink, std::string_view head, Texts texts)
      : sink_(std::move(sink)), texts_(std::move(texts)) {
    sink_->write(head);
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
  /// The same for what must not be lost: false, and nothing counted, where there is no room now.
  [[nodiscard]] bool offer(const Item& item) { return ring_.push(item); }
  /// Writes what is left; nothing may be pushed afterwards. Then everything below is final.
  void finish() {
    if (!thread_.joinable()) return;
    ends_ = true;
    thread_.join();
    write_waiting();
    sink_->finish();
  }
  [[nodiscard]] std::uint64_t lost() const { return lost_; }
  [[nodiscard]] const RecordSink& sink() const { return *sink_; }

 private:
  static constexpr std::chrono::milliseconds kWriteEvery{50};

  void run() {
    leave_signals_to_others();
    while (!ends_) {
      write_waiting();
      std::this_thread::sleep_for(kWriteEvery);
    }
  }
  void write_waiting() {
    std::string text;
    Item item;
    while (ring_.pop(item)) text += texts_.item(item);
    if (const std::uint64_t lost = lost_; lost != lost_written_) {
      text += texts_.lost(lost - lost_written_);
      lost_written_ = lost;
    }
    sink_->write(text);
  }

  std::unique_ptr<RecordSink> sink_;
  Texts texts_;
  exchange::Ring<Item, kSize> ring_;
  std::atomic<std::uint64_t> lost_{0};
  std::uint64_t lost_written_ = 0;
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

}  // namespace rangerctl::io
