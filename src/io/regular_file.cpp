#include "io/regular_file.hpp"

#include <sys/stat.h>

namespace rangerctl::io {

std::optional<RegularFile> regular_file(const std::string& path) {
  struct stat status {};
  if (path == "-" || ::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return RegularFile{status.st_dev, status.st_ino, status.st_size};
}

}  // namespace rangerctl::io
