#pragma once

#include <array>
#include <bit>
#include <bitset>
#include <chrono>
#include <cstdint>
#include <limits>

#include "rangerctl/frame.hpp"

/// What a log says in numbers. Sums are integers, so that a log that is analysed in parts gives exactly what
/// it gives in one piece.
namespace rangerctl::analysis {

/// 128 bits, for sums of squares.
__extension__ using Wide = unsigned __int128;

/// Times from one frame to the next, by the log's time stamps.
struct Periods {
  std::uint64_t count = 0;
  std::chrono::nanoseconds least{std::numeric_limits<std::int64_t>::max()};  ///< counts only when count > 0
  std::chrono::nanoseconds most{0};
  Timestamp most_from;  ///< the frame before the longest one
  Wide sum = 0;         ///< ns
  Wide squares = 0;     ///< ns^2

  void add(std::chrono::nanoseconds period, const Timestamp& from) {
    ++count;
    const auto length = static_cast<std::uint64_t>(period.count());
    sum += length;
    squares += Wide{length} * length;
    least = period < least ? period : least;
    if (period > most) {
      most = period;
      most_from = from;
    }
  }
  /// Adds those that came later.
  void append(const Periods& later);

  /// In nanoseconds; 0 without any.
  [[nodiscard]] double mean() const;
  /// Standard deviation in nanoseconds; 0 with less than two.
  [[nodiscard]] double jitter() const;

  bool operator==(const Periods&) const = default;
};

/// Of the frames of one id.
struct IdStatistics {
  std::uint64_t count = 0;
  Timestamp first;  ///< digits 0: no frame had a time
  Timestamp last;
  Periods periods;
  std::uint64_t gaps = 0;      ///< periods of more than kGap times the expected one, where there is one
  std::uint64_t backward = 0;  ///< frames with a time before that of the frame before
  std::uint8_t least_length = 0xFF;
  std::uint8_t most_length = 0;

  // Of the first eight bytes, as protocol::payload_word() has them.
  std::uint64_t words = 0;  ///< frames whose data were taken
  std::uint64_t first_word = 0;
  std::uint64_t last_word = 0;
  std::uint64_t changes = 0;               ///< frames that differ from the one before
  std::uint64_t ever_one = 0;              ///< bits
  std::uint64_t ever_zero = 0;             ///< bits
  std::array<std::bitset<256>, 8> values;  ///< that each byte had

  static constexpr int kGap = 3;

  /// Takes what a frame says about its time and length. `expected`: the period of its message; 0: none.
  void take_time(const Timestamp& time, std::uint8_t length, std::chrono::nanoseconds expected) {
    ++count;
    least_length = length < least_length ? length : least_length;
    most_length = length > most_length ? length : most_length;
    if (!time.known()) return;
    if (!first.known()) {
      first = time;
    } else {
      take_period(last, time, expected);
    }
    last = time;
  }
  /// Takes its data; true: they are others than before, or the first.
  bool take_word(std::uint64_t word) {
    std::uint64_t news = ~std::uint64_t{0};
    if (words++ == 0) {
      first_word = word;
    } else if (word == last_word) {
      return false;
    } else {
      ++changes;
      news = word ^ last_word;
    }
    last_word = word;
    note(word, news);
    return true;
  }
  /// Adds the frames of the same id that came later.
  void append(const IdStatistics& later, std::chrono::nanoseconds expected);

  /// Bits that were both.
  [[nodiscard]] std::uint64_t moving() const { return ever_one & ever_zero; }

  bool operator==(const IdStatistics&) const = default;

 private:
  void take_period(const Timestamp& from, const Timestamp& to, std::chrono::nanoseconds expected) {
    if (to.order(from) < 0) {
      ++backward;
      return;
    }
    const std::chrono::nanoseconds period = time_between(from, to);
    periods.add(period, from);
    if (expected.count() != 0 && period > kGap * expected) ++gaps;
  }
  /// `news`: bits that may be others than before.
  void note(std::uint64_t word, std::uint64_t news) {
    ever_one |= word;
    ever_zero |= ~word;
    while (news != 0) {
      const auto byte = static_cast<std::size_t>(std::countl_zero(news)) / 8;
      values[byte][(word >> (56 - 8 * byte)) & 0xFF] = true;
      news &= (std::uint64_t{1} << (56 - 8 * byte)) - 1;
    }
  }
};

}  // namespace rangerctl::analysis
