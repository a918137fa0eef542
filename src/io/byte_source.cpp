#include "io/byte_source.hpp"

#include <algorithm>
#include <cstring>

namespace rangerctl::io {

std::size_t ByteSource::read(std::span<char> to) {
  std::size_t done = 0;
  while (done < to.size() && (at_ < bytes_.size() || fill())) {
    const std::size_t count = std::min(to.size() - done, bytes_.size() - at_);
    std::memcpy(to.data() + done, bytes_.data() + at_, count);
    at_ += count;
    done += count;
  }
  return done;
}

bool ByteSource::has(std::size_t count) {
  while (bytes_.size() - at_ < count && !ended_) {
    if (input_->would_wait()) return false;
    fill();
  }
  return true;
}

/// Behind what was not read yet.
bool ByteSource::fill() {
  constexpr std::size_t kPiece = 65536;
  if (ended_) return false;
  bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(at_));
  at_ = 0;
  const std::size_t there = bytes_.size();
  bytes_.resize(there + kPiece);
  const auto count = input_->read(std::span(bytes_).subspan(there));
  if (!count) error_ = count.error();
  ended_ = !count || *count == 0;
  bytes_.resize(there + (count ? *count : 0));
  return !ended_;
}

}  // namespace rangerctl::io
