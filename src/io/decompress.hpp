#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "rangerctl/result.hpp"

namespace rangerctl::io {

/// Longest beginning by which a compressed file is known.
inline constexpr std::size_t kMagicLength = 4;

/// Whether data that begin with `start` (perhaps shorter than kMagicLength) can still turn out to be
/// compressed.
[[nodiscard]] bool may_be_compressed(std::string_view start);

/// Turns a stream of compressed bytes into plain ones, several members or frames behind each other included.
class Decompressor {
 public:
  virtual ~Decompressor() = default;
  /// Takes bytes from the front of `in` and fills `out`; returns how many bytes `out` got. 0 with `in` empty:
  /// more input is needed. The error says what is wrong with the data.
  virtual Result<std::size_t> step(std::string_view& in, std::span<char> out) = 0;
  /// Whether the stream may end here.
  [[nodiscard]] virtual bool complete() const = 0;
};

/// The one for data that begin with `start`; null where they are not compressed.
[[nodiscard]] std::unique_ptr<Decompressor> make_decompressor(std::string_view start);

}  // namespace rangerctl::io
