#include "io/log_run.hpp"

#include <sched.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "io/line_chunks.hpp"
#include "io/log_beginning.hpp"
#include "io/thread_signals.hpp"

namespace rangerctl::io {
namespace {

/// A part with what it takes to work on it.
struct Slot {
  Slot(const protocol::Catalogue& catalogue, std::unique_ptr<LogPart> its_part)
      : parser(catalogue), part(std::move(its_part)) {}

  LineChunk chunk;
  log::CandumpParser parser;
  log::LogFrame frame;
  std::unique_ptr<LogPart> part;
  std::uint64_t pieces = 0;
  bool done = false;  ///< guarded by Workers::mutex_ while others may work on it

  void work() { pieces = part->take_lines(parser, chunk.text(), frame); }
};

/// Threads that work on slots in the order in which they get them.
class Workers {
 public:
  explicit Workers(unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      threads_.emplace_back([this](const std::stop_token& stop) { run(stop); });
  }
  ~Workers() {
    for (std::jthread& thread : threads_) thread.request_stop();
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void begin(Slot& slot) {
    slot.done = false;
    if (threads_.empty()) {
      slot.work();
      slot.done = true;
      return;
    }
    const std::lock_guard lock(mutex_);
    waiting_.push_back(&slot);
    begun_.notify_one();
  }

  void wait_for(const Slot& slot) {
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [&] { return slot.done; });
  }

 private:
  void run(const std::stop_token& stop) {
    leave_signals_to_others();
    std::unique_lock lock(mutex_);
    while (begun_.wait(lock, stop, [this] { return !waiting_.empty(); })) {
      Slot& slot = *waiting_.front();
      waiting_.erase(waiting_.begin());
      lock.unlock();
      slot.work();
      lock.lock();
      slot.done = true;
      finished_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any begun_;
  std::condition_variable finished_;
  std::vector<Slot*> waiting_;
  std::vector<std::jthread> threads_;  ///< last, so that they have ended before what they use
};

/// A candump log in parts.
class Run {
 public:
  Run(std::unique_ptr<Input> input, const protocol::Catalogue& catalogue, LogClient& client, unsigned threads)
      : chunks_(std::move(input)),
        client_(client),
        slots_(make_slots(catalogue, client, threads)),
        workers_(threads) {}

  Result<void> to_the_end() {
    while (has_room() ? begin_next() : take_oldest()) {
    }
    if (wants_more_) drain();
    if (chunks_.error()) return *chunks_.error();
    return {};
  }

 private:
  static std::vector<std::unique_ptr<Slot>> make_slots(const protocol::Catalogue& catalogue,
                                                       LogClient& client, unsigned threads) {
    std::vector<std::unique_ptr<Slot>> slots;
    for (unsigned i = 0; i < 2 * threads + 1; ++i)
      slots.push_back(std::make_unique<Slot>(catalogue, client.make_part()));
    return slots;
  }

  Slot& slot(std::uint64_t number) { return *slots_[number % slots_.size()]; }

  /// For another part, if reading it does not hold up what was read.
  bool has_room() const {
    const std::uint64_t on_the_way = begun_ - taken_;
    return on_the_way == 0 || (on_the_way < slots_.size() && !chunks_.would_wait());
  }

  /// False at the end.
  bool begin_next() {
    Slot& next = slot(begun_);
    if (!chunks_.next(next.chunk)) return false;
    const bool continues = log::CandumpParser::may_be_continuation(next.chunk.text());
    if ((continues || client_.needs_order()) && !drain()) return false;
    if (continues && begun_ != 0) next.parser.continue_after(slot(begun_ - 1).parser);
    workers_.begin(next);
    ++begun_;
    return true;
  }

  bool take_oldest() {
    Slot& oldest = slot(taken_);
    workers_.wait_for(oldest);
    ++taken_;
    wants_more_ = client_.take_over(*oldest.part, pieces_);
    pieces_ += oldest.pieces;
    return wants_more_;
  }

  bool drain() {
    while (taken_ != begun_ && wants_more_) take_oldest();
    return wants_more_;
  }

  LineChunks chunks_;
  LogClient& client_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::uint64_t begun_ = 0;
  std::uint64_t taken_ = 0;
  std::uint64_t pieces_ = 0;
  bool wants_more_ = true;
  Workers workers_;  ///< last, see there
};

Result<void> run_in_one_thread(LogPieces& log, LogClient& client) {
  const std::unique_ptr<LogPart> part = client.make_part();
  log::LogFrame frame;
  std::uint64_t before = 0;
  while (const std::uint64_t count = part->take_pieces(log, before, frame)) {
    if (!client.take_over(*part, before)) return {};
    before += count;
  }
  if (log.error()) return *log.error();
  return {};
}

}  // namespace

Result<void> run_log(std::unique_ptr<Input> input, const protocol::Catalogue& catalogue, LogClient& client,
                     unsigned threads) {
  LogBeginning beginning(std::move(input));
  while (!beginning.format()) beginning.read_more();
  const log::Format format = *beginning.format();
  if (format != log::Format::candump)
    return run_in_one_thread(*read_log_of(format, beginning.whole(), catalogue), client);
  return Run(beginning.whole(), catalogue, client, threads).to_the_end();
}

unsigned useful_threads() {
  constexpr unsigned kMost = 4;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 0;
  const auto count = static_cast<unsigned>(CPU_COUNT(&allowed));
  return count < 2 ? 0 : std::min(count, kMost);
}

}  // namespace rangerctl::io
