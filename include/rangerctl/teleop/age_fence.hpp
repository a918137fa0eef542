#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "rangerctl/time_queue.hpp"
#include "rangerctl/transport.hpp"

namespace rangerctl::teleop {

/// How old a key can be at most. A terminal answers `CSI 5 n` in the order of the byte stream, so a key that
/// arrives behind the answer to a query was pressed after that query was sent. Assumes one stream without
/// reordering; with tmux, screen or mosh in between, which answer themselves, it bounds nothing.
class AgeFence {
 public:
  using Duration = SteadyTime::duration;

  static constexpr std::chrono::milliseconds kStop{300};  ///< an older key never moves the robot
  static constexpr std::chrono::milliseconds kDisarm{600};
  static constexpr std::chrono::milliseconds kLost{2000};  ///< the link must prove itself anew
  static constexpr std::chrono::milliseconds kProof{250};  ///< 95th percentile of the bound to arm
  static constexpr std::size_t kProofAnswers = 20;         ///< in a row

  /// A query is written, or asked to be written, at `now`. False: too many are without an answer; no more may
  /// be sent, since a late answer must not be taken for that of a younger query.
  bool ask(SteadyTime now);
  /// An answer was read at `now`.
  void answer(SteadyTime now);

  /// What is read at `now` was pressed at most so long ago. Nothing: no answer has arrived yet.
  [[nodiscard]] std::optional<Duration> bound(SteadyTime now) const;
  /// When the youngest answered query was sent.
  [[nodiscard]] std::optional<SteadyTime> fence() const { return fence_; }
  /// The largest bound of the last two seconds; nothing: no answer yet.
  [[nodiscard]] std::optional<Duration> worst_bound(SteadyTime now) const;

  /// Queries that wait for their answer.
  [[nodiscard]] std::size_t unanswered() const { return waiting_.size(); }
  /// How long the oldest query has waited for its answer; zero: none waits.
  [[nodiscard]] Duration silence(SteadyTime now) const;
  /// Answers in a row that came in time, up to kProofAnswers; a bound beyond kStop begins anew.
  [[nodiscard]] std::size_t answers_in_a_row(SteadyTime now) const;
  /// The 95th percentile of the bound before each of the last kProofAnswers answers.
  [[nodiscard]] Duration percentile95() const;
  [[nodiscard]] bool proven(SteadyTime now) const;

  [[nodiscard]] std::optional<Duration> last_round_trip() const { return round_trip_; }
  /// Of the last kProofAnswers answers.
  [[nodiscard]] Duration median_round_trip() const;
  /// Answers without a query: somebody else types them, or a paste does.
  [[nodiscard]] std::uint64_t unasked() const { return unasked_; }

 private:
  static constexpr std::size_t kPeaks = 20;  ///< of 100 ms each

  void note_peak(Duration bound, SteadyTime now);

  TimeQueue waiting_;  ///< when each query without an answer was sent
  std::optional<SteadyTime> fence_;
  std::optional<Duration> round_trip_;
  std::array<Duration, kProofAnswers> bounds_{};
  std::array<Duration, kProofAnswers> round_trips_{};
  std::size_t answers_ = 0;  ///< all of them
  std::size_t in_a_row_ = 0;
  std::array<Duration, kPeaks> peaks_{};  ///< a ring: the largest bound in each slice of time
  std::int64_t slice_ = 0;
  std::uint64_t unasked_ = 0;
};

}  // namespace rangerctl::teleop
