#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace rangerctl::testing {

/// A new folder that is removed with everything in it.
class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "rangerctl.XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
    path_ = name;
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  [[nodiscard]] std::string file(std::string_view name) const { return (path_ / name).string(); }

  /// Makes or replaces a file; returns its path.
  [[nodiscard]] std::string write(std::string_view name, std::string_view content) const {
    std::ofstream stream(file(name), std::ios::binary);
    stream << content;
    stream.close();
    if (!stream) throw std::runtime_error("cannot write " + file(name));
    return file(name);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace rangerctl::testing
