#include "io/log_frames.hpp"

#include <algorithm>
#include <compare>

namespace rangerctl::io {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

constexpr nanoseconds kWithoutTime = 1ms;
/// Frames of several buses in one log may be out of order by less.
constexpr nanoseconds kOutOfOrder = 100ms;

bool is_out_of_order(const Timestamp& last, const Timestamp& time) {
  return last.known() && std::is_gt(last.order(time)) && time_between(time, last) < kOutOfOrder;
}

nanoseconds time_after(const Timestamp& last, const Timestamp& time) {
  if (!time.known()) return kWithoutTime;
  return last.known() && std::is_gt(time.order(last)) ? time_between(last, time) : 0ns;
}

}  // namespace

bool LogFrames::next() {
  const std::uint64_t before = count_;
  while (count_ == before && status_.state == LinkState::up) {
    if (read_piece()) continue;
    if (log_->waits()) return false;
    status_.state = LinkState::ended;
  }
  return count_ != before;
}

/// False at the end.
bool LogFrames::read_piece() {
  Piece piece;
  if (!log_->next(frame_, piece)) {
    error_ = log_->error();
    return false;
  }
  if (piece.kind == log::LineKind::frame) take_frame();
  if (piece.kind == log::LineKind::drop_count) status_.dropped += frame_.drops;
  if (!log::is_understood(piece.kind) && status_.unreadable++ == 0) first_unreadable_ = piece;
  return true;
}

void LogFrames::take_frame() {
  if (count_++ != 0) offset_ = std::min(offset_ + time_after(last_time_, frame_.time), kMostOffset);
  if (frame_.time.known() && !is_out_of_order(last_time_, frame_.time)) last_time_ = frame_.time;
}

}  // namespace rangerctl::io
