#include "rangerctl/terminal/handshake.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace rangerctl::terminal {
namespace {

constexpr std::string_view kAskTerminal = "\x1b[?u\x1b[>c\x1b[c";
/// Disambiguate (1), report event types (2), report all keys as escape codes (8): without 8 letters are
/// plain text that is never released.
constexpr std::string_view kAskKeyboard = "\x1b[>11u\x1b[?u\x1b[c";
constexpr std::uint32_t kKeyReleases = 1 | 2 | 8;
constexpr std::string_view kPop = "\x1b[<u";

constexpr std::array<std::string_view, 4> kRelayNames{"none", "tmux", "screen", "mosh"};

struct EnvironmentRow {
  std::string_view Environment::*variable;
  std::string_view prefix;  ///< empty: it is set to anything
  Relay relay;
};
constexpr std::array kEnvironment{
    EnvironmentRow{&Environment::tmux, "", Relay::tmux},
    EnvironmentRow{&Environment::sty, "", Relay::screen},
    EnvironmentRow{&Environment::no_utf8_acs, "", Relay::mosh},
    EnvironmentRow{&Environment::term, "tmux", Relay::tmux},
    EnvironmentRow{&Environment::term, "screen", Relay::screen},
};

Relay relay_of(const Environment& environment) {
  const auto* const row =
      std::find_if(kEnvironment.begin(), kEnvironment.end(), [&](const EnvironmentRow& candidate) {
        const std::string_view value = environment.*candidate.variable;
        return !value.empty() && value.starts_with(candidate.prefix);
      });
  return row == kEnvironment.end() ? Relay::none : row->relay;
}

/// What each of them says of itself; measured with tmux 3.3a, screen 4.9 and mosh 1.4.
Relay relay_of(const Event& attributes) {
  if (attributes.first == 84) return Relay::tmux;
  if (attributes.first == 83) return Relay::screen;
  return attributes.first == 1 && attributes.second == 10 ? Relay::mosh : Relay::none;
}

}  // namespace

std::string_view relay_name(Relay relay) { return kRelayNames[static_cast<std::size_t>(relay)]; }

Handshake::Handshake(const Environment& environment) : output_(kAskTerminal) {
  found_.relay = relay_of(environment);
}

std::string_view Handshake::output() { return std::exchange(output_, {}); }

bool Handshake::take(const Event& event, SteadyTime now) {
  pass(now);
  switch (event.kind) {
    case EventKind::secondary_attributes:
      if (const Relay relay = relay_of(event); relay != Relay::none) found_.relay = relay;
      break;
    case EventKind::kitty_flags:
      kitty_flags_ = event.first;
      break;
    case EventKind::primary_attributes:
      break;
    default:
      return false;
  }
  if (round_ != Round::over) found_.answers = true;
  if (event.kind == EventKind::primary_attributes) end_round(now);
  return true;
}

void Handshake::end_round(SteadyTime now) {
  if (round_ == Round::keyboard) {
    const bool reports = (kitty_flags_.value_or(0) & kKeyReleases) == kKeyReleases;
    finish(reports && found_.relay == Relay::none);
  } else if (round_ == Round::terminal && kitty_flags_ && found_.relay == Relay::none) {
    round_ = Round::keyboard;
    since_ = now;
    kitty_flags_.reset();
    output_ = kAskKeyboard;
  } else {
    round_ = Round::over;
  }
}

/// Of the keyboard round.
void Handshake::finish(bool key_releases) {
  round_ = Round::over;
  found_.key_releases = key_releases;
  if (!key_releases) output_ = kPop;
}

void Handshake::pass(SteadyTime now) {
  if (!since_) since_ = now;
  if (now - *since_ < kPatience) return;
  if (round_ == Round::keyboard) finish(false);
  round_ = Round::over;
}

std::optional<Capabilities> Handshake::result(SteadyTime now) {
  pass(now);
  return round_ == Round::over ? std::optional(found_) : std::nullopt;
}

}  // namespace rangerctl::terminal
