#include "io/wall_clock.hpp"

#include <array>
#include <chrono>
#include <ctime>

namespace rangerctl::io {
namespace {

std::string local_text(std::int64_t seconds, const char* format) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm local{};
  if (localtime_r(&time, &local) == nullptr) return "--:--:--";
  std::array<char, 64> text{};
  return {text.data(), std::strftime(text.data(), text.size(), format, &local)};
}

}  // namespace

Timestamp wall_clock() {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(since_epoch).count();
  return {micros / 1'000'000, static_cast<std::uint32_t>(micros % 1'000'000 * 1000), 6};
}

std::string local_time_of_day(std::int64_t seconds) { return local_text(seconds, "%H:%M:%S"); }
std::string local_date_and_time(std::int64_t seconds) { return local_text(seconds, "%Y-%m-%d %H:%M:%S"); }
std::string time_for_file_name(std::int64_t seconds) { return local_text(seconds, "%Y-%m-%d_%H%M%S"); }

}  // namespace rangerctl::io
