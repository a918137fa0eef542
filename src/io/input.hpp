#pragma once

#include <memory>
#include <span>
#include <string>

#include "rangerctl/result.hpp"

namespace rangerctl::io {

/// Bytes of a file, a pipe or a terminal, decompressed where their beginning is gzip or Zstandard, whatever
/// the name.
class Input {
 public:
  virtual ~Input() = default;
  /// Reads at least one byte unless at the end (0). Compressed data that end too early are an Error, after
  /// everything that could be read was returned. A stop signal is an Error with its status and no message.
  virtual Result<std::size_t> read(std::span<char> buffer) = 0;
  /// As messages call it.
  [[nodiscard]] virtual std::string name() const { return "the log"; }
  /// Whether read() may have to wait for somebody to write: what was read so far should be shown before.
  [[nodiscard]] virtual bool may_wait() const = 0;
  /// Whether it would wait now.
  [[nodiscard]] virtual bool would_wait() const = 0;
};

/// `path` "-" is standard input. Directories and files that cannot be opened are an Error.
Result<std::unique_ptr<Input>> open_input(const std::string& path);

/// Says on stderr that something is read from the terminal, where `path` is that: nobody waits in vain.
void tell_of_terminal(const std::string& path);

/// The file as messages call it: its path, or "standard input".
[[nodiscard]] std::string input_name(const std::string& path);

}  // namespace rangerctl::io
