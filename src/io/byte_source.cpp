#include "io/byte_source.hpp"

#include <algorithm>
#include <cstring>

namespace rangerctl::io {

std::size_t ByteSource::read(std::span<char> to) {
  std::size_t done = 0;
  while (done < to.size() && (at_ < end_ || fill())) {
    const std::size_t count = std::min(to.size() - done, end_ - at_);
    std::memcpy(to.data() + done, buffer_.data() + at_, count);
    at_ += count;
    done += count;
  }
  return done;
}

bool ByteSource::fill() {
  if (ended_) return false;
  const auto count = input_->read(buffer_);
  if (!count) error_ = count.error();
  ended_ = !count || *count == 0;
  at_ = 0;
  end_ = count ? *count : 0;
  return !ended_;
}

}  // namespace rangerctl::io
