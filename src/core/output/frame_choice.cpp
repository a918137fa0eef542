#include "rangerctl/output/frame_choice.hpp"

#include <algorithm>

namespace rangerctl::output {
namespace {

Result<std::optional<TimeBound>> parse_bound(const std::string& text) {
  if (text.empty()) return std::optional<TimeBound>{};
  auto bound = parse_time_bound(text);
  if (!bound) return bound.error();
  return std::optional(*bound);
}

Result<std::vector<IdFilter>> parse_filters(const std::vector<std::string>& texts,
                                            const protocol::Catalogue& catalogue) {
  std::vector<IdFilter> filters;
  for (const std::string& text : texts) {
    auto filter = parse_id_filter(text, catalogue);
    if (!filter) return filter.error();
    filters.push_back(*filter);
  }
  return filters;
}

bool any_matches(const std::vector<IdFilter>& filters, const Frame& frame) {
  return std::any_of(filters.begin(), filters.end(),
                     [&frame](const IdFilter& filter) { return filter.matches(frame); });
}

}  // namespace

bool FrameChoice::chooses(const Timestamp& time, const Frame& frame, Summary& summary) {
  if (!is_in_window(time, summary)) return false;
  const bool wanted = (only_.empty() || any_matches(only_, frame)) && !any_matches(except_, frame);
  if (!wanted) summary.add_left_out();
  return wanted;
}

bool FrameChoice::is_in_window(const Timestamp& time, Summary& summary) {
  if (window_.is_open()) return true;
  if (!time.known()) {
    summary.add_timeless();
    return false;
  }
  const bool inside = window_.contains(time);
  if (!inside) summary.add_left_out();
  return inside;
}

Result<FrameChoice> parse_frame_choice(const FrameChoiceWords& words, const protocol::Catalogue& catalogue) {
  auto only = parse_filters(words.only, catalogue);
  if (!only) return only.error();
  auto except = parse_filters(words.except, catalogue);
  if (!except) return except.error();
  auto from = parse_bound(words.from);
  if (!from) return from.error();
  auto to = parse_bound(words.to);
  if (!to) return to.error();
  return FrameChoice(std::move(*only), std::move(*except), TimeWindow(*from, *to));
}

}  // namespace rangerctl::output
