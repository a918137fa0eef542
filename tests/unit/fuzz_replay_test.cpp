#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "../fuzz/fuzz.hpp"

namespace rangerctl {
namespace {

namespace fs = std::filesystem;

struct Target {
  const char* name;
  void (*function)(std::span<const std::uint8_t> input);
};

/// One file whole and cut at every byte, as the last line of a file or a read from a terminal may be.
void replay(const fs::path& file, const Target& target) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  for (std::size_t size = 0; size <= bytes.size(); ++size) target.function(bytes.first(size));
}

/// What does not hold aborts.
TEST(FuzzReplay, TheCorporaHold) {
  for (const Target& target :
       {Target{"candump_line", fuzz::candump_line}, Target{"log_line", fuzz::log_line},
        Target{"binary_log", fuzz::binary_log}, Target{"terminal_input", fuzz::terminal_input}}) {
    std::size_t files = 0;
    for (const fs::directory_entry& entry :
         fs::directory_iterator(fs::path(RANGERCTL_FUZZ_CORPUS) / target.name)) {
      SCOPED_TRACE(entry.path().string());
      replay(entry.path(), target);
      ++files;
    }
    EXPECT_GE(files, 20U) << target.name;
  }
}

}  // namespace
}  // namespace rangerctl
