#pragma once

#include <termios.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rangerctl/monitor/screen.hpp"
#include "rangerctl/result.hpp"

namespace rangerctl::tui {

/// The one way out to a terminal: in whole pieces, and never waiting for it. A stalled connection costs
/// pieces, but no time and no sense: whatever arrives is a sequence of whole pieces. Holds a copy of one
/// piece at most, and no memory is taken for one that is not larger than those before.
class Writer {
 public:
  /// `terminal`: non-blocking, and open for as long as this lives.
  explicit Writer(int terminal) : terminal_(terminal) {}

  /// Whether write() would take a piece.
  [[nodiscard]] bool idle() const { return pending() == 0 && !vanished_; }
  /// Takes over all of `whole` and hands on what the terminal takes now; false, and nothing is taken, while
  /// something is pending or where the terminal has vanished.
  bool write(std::string_view whole);
  /// Hands on what the terminal takes now; to be called when it takes something again (POLLOUT).
  void flush();
  /// Waits until nothing is pending, at most `patience`. Returns whether nothing is.
  bool drain(std::chrono::milliseconds patience);
  /// Forgets what is pending. The terminal may have got the beginning of a piece.
  void drop() { sent_ = piece_.size(); }

  /// Number of bytes taken over and not handed on yet.
  [[nodiscard]] std::size_t pending() const { return piece_.size() - sent_; }
  /// Whether the terminal is gone; nothing is pending any more.
  [[nodiscard]] bool vanished() const { return vanished_; }

 private:
  int terminal_;
  std::string piece_;
  std::size_t sent_ = 0;
  bool vanished_ = false;
};

/// A terminal: its line settings, its bytes in and out. Has open file descriptions of its own, so that
/// neither O_NONBLOCK nor anything else stays behind with the shell that shares the standard streams.
/// No thread may be in two calls at once; reading on one thread and writing on another is fine.
class Tty {
 public:
  /// The terminal on `output`, with the keyboard of the one on `input`; where that is none, of /dev/tty;
  /// where there is none of that either, without a keyboard. Fails where `output` cannot be opened once more.
  /// The line settings stay as they are until raw(). Precondition: `output` is a terminal.
  static Result<std::unique_ptr<Tty>> open(int input = STDIN_FILENO, int output = STDOUT_FILENO);
  /// Restores the line settings.
  ~Tty();
  Tty(const Tty&) = delete;
  Tty& operator=(const Tty&) = delete;

  /// Bytes one by one, in and out as they are, without echo. `keep_signals`: Ctrl-C and Ctrl-Z stay signals
  /// and Ctrl-S still stops the output; without, every key is a byte.
  void raw(bool keep_signals);
  /// The line settings as at open(). Keeps what was not read yet, and does not wait for the output.
  void restore();
  [[nodiscard]] const termios& settings() const { return settings_; }  ///< those of open()

  struct Read {
    std::size_t count = 0;  ///< 0: nothing is there
    bool vanished = false;  ///< nothing will ever be: hung up, or the end of the file
  };
  /// What has arrived, without waiting for it.
  Read read(std::span<char> buffer) const;

  [[nodiscard]] Writer& writer() { return writer_; }
  /// Throws away all output that has not reached the other end, here and in the kernel, and undoes a Ctrl-S.
  /// What is written next begins with a sequence that ends another one. (Every ESC does.)
  void discard_output();
  /// For what has to arrive, such as leaving the screen: waits for what is pending and for `bytes`, at most
  /// kPatience each; where the terminal does not take them, the output is discarded and `bytes` written.
  void force(std::string_view bytes);
  static constexpr std::chrono::milliseconds kPatience{200};

  /// As the terminal tells it, if it does.
  [[nodiscard]] std::optional<monitor::Size> size() const;

  [[nodiscard]] int input() const { return input_; }  ///< to poll; -1: no keyboard
  [[nodiscard]] int output() const { return output_; }
  /// The one whose line settings these are: that of the keyboard, if there is one.
  [[nodiscard]] int of_settings() const { return input_ >= 0 ? input_ : output_; }

 private:
  Tty(int input, int output) : input_(input), output_(output), writer_(output) {}
  void set(const termios& settings) const;

  int input_;
  int output_;
  Writer writer_;
  termios settings_{};
};

}  // namespace rangerctl::tui
