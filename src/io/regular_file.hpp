#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace rangerctl::io {

/// Which file it is that has a name, and how long.
struct RegularFile {
  dev_t device;
  ino_t inode;
  off_t size;

  [[nodiscard]] bool is_same_file(const RegularFile& other) const {
    return device == other.device && inode == other.inode;
  }
  bool operator==(const RegularFile&) const = default;
};

/// Nothing where `path` is no regular file, which alone can be read again from its beginning: a pipe, a
/// device, "-", or nothing at all.
[[nodiscard]] std::optional<RegularFile> regular_file(const std::string& path);

}  // namespace rangerctl::io
