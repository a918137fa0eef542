#include "rangerctl/monitor/screen.hpp"

#include <algorithm>
#include <array>

namespace rangerctl::monitor {
namespace {

struct Block {
  char32_t first;
  char32_t last;
};

/// Characters that every terminal shows in one column.
constexpr std::array kNarrow{
    Block{0x20, 0x7E},      // ASCII
    Block{0xA1, 0xAC},      // Latin-1, without no-break space and soft hyphen
    Block{0xAE, 0x2FF},     // ... Latin Extended, phonetic
    Block{0x370, 0x373},    // Greek
    Block{0x391, 0x3A1},    //
    Block{0x3A3, 0x482},    // ... and Cyrillic, up to its combining marks
    Block{0x48A, 0x52F},    //
    Block{0x2026, 0x2026},  // ellipsis
    Block{0x2500, 0x259F},  // lines and blocks
    Block{0x2800, 0x28FF},  // braille
};

bool is_narrow(char32_t character) {
  return std::any_of(kNarrow.begin(), kNarrow.end(), [character](const Block& block) {
    return character >= block.first && character <= block.last;
  });
}

struct AsciiTwin {
  char32_t character;
  char32_t ascii;
};
constexpr std::array kAsciiTwins{
    AsciiTwin{U'─', U'-'}, AsciiTwin{U'│', U'|'}, AsciiTwin{U'█', U'#'},
    AsciiTwin{U'░', U'.'}, AsciiTwin{U'…', U'~'},
};

char32_t to_ascii(char32_t character) {
  if (character <= 0x7E) return character;
  const auto twin = std::find_if(kAsciiTwins.begin(), kAsciiTwins.end(),
                                 [character](const AsciiTwin& row) { return row.character == character; });
  return twin == kAsciiTwins.end() ? U'?' : twin->ascii;
}

/// Takes the first character off `text`, which is not empty; what is no UTF-8 goes byte by byte as '?'.
char32_t take_character(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 0;
  char32_t character = length == 1 ? lead : lead & (length == 2 ? 0x1FU : 0x0FU);
  std::size_t taken = 1;
  while (taken < length && taken < text.size() &&
         (static_cast<unsigned char>(text[taken]) & 0xC0U) == 0x80U) {
    character = (character << 6U) | (static_cast<unsigned char>(text[taken]) & 0x3FU);
    ++taken;
  }
  text.remove_prefix(taken);
  return taken == length && is_narrow(character) ? character : U'?';
}

void append_utf8(std::string& out, char32_t character) {
  const auto tail = [&out](char32_t bits) { out += static_cast<char>(0x80U | (bits & 0x3FU)); };
  if (character < 0x80) {
    out += static_cast<char>(character);
  } else if (character < 0x800) {
    out += static_cast<char>(0xC0U | (character >> 6U));
    tail(character);
  } else {
    out += static_cast<char>(0xE0U | (character >> 12U));
    tail(character >> 6U);
    tail(character);
  }
}

}  // namespace

Screen::Screen(Size size) : size_{std::max(size.rows, 1), std::max(size.columns, 1)} {
  cells_.resize(static_cast<std::size_t>(size_.rows) * static_cast<std::size_t>(size_.columns));
}

int Screen::put_text(int row, int column, std::string_view text, Style style) {
  for (; !text.empty(); ++column) {
    const char32_t character = take_character(text);
    const bool inside = row >= 0 && row < size_.rows && column >= 0 && column < size_.columns;
    if (inside) cells_[index(row, column)] = {character, style};
  }
  return column;
}

void Screen::reduce_to_ascii() {
  for (Cell& cell : cells_) cell.character = to_ascii(cell.character);
}

std::string to_text(const Screen& screen) {
  std::string text;
  for (int row = 0; row < screen.size().rows; ++row) {
    for (int column = 0; column < screen.size().columns; ++column) {
      append_utf8(text, screen.at(row, column).character);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

int text_width(std::string_view text) {
  int width = 0;
  for (; !text.empty(); ++width) take_character(text);
  return width;
}

std::string_view clipped(std::string_view text, int columns) {
  std::string_view rest = text;
  for (int i = 0; i < columns && !rest.empty(); ++i) take_character(rest);
  return text.substr(0, text.size() - rest.size());
}

}  // namespace rangerctl::monitor
