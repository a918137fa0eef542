#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "rangerctl/result.hpp"

namespace rangerctl::io {

/// Turns a stream of bytes into a compressed one. Every method appends to `out`.
class Compressor {
 public:
  virtual ~Compressor() = default;
  virtual void add(std::string_view in, std::string& out) = 0;
  /// Afterwards `out` has everything that was added so far, as far as a reader is concerned: a file that is
  /// cut behind it can be read up to there.
  virtual void flush(std::string& out) = 0;
  /// Ends the stream; nothing may be added afterwards.
  virtual void finish(std::string& out) = 0;
};

/// The one for a file of this name, ".gz" (gzip) or ".zst" (Zstandard); null: it is not compressed.
[[nodiscard]] std::unique_ptr<Compressor> make_compressor(std::string_view file_name);

/// `file_name` without the ending by which make_compressor() knows it.
[[nodiscard]] std::string_view without_compression(std::string_view file_name);

}  // namespace rangerctl::io
