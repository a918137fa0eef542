#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "rangerctl/terminal/input.hpp"
#include "rangerctl/transport.hpp"

/// What the terminal at the other end can do, found out by asking it.
namespace rangerctl::terminal {

/// What stands between this program and the keyboard and answers in the terminal's place, so that its answers
/// say nothing about the way to the operator.
enum class Relay : std::uint8_t { none, tmux, screen, mosh };
[[nodiscard]] std::string_view relay_name(Relay relay);

/// What the environment variables say; each as in the environment, empty where it is not set.
struct Environment {
  std::string_view tmux{};         ///< $TMUX
  std::string_view sty{};          ///< $STY, of screen
  std::string_view term{};         ///< $TERM
  std::string_view no_utf8_acs{};  ///< $NCURSES_NO_UTF8_ACS, which mosh sets
};

struct Capabilities {
  bool answers = false;       ///< it answers queries at all
  bool key_releases = false;  ///< kitty keyboard protocol: pushed and verified, so it must be popped
  Relay relay = Relay::none;  ///< from the environment, or as it says itself, which counts more
};

/// Asks in two rounds: what the terminal is and has; then, where it has the kitty keyboard protocol and
/// nothing stands in between, it is switched on and asked whether that worked. Pure: the caller writes what
/// output() gives and hands on what the parser says. The terminal answers in order, so the answer to
/// `CSI c`, which every terminal gives, is the last of a round.
class Handshake {
 public:
  explicit Handshake(const Environment& environment);

  /// Bytes to write to the terminal now; each is given once. To be asked for at first and after each other
  /// call, when the outcome is known, too: what was switched on in vain is switched off again.
  [[nodiscard]] std::string_view output();

  /// An event of the parser at `now`. True: it was an answer to such questions, a late one included;
  /// everything else is not used up.
  bool take(const Event& event, SteadyTime now);

  /// The outcome once it is known, or once kPatience has passed since the first call of result() or take().
  /// A late answer can still name a relay, and changes nothing else.
  [[nodiscard]] std::optional<Capabilities> result(SteadyTime now);

  static constexpr std::chrono::milliseconds kPatience{2000};  ///< for each round

 private:
  enum class Round : std::uint8_t { terminal, keyboard, over };

  void pass(SteadyTime now);
  void end_round(SteadyTime now);
  void finish(bool key_releases);

  Round round_ = Round::terminal;
  std::optional<SteadyTime> since_;             ///< when this round began
  std::optional<std::uint32_t> kitty_flags_{};  ///< as answered in this round
  std::string_view output_;
  Capabilities found_;
};

/// Modes that the dialogue with an operator needs, on and off: focus events, bracketed paste.
inline constexpr std::string_view kSwitchOn = "\x1b[?1004h\x1b[?2004h";
/// The kitty keyboard protocol as the handshake has switched it on, where somebody may have changed it.
inline constexpr std::string_view kSwitchOnReleases = "\x1b[=11;1u";
/// Off again, the kitty keyboard protocol included, in whatever state the terminal is. To be written before
/// the alternate screen is left, which has a protocol stack of its own.
inline constexpr std::string_view kSwitchOff = "\x1b[<u\x1b[=0;1u\x1b[>4;0m\x1b[?1004l\x1b[?2004l";
/// `CSI 5 n`: whoever answers has read everything before it.
inline constexpr std::string_view kStatusQuery = "\x1b[5n";

}  // namespace rangerctl::terminal
