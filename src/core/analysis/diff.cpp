#include "rangerctl/analysis/diff.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bitset>
#include <cmath>
#include <iterator>

#include "happened.hpp"
#include "rangerctl/protocol/values.hpp"
#include "words.hpp"

namespace rangerctl::analysis {
namespace {

using protocol::Signal;

constexpr std::size_t kBytes = 8;

/// One id as one log has it.
struct Side {
  const IdStatistics* facts = nullptr;
  const MessageStatistics* message = nullptr;  ///< null: none of the catalogue
};

/// One id in both logs; one of them may not have it.
struct Pair {
  OtherId id;
  const protocol::Message* message = nullptr;
  Side a;
  Side b;
};

class Comparison {
 public:
  explicit Comparison(std::vector<Difference>& found) : found_(found) {}

  void compare(const Pair& pair);

 private:
  Difference& add(const Pair& pair, Difference::Kind kind);
  void compare_bits(const Pair& pair, std::size_t byte);
  void compare_values(const Pair& pair, std::size_t byte);
  void compare_signal(const Pair& pair, std::size_t index);
  void compare_rates(const Pair& pair);
  void compare_lengths(const Pair& pair);

  std::vector<Difference>& found_;
};

Difference& Comparison::add(const Pair& pair, Difference::Kind kind) {
  Difference& difference = found_.emplace_back();
  difference.kind = kind;
  difference.id = pair.id;
  difference.message = pair.message;
  return difference;
}

void Comparison::compare(const Pair& pair) {
  if (pair.a.facts == nullptr || pair.b.facts == nullptr) {
    Difference& difference = add(pair, Difference::Kind::only_in);
    difference.side = pair.a.facts != nullptr ? 'A' : 'B';
    difference.frames = (pair.a.facts != nullptr ? pair.a : pair.b).facts->count;
    return;
  }
  for (std::size_t byte = 0; byte < kBytes; ++byte) {
    compare_bits(pair, byte);
    compare_values(pair, byte);
  }
  for (std::size_t i = 0; pair.message != nullptr && i < pair.message->signals.size(); ++i)
    compare_signal(pair, i);
  compare_rates(pair);
  compare_lengths(pair);
}

// ---- Bytes ----------------------------------------------------------------------------------------------

std::uint8_t byte_of(std::uint64_t word, std::size_t byte) {
  return static_cast<std::uint8_t>(word >> (56 - 8 * byte));
}

/// Whether every frame has it whose data were taken: of a message of the catalogue that are the complete
/// ones.
bool has_byte(const Pair& pair, const IdStatistics& id, std::size_t byte) {
  const std::size_t length = pair.message != nullptr ? pair.message->dlc : id.least_length;
  return id.words > 0 && byte < length;
}

void Comparison::compare_bits(const Pair& pair, std::size_t byte) {
  const IdStatistics& a = *pair.a.facts;
  const IdStatistics& b = *pair.b.facts;
  if (!has_byte(pair, a, byte) || !has_byte(pair, b, byte)) return;
  const std::uint8_t moves_a = byte_of(a.moving(), byte);
  const std::uint8_t moves_b = byte_of(b.moving(), byte);
  const auto add_bits = [&](Difference::Kind kind, unsigned mask, const IdStatistics& rests, char side) {
    if (mask == 0) return;
    Difference& difference = add(pair, kind);
    difference.byte = byte;
    difference.mask = static_cast<std::uint8_t>(mask);
    difference.bits = static_cast<std::uint8_t>(byte_of(rests.ever_one, byte) & mask);
    difference.side = side;
  };
  const unsigned differ = static_cast<unsigned>(byte_of(a.ever_one ^ b.ever_one, byte));
  add_bits(Difference::Kind::fixed, differ & ~static_cast<unsigned>(moves_a | moves_b), a, 'A');
  add_bits(Difference::Kind::moving, moves_a & ~static_cast<unsigned>(moves_b), b, 'A');
  add_bits(Difference::Kind::moving, moves_b & ~static_cast<unsigned>(moves_a), a, 'B');
}

using ByteValues = std::bitset<256>;

std::string only_values(const ByteValues& here, const ByteValues& there) {
  std::string text;
  for (std::size_t value = 0; value < here.size(); ++value) {
    if (here[value] && !there[value]) text += fmt::format("{}{:02X}", text.empty() ? "" : " ", value);
  }
  return text;
}

void Comparison::compare_values(const Pair& pair, std::size_t byte) {
  if (!has_byte(pair, *pair.a.facts, byte) || !has_byte(pair, *pair.b.facts, byte)) return;
  const ByteValues& a = pair.a.facts->values[byte];
  const ByteValues& b = pair.b.facts->values[byte];
  if (a == b || std::max(a.count(), b.count()) > kMostValues || std::min(a.count(), b.count()) < 2) return;
  Difference& difference = add(pair, Difference::Kind::values);
  difference.byte = byte;
  difference.in_a = only_values(a, b);
  difference.in_b = only_values(b, a);
}

// ---- Signals --------------------------------------------------------------------------------------------

/// What both ranges have in common is less than half of what they cover together.
bool are_apart(const SignalRange& a, const SignalRange& b) {
  const std::int64_t common = std::min(a.most, b.most) - std::max(a.least, b.least) + 1;
  const std::int64_t together = std::max(a.most, b.most) - std::min(a.least, b.least) + 1;
  return 2 * common < together;
}

std::string range_text(const Signal& signal, const SignalRange& range) {
  const std::string least = protocol::value_text(signal, range.least);
  return range.least == range.most ? least
                                   : fmt::format("{} to {}", least, protocol::value_text(signal, range.most));
}

std::string only_names(const std::vector<std::string>& here, const std::vector<std::string>& there) {
  std::vector<std::string> only;
  std::copy_if(here.begin(), here.end(), std::back_inserter(only), [&there](const std::string& name) {
    return std::find(there.begin(), there.end(), name) == there.end();
  });
  return fmt::format("{}", fmt::join(only, ", "));
}

void Comparison::compare_signal(const Pair& pair, std::size_t index) {
  const Signal& signal = pair.message->signals[index];
  const SignalRange& a = pair.a.message->signals[index];
  const SignalRange& b = pair.b.message->signals[index];
  if (!a.any() || !b.any()) return;
  if (signal.choices.empty() && signal.flags.empty()) {
    if (!are_apart(a, b)) return;
    Difference& difference = add(pair, Difference::Kind::range);
    difference.signal = &signal;
    difference.in_a = range_text(signal, a);
    difference.in_b = range_text(signal, b);
    return;
  }
  const auto seen_a = seen_names(signal, *pair.a.facts);
  const auto seen_b = seen_names(signal, *pair.b.facts);
  if (seen_a == seen_b) return;
  Difference& difference = add(pair, Difference::Kind::values);
  difference.signal = &signal;
  difference.in_a = only_names(seen_a, seen_b);
  difference.in_b = only_names(seen_b, seen_a);
}

// ---- Times and lengths ----------------------------------------------------------------------------------

void Comparison::compare_rates(const Pair& pair) {
  const IdStatistics& a = *pair.a.facts;
  const IdStatistics& b = *pair.b.facts;
  if (std::min(a.periods.count, b.periods.count) < kFewestPeriods) return;
  if (a.periods.sum == 0 || b.periods.sum == 0) return;
  const double rate_a = rate_of(a);
  const double rate_b = rate_of(b);
  if (std::abs(rate_a - rate_b) <= kRatePart * std::max(rate_a, rate_b)) return;
  Difference& difference = add(pair, Difference::Kind::rate);
  difference.in_a = fmt::format("{:.1f}", rate_a);
  difference.in_b = fmt::format("{:.1f}", rate_b);
}

std::string length_text(const IdStatistics& id) {
  return id.least_length == id.most_length ? fmt::format("{}", id.least_length)
                                           : fmt::format("{} to {}", id.least_length, id.most_length);
}

void Comparison::compare_lengths(const Pair& pair) {
  const std::string a = length_text(*pair.a.facts);
  const std::string b = length_text(*pair.b.facts);
  if (a == b) return;
  Difference& difference = add(pair, Difference::Kind::lengths);
  difference.in_a = a;
  difference.in_b = b;
}

// ---- Ids ------------------------------------------------------------------------------------------------

std::vector<Pair> message_pairs(const Analysis& a, const Analysis& b) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < a.messages().size(); ++i) {
    const auto side = [i](const Analysis& log) {
      const MessageStatistics& statistics = log.messages()[i];
      return statistics.id.count == 0 ? Side{} : Side{&statistics.id, &statistics};
    };
    Pair pair;
    pair.message = &a.catalogue().messages()[i];
    pair.id.id = pair.message->id;
    pair.a = side(a);
    pair.b = side(b);
    if (pair.a.facts != nullptr || pair.b.facts != nullptr) pairs.push_back(pair);
  }
  return pairs;
}

/// Both are sorted, so that they can be walked through side by side.
std::vector<Pair> other_pairs(const std::vector<OtherStatistics>& a, const std::vector<OtherStatistics>& b) {
  std::vector<Pair> pairs;
  auto i = a.begin();
  auto k = b.begin();
  while (i != a.end() || k != b.end()) {
    const bool take_a = i != a.end() && (k == b.end() || i->id.key() <= k->id.key());
    const bool take_b = k != b.end() && (i == a.end() || k->id.key() <= i->id.key());
    Pair pair;
    pair.id = take_a ? i->id : k->id;
    if (take_a) pair.a.facts = &(i++)->statistics;
    if (take_b) pair.b.facts = &(k++)->statistics;
    pairs.push_back(pair);
  }
  return pairs;
}

}  // namespace

std::vector<Difference> differences(const Analysis& a, const Analysis& b) {
  std::vector<Pair> pairs = message_pairs(a, b);
  const std::vector<OtherStatistics> others_a = a.others();
  const std::vector<OtherStatistics> others_b = b.others();
  const std::vector<Pair> others = other_pairs(others_a, others_b);
  pairs.insert(pairs.end(), others.begin(), others.end());
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& x, const Pair& y) { return x.id.key() < y.id.key(); });
  std::vector<Difference> found;
  Comparison comparison(found);
  for (const Pair& pair : pairs) comparison.compare(pair);
  std::stable_sort(found.begin(), found.end(),
                   [](const Difference& x, const Difference& y) { return x.kind < y.kind; });
  return found;
}

}  // namespace rangerctl::analysis
