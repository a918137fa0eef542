#include "cli/replay_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "io/input.hpp"
#include "io/progress_line.hpp"
#include "io/stop_signal.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::cli {
namespace {

constexpr const protocol::Catalogue& kCatalogue = protocol::kDefaultCatalogue;

Error cannot_keep(int error) {
  return {
      ExitStatus::failed,
      fmt::format("cannot keep the log in {}: {}; write it to a file, and replay that",
                  std::filesystem::temp_directory_path().string(), std::generic_category().message(error))};
}

Result<void> write_all(int file, std::span<const char> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return cannot_keep(errno);
    if (written > 0) bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

/// Everything that comes out of `input`, in a file that is gone with its descriptor.
Result<io::Descriptor> spool(io::Input& input) {
  io::Descriptor file(
      ::open(std::filesystem::temp_directory_path().c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file.get() < 0) return cannot_keep(errno);
  std::array<char, 65536> buffer;
  while (true) {
    const auto count = input.read(buffer);
    if (!count) return count.error();
    if (*count == 0) return file;
    if (auto written = write_all(file.get(), std::span(buffer).first(*count)); !written)
      return written.error();
  }
}

Error not_understood(std::string message) {
  return {ExitStatus::not_understood, std::move(message) + "; nothing was sent"};
}

}  // namespace

Result<ReplayLog> ReplayLog::open(const std::string& path, ReplayChoice choice) {
  ReplayLog log(io::input_name(path), path, std::move(choice));
  log.identity_ = io::regular_file(path);
  if (log.identity_) return log;
  io::tell_of_terminal(path);
  auto input = io::open_input(path);
  if (!input) return input.error();
  auto spooled = spool(**input);
  if (!spooled) return spooled.error();
  log.spool_ = std::move(*spooled);
  log.path_ = fmt::format("/proc/self/fd/{}", log.spool_.get());
  return log;
}

Result<void> ReplayLog::reopen() {
  auto input = io::open_input(path_);
  if (!input) return input.error();
  if (identity_ && io::regular_file(path_) != identity_)
    return Error{ExitStatus::failed, fmt::format("{} was changed meanwhile", name_)};
  frames_ = std::make_unique<io::LogFrames>(std::move(*input), kCatalogue);
  asked_ = choice_.frames;
  return {};
}

/// `left_out`: where to count what is not sent; null: it was counted before.
Result<std::optional<ReplayLog::Found>> ReplayLog::find_next(replay::LeftOutCounts* left_out) {
  using replay::LeftOut;
  output::Summary unused;
  while (frames_->next()) {
    const Received received = frames_->received();
    const auto note = [left_out](LeftOut reason) {
      if (left_out != nullptr) left_out->note(reason);
    };
    const bool is_asked_for = asked_.wants(received.time, received.frame, unused);
    const auto destination = choice_.map.destination(frames_->bus());
    if (!is_asked_for) {
      note(LeftOut::not_asked_for);
    } else if (!destination) {
      note(LeftOut::not_mapped);
    } else if (const auto verdict = replay::judge(kCatalogue, received.frame, choice_.options);
               verdict.refusal) {
      return Error{verdict.refusal->status, fmt::format("{}: frame {}: {}; nothing was sent", name_,
                                                        frames_->count(), verdict.refusal->message)};
    } else if (!verdict.role) {
      note(verdict.left_out);
    } else {
      return std::optional(
          Found{{received.frame, *verdict.role, *destination, frames_->offset() - start_}, frames_->bus()});
    }
  }
  return std::optional<Found>();
}

/// A line that was cut at the end of the log is what remains of a power cut; anything else may be another
/// log.
Result<void> ReplayLog::check_end() const {
  if (const auto stopped = io::stop_signal()) return Error{*stopped, "stopped; nothing was sent"};
  if (frames_->error()) return not_understood(frames_->error()->message);
  const auto& unreadable = frames_->first_unreadable();
  if (!unreadable || unreadable->kind == log::LineKind::cut) return {};
  const std::uint64_t more = frames_->status().unreadable - 1;
  return not_understood(fmt::format("{}: line {} is not understood ({}){}", name_, unreadable->number,
                                    log::line_kind_name(unreadable->kind),
                                    more == 0 ? "" : fmt::format(", and {} more", more)));
}

Result<ReplaySurvey> ReplayLog::survey() {
  ReplaySurvey survey;
  io::ProgressLine progress;
  start_ = {};
  if (auto opened = reopen(); !opened) return opened.error();
  while (true) {
    auto found = find_next(&survey.left_out);
    if (!found) return found.error();
    if (!*found) break;
    const replay::Item& item = (*found)->item;
    if (survey.frames++ == 0) survey.start = item.offset;
    survey.length = item.offset - survey.start;
    const bool moves = item.role == Role::host && commands_motion(kCatalogue, item.frame);
    if (moves) ++survey.moving;
    if (moves && !frames_->received().time.known())
      return Error{ExitStatus::refused,
                   fmt::format("{}: frame {}: refused: a motion without a time; nothing was sent", name_,
                               frames_->count())};
    if (auto kept = keep(item); !kept) return kept.error();
    const std::string_view bus = (*found)->bus;
    if (!choice_.map.names(bus) &&
        std::find(survey.buses.begin(), survey.buses.end(), bus) == survey.buses.end())
      survey.buses.emplace_back(bus);
    const auto now = std::chrono::steady_clock::now();
    if (progress.is_due(now))
      progress.show(fmt::format("looking through the log: {} frames", survey.frames), now);
  }
  if (auto checked = check_end(); !checked) return checked.error();
  survey.is_cut = frames_->first_unreadable().has_value();
  for (replay::Item& item : kept_) item.offset -= survey.start;
  return survey;
}

Result<void> ReplayLog::begin(const ReplaySurvey& survey) {
  left_ = survey.frames;
  if (choice_.options.with_commands) return {};
  start_ = survey.start;
  if (auto opened = reopen(); !opened) return opened;
  read_next();
  return {};
}

const replay::Item* ReplayLog::next() const {
  if (left_ == 0) return nullptr;
  if (choice_.options.with_commands) return &kept_[kept_.size() - left_];
  return item_ ? &*item_ : nullptr;
}

/// Precondition: one is next.
void ReplayLog::advance() {
  --left_;
  if (left_ > 0 && !choice_.options.with_commands) read_next();
}

Result<void> ReplayLog::keep(const replay::Item& item) {
  constexpr std::size_t kMost = 1'000'000;
  if (!choice_.options.with_commands) return {};
  if (kept_.size() == kMost)
    return Error{
        ExitStatus::refused,
        fmt::format("{}: with commands at most {} frames are sent; choose them with --only, --from and --to",
                    name_, kMost)};
  kept_.push_back(item);
  return {};
}

void ReplayLog::read_next() {
  auto found = find_next(nullptr);
  item_.reset();
  if (!found) {
    error_ = found.error();
  } else if (*found) {
    item_ = (*found)->item;
  } else if (frames_->error()) {
    error_ = frames_->error();
  }
}

}  // namespace rangerctl::cli
