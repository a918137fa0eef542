#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rangerctl/output/filter.hpp"
#include "rangerctl/output/summary.hpp"

namespace rangerctl::output {

/// Which frames of a log or of a bus somebody wants: some ids, or all, in a window of time.
class FrameChoice {
 public:
  FrameChoice() = default;
  FrameChoice(std::vector<IdFilter> only, std::vector<IdFilter> except, TimeWindow window)
      : only_(std::move(only)),
        except_(std::move(except)),
        window_(window),
        is_all_(only_.empty() && except_.empty() && window_.is_open()) {}

  /// Whether the frame is wanted; one that is not is counted in `summary`. To be asked for every frame in
  /// order.
  bool wants(const Timestamp& time, const Frame& frame, Summary& summary) {
    return is_all_ || chooses(time, frame, summary);
  }

  /// Whether the window counts from the first time, and none was seen yet: then frames have to be asked for
  /// in order, and what was asked first says the first time for all others.
  [[nodiscard]] bool needs_first() const { return window_.needs_first(); }

 private:
  bool chooses(const Timestamp& time, const Frame& frame, Summary& summary);
  bool is_in_window(const Timestamp& time, Summary& summary);

  std::vector<IdFilter> only_;  ///< empty: all
  std::vector<IdFilter> except_;
  TimeWindow window_;
  bool is_all_ = true;
};

/// The same as people write it; empty texts are bounds that are not there. The error is of status usage.
struct FrameChoiceWords {
  std::vector<std::string> only;    ///< see parse_id_filter()
  std::vector<std::string> except;  ///< the same
  std::string from;                 ///< see parse_time_bound()
  std::string to;
};
Result<FrameChoice> parse_frame_choice(const FrameChoiceWords& words, const protocol::Catalogue& catalogue);

}  // namespace rangerctl::output
