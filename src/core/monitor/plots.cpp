#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bands.hpp"
#include "graph.hpp"
#include "pages.hpp"
#include "rangerctl/protocol/values.hpp"

namespace rangerctl::monitor {
namespace {

/// What a plot shows: some spans, the newest one near the right edge.
///
/// The picture does not move all the time, which would cost a slow line ten times as much: new values fill
/// the last quarter, then it moves by that quarter.
std::vector<Trace::Span> plotted_spans(const PageView& view, std::size_t trace, std::size_t count) {
  return spans_of(view, trace, {view.choices.width, count, std::max<std::size_t>(1, count / 4)});
}

struct Plotted {
  const TraceSource* source;
  Reading now;
  std::uint8_t decimals;

  [[nodiscard]] std::string text(std::int64_t raw, int width) const {
    std::string digits;
    protocol::append_decimal(digits, raw, decimals);
    if (now.signal != nullptr && now.signal->field.is_signed && raw > 0) digits = "+" + digits;
    return fmt::format("{:>{}}", digits, width);
  }
};

Plotted plotted(const PageView& view, std::size_t trace) {
  const TraceSource& source = kTraces.at(trace);
  const Reading now = reading(view, source.message, source.signal);
  return {&source, now, now.signal == nullptr ? std::uint8_t{0} : finest_decimals(*now.signal)};
}

constexpr int kAxis = 9;

std::string now_text(const Plotted& plot, int width) {
  if (!plot.now.raw) return fmt::format("{:>{}}", kMissing, width);
  return plot.text(finest(*plot.now.signal, *plot.now.raw), width);
}

void put_title(const Area& area, const Plotted& plot, std::span<const Trace::Span> spans) {
  area.heading(0, plot.source->title);
  Trace::Span all;
  for (const Trace::Span& span : spans) {
    all.least = std::min(all.least, span.least);
    all.most = std::max(all.most, span.most);
  }
  const std::string_view unit_text = unit(plot.now);
  const std::string limits =
      all.empty() ? "" : fmt::format("min{} max{} ", plot.text(all.least, 8), plot.text(all.most, 8));
  const std::string now = fmt::format(" now{} {:<4}", now_text(plot, 8), unit_text);
  const int width = text_width(limits) + text_width(now);
  const int column = area.columns() - 1 - (width + 12 > area.columns() ? text_width(now) : width);
  const int end = area.put(0, column, now, plot.now.raw ? Style::normal : Style::caution);
  if (width + 12 <= area.columns()) area.put(0, end, limits, Style::dim);
}

void draw_plot(const PageView& view, const Area& area, std::size_t trace) {
  const int columns = area.columns() - kAxis - 1;
  const int rows = area.rows() - 1;
  const Plotted plot = plotted(view, trace);
  if (columns < 4 || rows < 1 || plot.now.signal == nullptr) {
    area.heading(0, plot.source->title);
    return;
  }
  const auto spans = plotted_spans(view, trace, static_cast<std::size_t>(columns) * 2);
  const Scale scale = fitting_scale(spans, plot.source->least_span, plot.now.signal->field.is_signed);
  put_title(area, plot, spans);
  area.put(1, 0, plot.text(scale.high, kAxis - 1), Style::dim);
  if (rows > 1) area.put(rows, 0, plot.text(scale.low, kAxis - 1), Style::dim);
  const auto lines = graph_rows(spans, scale, rows, graph_of(view));
  for (int row = 0; row < rows; ++row) {
    area.put(1 + row, kAxis - 1, "│", Style::dim);
    area.put(1 + row, kAxis, lines[static_cast<std::size_t>(row)], Style::good);
  }
}

void draw_steering(const PageView& view, const Area& area) { draw_plot(view, area, 1); }
void draw_voltage(const PageView& view, const Area& area) { draw_plot(view, area, 2); }

constexpr std::size_t kFirstMotor = 4;
constexpr std::size_t kMotorCount = kTraces.size() - kFirstMotor;

/// All motors on one scale, so that they can be compared.
void draw_motor_currents(const PageView& view, const Area& area) {
  area.heading(0, "motor currents");
  const int across = area.columns() >= 60 ? 2 : 1;
  const int width = area.columns() / across;
  const int down = static_cast<int>(kMotorCount) / across;
  constexpr int kLabel = 14;
  const int columns = width - kLabel - 1;
  if (columns < 4) return;
  std::array<std::vector<Trace::Span>, kMotorCount> spans;
  std::vector<Trace::Span> all;
  for (std::size_t i = 0; i < kMotorCount; ++i) {
    spans.at(i) = plotted_spans(view, kFirstMotor + i, static_cast<std::size_t>(columns) * 2);
    all.insert(all.end(), spans.at(i).begin(), spans.at(i).end());
  }
  const Plotted first = plotted(view, kFirstMotor);
  const Scale scale = fitting_scale(all, first.source->least_span, true);
  area.put_right(
      0, area.columns() - 1,
      fmt::format(" each {}..{} {} ", first.text(scale.low, 0), first.text(scale.high, 0), unit(first.now)),
      Style::dim);
  const int each = std::max(1, (area.rows() - 1) / down);
  for (std::size_t i = 0; i < kMotorCount; ++i) {
    const int index = static_cast<int>(i);
    const Area place = area.part(1 + index % down * each, index / down * width, {each, width});
    const Plotted plot = plotted(view, kFirstMotor + i);
    const int column = place.put(0, 1, fmt::format("{} ", i + 1), Style::dim);
    place.put(0, column, now_text(plot, 7), plot.now.raw ? Style::normal : Style::caution);
    place.put(0, column + 7, fmt::format(" {}", unit(plot.now)), Style::dim);
    const auto lines = graph_rows(spans.at(i), scale, each, graph_of(view));
    for (int row = 0; row < each; ++row)
      place.put(row, kLabel, lines[static_cast<std::size_t>(row)], Style::good);
  }
}

constexpr std::array kPlots{
    Band{draw_speed_plot, nullptr, 3, 30, 0, 0},    Band{draw_steering, nullptr, 3, 30, 2, 0},
    Band{draw_voltage, nullptr, 3, 30, 3, 0},       Band{draw_current_plot, nullptr, 3, 30, 1, 0},
    Band{draw_motor_currents, nullptr, 5, 9, 4, 1},
};
constexpr std::array kNarrowPlots{
    Band{draw_speed_plot, nullptr, 2, 30, 0, 0},    Band{draw_steering, nullptr, 2, 30, 2, 0},
    Band{draw_voltage, nullptr, 2, 30, 3, 0},       Band{draw_current_plot, nullptr, 2, 30, 1, 0},
    Band{draw_motor_currents, nullptr, 9, 9, 4, 1},
};

std::string span_text(std::chrono::milliseconds span) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(span).count();
  return seconds < 120 ? fmt::format("{} s", seconds) : fmt::format("{} min", seconds / 60);
}

}  // namespace

void draw_speed_plot(const PageView& view, const Area& area) { draw_plot(view, area, 0); }
void draw_current_plot(const PageView& view, const Area& area) { draw_plot(view, area, 3); }

void draw_plots(const PageView& view, const Area& area) {
  const auto width = Trace::kWidths.at(view.choices.width);
  const int columns = std::max(1, area.columns() - kAxis - 1);
  area.put_elided(
      0, 1,
      fmt::format("{} across, {} a column; the newest on the right", span_text(columns * 2 * width),
                  width * 2 < std::chrono::seconds(1) ? "0.2 s" : span_text(width * 2)),
      Style::dim);
  draw_bands(view, area.lower(1),
             area.columns() >= 60 ? std::span<const Band>(kPlots) : std::span<const Band>(kNarrowPlots));
}

}  // namespace rangerctl::monitor
