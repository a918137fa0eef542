#include "rangerctl/convert/wide_csv.hpp"

#include <algorithm>

#include "rangerctl/protocol/values.hpp"

namespace rangerctl::convert {
namespace {

using namespace std::chrono_literals;
using output::put;
using std::chrono::nanoseconds;

constexpr nanoseconds kHold = 1s;
constexpr int kHeldPeriods = 5;
constexpr std::size_t kLongestCell = 40;

nanoseconds hold_of(const protocol::Message& message, nanoseconds grid) {
  return std::max(
      {nanoseconds(kHold), grid, nanoseconds(kHeldPeriods * std::chrono::milliseconds(message.period_ms))});
}

/// The fewest of 3, 6 and 9 that show every row's time exactly.
unsigned decimals_of(nanoseconds grid) {
  if (grid % 1ms == 0ns) return 3;
  return grid % 1us == 0ns ? 6 : 9;
}

}  // namespace

WideCsv::WideCsv(const protocol::Catalogue& catalogue, std::vector<output::SignalChoice> columns,
                 std::chrono::nanoseconds grid)
    : catalogue_(catalogue), grid_(grid), decimals_(decimals_of(grid)), latest_(catalogue.messages().size()) {
  for (const output::SignalChoice& choice : columns)
    columns_.push_back({choice, static_cast<std::size_t>(choice.message - catalogue.messages().data())});
}

void WideCsv::write_header(output::TextBuffer& out) const {
  out.append("time");
  for (const Column& column : columns_) {
    out.append(",");
    out.append(column.choice.message->name);
    out.append(".");
    out.append(column.choice.signal->name);
  }
  out.append("\n");
}

void WideCsv::take(const log::LogFrame& frame, output::TextBuffer& out) {
  if (!frame.time.known()) {
    ++notes_.timeless;
    return;
  }
  if (!base_) begin(frame.time);
  move_to(offset_of(frame.time), out);
  const auto found = output::look_up(catalogue_, frame.frame);
  if (found.decoding != output::Decoding::decoded) return;
  latest_[static_cast<std::size_t>(found.message - catalogue_.messages().data())] = {
      protocol::payload_word(frame.frame), last_};
}

void WideCsv::begin(const Timestamp& time) {
  base_ = time.seconds;
  last_ = nanoseconds(time.nanoseconds);
  next_row_ = first_row_from(last_);
}

/// Before the frame of this time is taken.
void WideCsv::move_to(Offset time, output::TextBuffer& out) {
  if (time < last_) {
    ++notes_.backward;
    write_rows(next_row_ + grid_, out);
    std::fill(latest_.begin(), latest_.end(), Latest{});
    next_row_ = first_row_from(time);
  } else {
    write_rows(time, out);
  }
  last_ = time;
}

/// The rows that lie before this time, as far as there may be any behind the last frame.
void WideCsv::write_rows(Offset before, output::TextBuffer& out) {
  const Offset last_row = last_ + std::max<Offset>(kHold, grid_);
  for (; next_row_ < before && next_row_ <= last_row; next_row_ += grid_) write_row(out);
  if (next_row_ >= before) return;
  ++notes_.gaps;
  next_row_ = first_row_from(before);
}

void WideCsv::finish(output::TextBuffer& out) {
  if (base_) write_row(out);
}

WideCsv::Offset WideCsv::offset_of(const Timestamp& time) const {
  const Timestamp base{*base_, 0, 9};
  return time.order(base) < 0 ? -time_between(time, base) : time_between(base, time);
}

WideCsv::Offset WideCsv::first_row_from(Offset time) const {
  const Offset into = time % grid_;
  if (into == 0ns) return time;
  return time - into + (into > 0ns ? grid_ : 0ns);
}

void WideCsv::write_row(output::TextBuffer& out) const {
  char* to = put_time(out.room(kLongestCell * (columns_.size() + 1)));
  for (const Column& column : columns_) to = put_cell(put(to, ','), column);
  out.advance_to(put(to, '\n'));
}

char* WideCsv::put_time(char* to) const {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(next_row_);
  auto fraction = static_cast<std::uint32_t>((next_row_ - seconds).count());
  for (unsigned digits = 9; digits > decimals_; --digits) fraction /= 10;
  to = output::put_decimal(to, *base_ + seconds.count(), 0);
  return output::put_padded(put(to, '.'), fraction, decimals_);
}

char* WideCsv::put_cell(char* to, const Column& column) const {
  const Latest& latest = latest_[column.message];
  if (!latest.time || next_row_ - *latest.time > hold_of(*column.choice.message, grid_)) return to;
  const protocol::Signal& signal = *column.choice.signal;
  const std::int64_t raw = protocol::raw_value(signal.field, latest.word);
  return output::put_decimal(to, raw, signal.decimals_of(raw));
}

}  // namespace rangerctl::convert
