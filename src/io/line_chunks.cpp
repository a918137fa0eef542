#include "io/line_chunks.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "rangerctl/log/log_frame.hpp"

namespace rangerctl::io {
namespace {

/// Larger reads gain nothing, and several chunks are in memory at once.
constexpr std::size_t kRead = std::size_t{128} * 1024;
constexpr std::size_t kMostKept = log::kLongestLine + 1;
constexpr std::size_t kMemory = kRead + kMostKept;

}  // namespace

LineChunks::LineChunks(std::unique_ptr<Input> input) : input_(std::move(input)) {
  rest_.memory_.reset(new char[kMemory]);
}

bool LineChunks::next(LineChunk& chunk) {
  if (chunk.memory_ == nullptr) chunk.memory_.reset(new char[kMemory]);
  char* const text = chunk.memory_.get();
  std::size_t size = std::exchange(rest_.size_, 0);
  std::memcpy(text, rest_.memory_.get(), size);
  while (!ended_) {
    if (has_to_wait(text, size)) return false;
    const std::size_t count = read(text + size);
    const void* const newline = ::memrchr(text + size, '\n', count);
    size += count;
    if (newline != nullptr) {
      chunk.size_ = static_cast<std::size_t>(static_cast<const char*>(newline) - text) + 1;
      rest_.size_ = std::min(size - chunk.size_, kMostKept);
      std::memcpy(rest_.memory_.get(), text + chunk.size_, rest_.size_);
      return true;
    }
    if (!ended_) size = std::min(size, kMostKept);
  }
  chunk.size_ = std::min(size, kMostKept);
  return size != 0;
}

/// Keeps what there is of a line for the next time.
bool LineChunks::has_to_wait(const char* text, std::size_t size) {
  waits_ = !may_wait_ && input_->would_wait();
  if (!waits_) return false;
  std::memcpy(rest_.memory_.get(), text, size);
  rest_.size_ = size;
  return true;
}

/// Returns how many bytes there are; 0: none, and it has ended.
std::size_t LineChunks::read(char* to) {
  const auto count = input_->read({to, kRead});
  if (!count) error_ = count.error();
  ended_ = !count || *count == 0;
  return count ? *count : 0;
}

}  // namespace rangerctl::io
