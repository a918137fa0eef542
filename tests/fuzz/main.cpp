#include "fuzz.hpp"

/// The entry of libFuzzer, for the one function of fuzz.hpp that the build names.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rangerctl::fuzz::RANGERCTL_FUZZ_FUNCTION({data, size});
  return 0;
}
