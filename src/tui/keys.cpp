#include "tui/keys.hpp"

namespace rangerctl::tui {
namespace {

constexpr char kEscape = '\x1b';

bool ends_sequence(char byte) { return byte >= 0x40 && byte <= 0x7E; }

}  // namespace

char KeyParser::take(char byte) {
  if (byte == kEscape) {
    state_ = State::escape;
    return 0;
  }
  switch (state_) {
    case State::ground:
      return byte;
    case State::escape:
      state_ = byte == '[' ? State::sequence : byte == 'O' ? State::single_shift : State::ground;
      return 0;
    case State::sequence:
      if (ends_sequence(byte)) state_ = State::ground;
      return 0;
    case State::single_shift:
      state_ = State::ground;
      return 0;
  }
  return 0;
}

}  // namespace rangerctl::tui
