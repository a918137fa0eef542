#include "io/frame_recorder.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include "io/wall_clock.hpp"

namespace rangerctl::io {

Result<std::unique_ptr<FrameRecorder>> FrameRecorder::create(RecordOptions options, const std::string& bus,
                                                             log::DirectionColumn directions) {
  auto sink = RecordSink::create(std::move(options));
  if (!sink) return sink.error();
  return std::unique_ptr<FrameRecorder>(new FrameRecorder(std::move(*sink), bus, directions));
}

FrameRecorder::FrameRecorder(std::unique_ptr<RecordSink> sink, std::string bus,
                             log::DirectionColumn directions)
    : bus_(std::move(bus)),
      directions_(directions),
      file_(std::move(sink), "",
            {[this](const Item& item) { return text_of(item); },
             [this](std::uint64_t count) { return drops_text(count); }}) {}

void FrameRecorder::take(const Received& received) {
  Received timed = received;
  if (!timed.time.known()) timed.time = wall_clock();
  ++frames_;
  say_drops();
  file_.push(timed);
}

void FrameRecorder::take_drops(std::uint64_t count) {
  unsaid_drops_ += count;
  say_drops();
}

void FrameRecorder::say_drops() {
  if (unsaid_drops_ != 0 && file_.offer(unsaid_drops_)) unsaid_drops_ = 0;
}

void FrameRecorder::finish() {
  constexpr auto kPatience = std::chrono::milliseconds(10);
  for (int i = 0; i < 100 && unsaid_drops_ != 0 && !failed();
       ++i) {  // the writing thread makes room every 50 ms
    say_drops();
    if (unsaid_drops_ != 0) std::this_thread::sleep_for(kPatience);
  }
  file_.finish();
}

std::string FrameRecorder::text_of(const Item& item) {
  if (const auto* const count = std::get_if<std::uint64_t>(&item)) return drops_text(*count);
  return log::written_line(std::get<Received>(item), bus_, directions_);
}

std::string FrameRecorder::drops_text(std::uint64_t count) {
  drops_ += count;
  return log::written_drops(count, bus_, drops_);
}

}  // namespace rangerctl::io
