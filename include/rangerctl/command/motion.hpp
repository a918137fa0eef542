#pragma once

#include <optional>

#include "rangerctl/command/look.hpp"
#include "rangerctl/command/procedure.hpp"

/// The supervision of whoever moves the chassis with frames that are not typed as they go: `send`, and
/// commands out of a log.
namespace rangerctl::command {

/// What motion needs before it begins.
[[nodiscard]] Needs motion_needs();

/// Whether motion may go on: fresh feedback (silence: 200 ms), and everything that it needs.
[[nodiscard]] Result<void> check_motion(const View& view, SteadyTime now);

/// Whether this computer was held up (kHeldUp) since then, which ends any motion: status failed.
[[nodiscard]] Result<void> check_held_up(const View& view, SteadyTime since);

/// Whether another motion command would have to wait behind those that are on their way: what a bus that does
/// not acknowledge keeps in the queue may leave when it comes back.
[[nodiscard]] bool holds_back(const OwnFrames& own, SteadyTime now);

/// The end of every motion: five frames of zeros, 20 ms apart, for which the bus has half a second.
class ZeroFrames {
 public:
  /// `zero`: the motion command with all signals zero.
  explicit ZeroFrames(const Frame& zero) : zero_(zero) {}

  /// The first one.
  Action begin(SteadyTime now);
  /// The next ones. Nothing: it is over, see complete().
  std::optional<Action> step(const View& view, SteadyTime now);
  void sent(const Result<Sent>& result);
  /// Adds to the report whether they are on the bus; where they are not, one of status ok becomes no_answer.
  void complete(Report& report) const;

 private:
  Frame zero_;
  int left_ = 0;
  bool failed_ = false;
  bool on_the_bus_ = false;
  SteadyTime next_;
  SteadyTime until_;
};

}  // namespace rangerctl::command
