#include "rangerctl/analysis/id_statistics.hpp"

#include <algorithm>
#include <cmath>

namespace rangerctl::analysis {

void Periods::append(const Periods& later) {
  count += later.count;
  sum += later.sum;
  squares += later.squares;
  least = std::min(least, later.least);
  if (later.most <= most) return;
  most = later.most;
  most_from = later.most_from;
}

double Periods::mean() const {
  return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
}

double Periods::jitter() const {
  if (count < 2) return 0;
  const auto n = static_cast<double>(count);
  // In long double: the difference of two large numbers.
  const auto total = static_cast<long double>(sum);
  const long double spread =
      static_cast<long double>(squares) - total * total / static_cast<long double>(count);
  return std::sqrt(std::max(0.0, static_cast<double>(spread) / (n - 1)));
}

void IdStatistics::append(const IdStatistics& later, std::chrono::nanoseconds expected) {
  if (later.count == 0) return;
  if (count == 0) {
    *this = later;
    return;
  }
  if (later.first.known()) {
    if (first.known()) {
      take_period(last, later.first, expected);
    } else {
      first = later.first;
    }
    last = later.last;
  }
  periods.append(later.periods);
  gaps += later.gaps;
  backward += later.backward;
  if (later.words > 0) {
    changes += later.changes + (words > 0 && last_word != later.first_word ? 1 : 0);
    if (words == 0) first_word = later.first_word;
    last_word = later.last_word;
    words += later.words;
  }
  count += later.count;
  least_length = std::min(least_length, later.least_length);
  most_length = std::max(most_length, later.most_length);
  ever_one |= later.ever_one;
  ever_zero |= later.ever_zero;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] |= later.values[i];
}

}  // namespace rangerctl::analysis
