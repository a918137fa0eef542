#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "cli/teleop_record.hpp"
#include "io/descriptor.hpp"
#include "io/tcp_answer.hpp"
#include "rangerctl/exchange/latest.hpp"
#include "rangerctl/exchange/ring.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/result.hpp"
#include "rangerctl/teleop/draw.hpp"
#include "rangerctl/teleop/status.hpp"
#include "tui/painter.hpp"
#include "tui/tty.hpp"

namespace rangerctl::cli {

/// Everything that teleop writes to the terminal while it drives, on a thread of its own: pictures, and the
/// status queries that bound the age of a key. A picture waits while the terminal has not answered for a
/// while, so that a stalled link does not fill with old ones; a query never waits for a picture but for the
/// rest of one.
class TeleopScreen {
 public:
  struct Options {
    bool ascii = false;
    const TeleopRecord* record = nullptr;  ///< null: nothing is recorded
    std::string address;
    std::optional<io::TcpAnswer> tcp;  ///< of the SSH session, where it is to be looked at
  };

  /// Keeps references to all but the options.
  static Result<std::unique_ptr<TeleopScreen>> start(tui::Tty& tty, tui::Painter& painter,
                                                     const protocol::Catalogue& catalogue, Options options);
  /// Ends the thread. What was taken over and not written yet stays in the Tty's writer.
  ~TeleopScreen();
  TeleopScreen(const TeleopScreen&) = delete;
  TeleopScreen& operator=(const TeleopScreen&) = delete;

  // None of these waits, locks or allocates.
  /// Writes a status query as soon as it can. One that was asked for is always written, for its answer is
  /// counted.
  void ask();
  void show(const teleop::Status& status);
  void event(const teleop::Event& event);
  /// Draws and switches on everything again: somebody else used the terminal.
  void repaint();
  /// Whether the window is large enough to show the state.
  [[nodiscard]] bool fits() const { return fits_; }
  [[nodiscard]] bool vanished() const { return vanished_; }
  /// See Facts::tcp_missing.
  [[nodiscard]] std::optional<std::chrono::milliseconds> tcp_missing() const;

 private:
  TeleopScreen(tui::Tty& tty, tui::Painter& painter, const protocol::Catalogue& catalogue, Options options,
               io::Descriptor wake);
  void run();
  void wait();
  void wake();
  void write_queries();
  void take_events();
  void add_line(std::string text);
  void look_at_tcp();
  void paint();
  std::string take_again();
  [[nodiscard]] bool should_paint(const teleop::Status& status) const;
  void measure_rate(const teleop::Status& status);

  tui::Tty& tty_;
  tui::Painter& painter_;
  const protocol::Catalogue& catalogue_;
  Options options_;
  io::Descriptor wake_;  ///< an eventfd

  std::atomic<std::uint32_t> asked_{0};
  std::atomic<bool> all_anew_{false};
  std::atomic<bool> fits_{true};
  std::atomic<bool> vanished_{false};
  std::atomic<std::int64_t> tcp_missing_ms_{0};
  std::atomic<bool> ends_{false};
  exchange::Latest<teleop::Status> status_;
  exchange::Ring<teleop::Event, 256> events_;

  // Of the thread.
  std::uint32_t written_ = 0;
  const teleop::Status* newest_ = nullptr;
  bool is_news_ = false;
  std::deque<teleop::EventLine> lines_;
  bool told_record_failed_ = false;
  std::chrono::steady_clock::time_point painted_at_;
  std::chrono::steady_clock::time_point tcp_at_;
  teleop::State painted_state_ = teleop::State::disarmed;
  std::optional<double> rate_;
  std::chrono::steady_clock::time_point rate_since_;
  std::uint64_t rate_from_ = 0;
  std::thread thread_;
};

}  // namespace rangerctl::cli
