#include "io/log_frames.hpp"

#include <algorithm>
#include <compare>

namespace rangerctl::io {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

constexpr nanoseconds kWithoutTime = 1ms;

nanoseconds time_after(const Timestamp& last, const Timestamp& time) {
  if (!time.known()) return kWithoutTime;
  return last.known() && std::is_gt(time.order(last)) ? time_between(last, time) : 0ns;
}

}  // namespace

bool LogFrames::next() {
  const std::uint64_t before = count_;
  while (count_ == before && status_.state == LinkState::up) {
    if (read_line()) continue;
    if (lines_.waits()) return false;
    status_.state = LinkState::ended;
  }
  return count_ != before;
}

/// False at the end.
bool LogFrames::read_line() {
  Line line;
  if (!lines_.next(line)) {
    error_ = lines_.error();
    return false;
  }
  const log::LineKind kind =
      line.too_long ? log::LineKind::too_long : parser_.parse(line.text, line.end, line_);
  if (kind == log::LineKind::frame) take_frame();
  if (kind == log::LineKind::drop_count) status_.dropped += line_.drops;
  if (!log::is_understood(kind)) ++status_.unreadable;
  return true;
}

void LogFrames::take_frame() {
  if (count_++ != 0) offset_ = std::min(offset_ + time_after(last_time_, line_.time), kMostOffset);
  if (line_.time.known()) last_time_ = line_.time;
}

}  // namespace rangerctl::io
