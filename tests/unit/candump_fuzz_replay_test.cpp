#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

/// One file whole and cut at every byte, as the last line of a file may be.
void replay(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  for (std::size_t size = 0; size <= text.size(); ++size) {
    SCOPED_TRACE(file.filename().string());
    ASSERT_EQ(LLVMFuzzerTestOneInput(bytes, size), 0);
  }
}

TEST(CandumpFuzz, TheCorpusHolds) {
  std::size_t files = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(RANGERCTL_FUZZ_CORPUS "/candump_line")) {
    replay(entry.path());
    ++files;
  }
  EXPECT_GE(files, 20U);
}

}  // namespace
