#include "rangerctl/output/summary.hpp"

#include <fmt/format.h>

#include <numeric>

namespace rangerctl::output {
namespace {

using log::kLineKinds;
using log::LineKind;

constexpr std::array<std::string_view, 7> kFrameClassNames{"decoded", "unknown ids", "short", "error frames",
                                                           "remote",  "FD",          "XL"};

std::string counted(std::uint64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

}  // namespace

void Summary::add_frame(const Frame& frame, Decoding decoding) {
  switch (frame.kind) {
    case FrameKind::remote:
      ++frames_[remote];
      return;
    case FrameKind::fd:
      ++frames_[fd];
      return;
    case FrameKind::xl:
      ++frames_[xl];
      return;
    case FrameKind::error:
      ++frames_[error_frame];
      return;
    case FrameKind::data:
      break;
  }
  switch (decoding) {
    case Decoding::decoded:
      ++frames_[decoded];
      return;
    case Decoding::too_short:
      ++frames_[too_short];
      return;
    default:
      ++frames_[unknown_id];
  }
}

void Summary::append(const Summary& part, std::uint64_t lines_before, std::string_view file) {
  for (std::size_t i = 0; i < kLineKinds; ++i) {
    LineCount& count = lines_[i];
    if (count.lines == 0 && part.lines_[i].lines != 0) {
      count.first = lines_before + part.lines_[i].first;
      count.file = file;
    }
    count.lines += part.lines_[i].lines;
  }
  for (std::size_t i = 0; i < frames_.size(); ++i) frames_[i] += part.frames_[i];
  left_out_ += part.left_out_;
  timeless_ += part.timeless_;
  dropped_ += part.dropped_;
}

std::uint64_t Summary::frames() const {
  return std::accumulate(frames_.begin(), frames_.end(), std::uint64_t{0});
}

std::uint64_t Summary::lines() const {
  std::uint64_t sum = 0;
  for (const LineCount& count : lines_) sum += count.lines;
  return sum;
}

std::uint64_t Summary::not_understood() const {
  std::uint64_t sum = 0;
  for (auto i = static_cast<std::size_t>(LineKind::cut); i < kLineKinds; ++i) sum += lines_[i].lines;
  return sum;
}

std::string Summary::frames_text() const {
  std::string text = counted(frames(), "frame");
  std::string_view separator = ": ";
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    const bool always = i <= error_frame;
    if (frames_[i] == 0 && !always) continue;
    text += fmt::format("{}{} {}", separator, frames_[i], kFrameClassNames[i]);
    separator = ", ";
  }
  return text;
}

/// "2 comment (first at line 1), 1 blank (line 9)"; empty where there is none.
std::string Summary::lines_text(bool understood) const {
  std::string text;
  for (std::size_t i = 1; i < kLineKinds; ++i) {
    const LineCount& count = lines_[i];
    const auto kind = static_cast<LineKind>(i);
    if (count.lines == 0 || is_understood(kind) != understood) continue;
    const std::string place = count.file.empty() ? fmt::format("line {}", count.first)
                                                 : fmt::format("{}:{}", count.file, count.first);
    text += fmt::format("{}{} {} ({}{})", text.empty() ? "" : ", ", count.lines, line_kind_name(kind),
                        count.lines == 1 ? "" : "first at ", place);
  }
  return text;
}

std::vector<std::string> Summary::text() const {
  std::vector<std::string> rows;
  const std::string of_lines = lines() == 0 ? std::string{} : counted(lines(), "line") + ", ";
  rows.push_back("summary: " + of_lines + frames_text());
  if (const std::string other = lines_text(true); !other.empty()) rows.push_back("other lines: " + other);
  if (const std::string bad = lines_text(false); !bad.empty()) {
    rows.push_back(fmt::format("{} not understood: {}", counted(not_understood(), "line"), bad));
  }
  if (left_out_ != 0)
    rows.push_back(fmt::format("{} left out as the options ask", counted(left_out_, "frame")));
  if (timeless_ != 0)
    rows.push_back(fmt::format("{} without a time left out by --from or --to", counted(timeless_, "frame")));
  if (dropped_ != 0)
    rows.push_back(fmt::format("{} lost in the receive queue of the kernel", counted(dropped_, "frame")));
  return rows;
}

}  // namespace rangerctl::output
