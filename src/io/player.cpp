#include "io/player.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/input.hpp"

namespace rangerctl::io {

Result<std::unique_ptr<Player>> Player::open(const std::string& file, const protocol::Catalogue& catalogue) {
  auto input = open_input(file);
  if (!input) return input.error();
  return std::unique_ptr<Player>(new Player(file, std::move(*input), catalogue));
}

Player::Player(std::string path, std::unique_ptr<Input> input, const protocol::Catalogue& catalogue)
    : path_(std::move(path)),
      catalogue_(catalogue),
      file_(regular_file(path_)),
      frames_(std::make_unique<LogFrames>(std::move(input), catalogue)) {
  if (file_) {
    length_.emplace(path_, catalogue_);
  } else {
    frames_->never_wait();
  }
}

bool Player::load_next() {
  if (!has_next_) has_next_ = frames_->next();
  return has_next_;
}

bool Player::next(std::chrono::nanoseconds until, Received& received, std::chrono::nanoseconds& offset) {
  if (!load_next() || frames_->offset() > until) return false;
  received = frames_->received();
  offset = frames_->offset();
  has_next_ = false;
  return true;
}

std::optional<std::chrono::nanoseconds> Player::next_offset() {
  return load_next() ? std::optional(frames_->offset()) : std::nullopt;
}

Result<void> Player::rewind() {
  if (!file_) {
    return Error{ExitStatus::failed,
                 fmt::format("cannot go back in {}: only a regular file can be read again; save it as one",
                             input_name(path_))};
  }
  const auto there = regular_file(path_);
  if (!there || !there->is_same_file(*file_)) {
    return Error{ExitStatus::failed, fmt::format("cannot go back in {}: the file was removed or replaced; "
                                                 "start again with one that is there",
                                                 path_)};
  }
  auto input = open_input(path_);
  if (!input) return input.error();
  most_found_ = std::max(most_found_, frames_->count());
  frames_ = std::make_unique<LogFrames>(std::move(*input), catalogue_);
  has_next_ = false;
  return {};
}

std::optional<LogExtent> Player::extent() const {
  const auto counted = length_ ? length_->extent() : std::nullopt;
  const bool has_grown = counted && counted->frames < std::max(most_found_, frames_->count());
  return has_grown ? std::nullopt : counted;
}

std::optional<std::chrono::nanoseconds> Player::length() const {
  const auto known = extent();
  return known ? std::optional(known->length) : std::nullopt;
}

std::optional<std::uint64_t> Player::total_frames() const {
  const auto known = extent();
  return known ? std::optional(known->frames) : std::nullopt;
}

}  // namespace rangerctl::io
