#include "io/line_reader.hpp"

namespace rangerctl::io {
namespace {

/// Larger reads gain nothing; a line that was begun is moved to the front before each.
constexpr std::size_t kRead = std::size_t{256} * 1024;
constexpr std::size_t kMemory = kRead + 2 * log::kLongestLine;

}  // namespace

LineReader::LineReader(std::unique_ptr<Input> input)
    : input_(std::move(input)), memory_(new char[kMemory]), begin_(memory_.get()), end_(memory_.get()) {}

bool LineReader::next_after_refill(Line& line) {
  while (static_cast<std::size_t>(end_ - begin_) <= log::kLongestLine) {
    waits_ = never_waits_ && !error_ && input_->would_wait();
    if (waits_) return false;
    if (!refill()) return take_last(line);
    if (const char* const newline = find_newline()) return take(line, newline);
  }
  return take_too_long(line);
}

bool LineReader::take_last(Line& line) {
  if (begin_ == end_) return false;
  const std::string_view text{begin_, static_cast<std::size_t>(end_ - begin_)};
  line = {text, log::LineEnd::eof, text.size() > log::kLongestLine, ++number_};
  begin_ = end_;
  return true;
}

/// Keeps the beginning of the line at the front of the memory and reads over the rest.
bool LineReader::take_too_long(Line& line) {
  std::memmove(memory_.get(), begin_, log::kLongestLine);
  line = {{memory_.get(), log::kLongestLine}, log::LineEnd::eof, true, ++number_};
  char* const rest = memory_.get() + log::kLongestLine;
  while (true) {
    const auto count = input_->read({rest, kRead});
    if (!count) error_ = count.error();
    begin_ = end_ = rest;
    if (!count || *count == 0) return true;
    end_ = rest + *count;
    if (const char* const newline = find_newline()) {
      begin_ = newline + 1;
      line.end = log::LineEnd::newline;
      return true;
    }
  }
}

/// False at the end of the input.
bool LineReader::refill() {
  if (error_) return false;
  if (before_wait_ && input_->may_wait() && !before_wait_()) return false;
  const auto kept = static_cast<std::size_t>(end_ - begin_);
  std::memmove(memory_.get(), begin_, kept);
  begin_ = memory_.get();
  end_ = begin_ + kept;
  const auto count = input_->read({memory_.get() + kept, kRead});
  if (!count) {
    error_ = count.error();
    return false;
  }
  end_ += *count;
  return *count != 0;
}

}  // namespace rangerctl::io
