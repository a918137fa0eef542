#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>

#include "io/record_file.hpp"
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
  enum class NotSent : std::uint8_t { queue_full, refused, dry_run };

  // None of these waits, locks or allocates. What does not fit is counted, and the count is in the file.
  void frame(const Received& received);
  void not_sent(const Frame& frame, NotSent why);
  void event(const teleop::Event& event);
  void key(const teleop::KeyRecord& key);
  void findings(const teleop::Status& status);

  [[nodiscard]] bool failed() const { return file_.sink().failed(); }
  /// Why the file could not be written any more; empty: it can.
  [[nodiscard]] std::string trouble() const { return file_.sink().trouble(); }

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

  TeleopRecord(std::unique_ptr<io::RecordSink> sink, std::string address,
               const protocol::Catalogue& catalogue);
  template <class What>
  void push(const What& what);
  [[nodiscard]] std::string text_of(const Item& item) const;

  std::string address_;
  const protocol::Catalogue& catalogue_;
  io::RecordFile<Item, 4096> file_;
};

}  // namespace rangerctl::cli
