#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <variant>

#include "io/descriptor.hpp"
#include "rangerctl/exchange/ring.hpp"
#include "rangerctl/frame.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/result.hpp"
#include "rangerctl/teleop/machine.hpp"

namespace rangerctl::cli {

/// Writes what happens as a candump log, on a thread of its own, so that an incident can be replayed: every
/// frame of both directions; and, as comments of JSON, every state with its reasons and every key with its
/// age. See the README.
class TeleopRecord {
 public:
  /// `catalogue` is kept by reference. The error says why the file cannot be made; one that exists is left
  /// alone.
  static Result<std::unique_ptr<TeleopRecord>> create(const std::string& path, const std::string& address,
                                                      const protocol::Catalogue& catalogue);
  /// Writes what is left.
  ~TeleopRecord();
  TeleopRecord(const TeleopRecord&) = delete;
  TeleopRecord& operator=(const TeleopRecord&) = delete;

  enum class NotSent : std::uint8_t { queue_full, refused, dry_run };

  // None of these waits, locks or allocates. What does not fit is counted, and the count is in the file.
  void frame(const Received& received);
  void not_sent(const Frame& frame, NotSent why);
  void event(const teleop::Event& event);
  void key(const teleop::KeyRecord& key);
  void findings(const teleop::Status& status);

  [[nodiscard]] bool failed() const { return error_ != 0; }
  /// Why the file could not be written any more; empty: it can.
  [[nodiscard]] std::string trouble() const;

 private:
  struct FrameNotSent {
    Frame frame;
    NotSent why;
  };
  struct Reasons {
    teleop::State state;
    teleop::Findings findings;
    teleop::Motion sent;
  };
  struct Item {
    Timestamp time;
    std::variant<Received, FrameNotSent, teleop::Event, teleop::KeyRecord, Reasons> what;
  };

  TeleopRecord(io::Descriptor file, std::string address, const protocol::Catalogue& catalogue);
  template <class What>
  void push(const What& what);
  void run();
  void write_waiting();
  void write_out(std::string_view text);
  [[nodiscard]] std::string text_of(const Item& item);
  [[nodiscard]] std::string frame_text(const Received& received) const;

  io::Descriptor file_;
  std::string address_;
  const protocol::Catalogue& catalogue_;
  exchange::Ring<Item, 4096> ring_;
  std::atomic<std::uint64_t> lost_{0};
  std::uint64_t lost_written_ = 0;
  std::atomic<int> error_{0};  ///< errno of the first write that failed
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

}  // namespace rangerctl::cli
