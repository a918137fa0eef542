#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "rangerctl/monitor/screen.hpp"
#include "rangerctl/result.hpp"

namespace rangerctl::tui {

/// Turns screens into the bytes that the terminal named in TERM needs to show them. ncurses works out the
/// differences; it writes into memory, reads nothing, and touches neither a terminal nor a signal handler.
///
/// It believes that the terminal shows all that was painted: whoever loses some of these bytes calls
/// repaint(). One of them at a time, used by one thread at a time: what ncurses knows is global.
class Painter {
 public:
  /// `colors`: use them where the terminal has some. `size`: of the terminal; where it does not know its own,
  /// $LINES and $COLUMNS or the terminal database say it. Precondition: why_no_screen() is empty.
  static Result<std::unique_ptr<Painter>> open(bool colors, std::optional<monitor::Size> size);
  ~Painter();
  Painter(const Painter&) = delete;
  Painter& operator=(const Painter&) = delete;

  [[nodiscard]] monitor::Size size() const;

  /// Another size is painted in full.
  void resize(monitor::Size size);
  /// The next picture is painted in full.
  void repaint();
  /// The bytes from the last picture to this one, valid until the next call; none where nothing differs. What
  /// lies outside of size() is cut off.
  std::string_view paint(const monitor::Screen& screen);

  /// What the terminal needs before the first picture: an own screen without a cursor.
  [[nodiscard]] std::string enter() const;
  /// What puts back the screen and the cursor that were there before. Right behind a piece of a picture too.
  [[nodiscard]] std::string leave() const;

 private:
  Painter();

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rangerctl::tui
