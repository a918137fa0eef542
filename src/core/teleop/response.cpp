#include "rangerctl/teleop/response.hpp"

#include <cmath>
#include <cstdlib>

#include "rangerctl/chassis/geometry.hpp"

namespace rangerctl::teleop {
namespace {

void keep_since(std::optional<SteadyTime>& since, bool is_so, SteadyTime now) {
  if (!is_so) since.reset();
  if (is_so && !since) since = now;
}

bool against(std::int64_t commanded, std::optional<std::int64_t> measured) {
  return measured && std::abs(*measured) >= Response::kRest && commanded != 0 &&
         (commanded < 0) != (*measured < 0);
}

}  // namespace

void Response::take(const std::optional<Motion>& commanded, std::optional<std::int64_t> linear,
                    std::optional<std::int64_t> angular, SteadyTime now) {
  linear_ = linear;
  angular_ = angular;
  const bool known = linear && angular;
  keep_since(rest_since_, known && std::abs(*linear) < kRest && std::abs(*angular) < kRest, now);
  keep_since(zero_since_, !commanded || commanded->is_zero(), now);
  keep_since(wrong_since_, commanded && is_wrong_way(*commanded), now);
}

bool Response::is_wrong_way(const Motion& commanded) const {
  return against(commanded.linear_velocity, linear_) || against(commanded.angular_velocity, angular_);
}

Response::Duration Response::moves_on(SteadyTime now) const {
  const auto spin = std::llround(static_cast<double>(angular_.value_or(0)) * chassis::spin_radius_m());
  const bool moves = std::abs(linear_.value_or(0)) > kMoves || std::abs(spin) > kMoves;
  return zero_since_ && moves ? now - *zero_since_ : Duration::zero();
}

Response::Duration Response::wrong_way(SteadyTime now) const {
  return wrong_since_ ? now - *wrong_since_ : Duration::zero();
}

bool Response::may_start(int sign, bool spin) const { return !against(sign, spin ? angular_ : linear_); }

}  // namespace rangerctl::teleop
