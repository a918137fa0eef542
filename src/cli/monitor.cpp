#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>

#include "cli/command.hpp"
#include "io/can_interfaces.hpp"
#include "io/diagnostics.hpp"
#include "io/drain.hpp"
#include "io/open_transport.hpp"
#include "io/stop_signal.hpp"
#include "rangerctl/monitor/draw.hpp"
#include "rangerctl/monitor/snapshot.hpp"
#include "rangerctl/monitor/state.hpp"
#include "rangerctl/protocol/catalogue.hpp"
#include "tui/terminal.hpp"
#include "tui/terminfo.hpp"

namespace rangerctl::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

struct MonitorOptions {
  std::string address;
  bool once = false;
  bool json = false;
  bool ascii = false;
  double repaints_per_second = 5;
  double timeout_seconds = 1.5;
};

/// The state of the chassis behind a transport.
class Watch {
 public:
  explicit Watch(Transport& transport)
      : transport_(transport),
        state_(protocol::kDefaultCatalogue, protocol::ranger_mini_3::kBitRate, steady_clock::now()) {}

  [[nodiscard]] const monitor::State& state() const { return state_; }

  /// Takes what is there, waiting for it until `deadline`.
  Result<void> take_frames(SteadyTime deadline) {
    const auto drained =
        io::drain(transport_, buffer_, deadline, [this](const Received& received, SteadyTime now) {
          monitor::reduce(state_, received, now);
          return Result<void>();
        });
    if (!drained) return drained.error();
    monitor::take_link(state_, transport_.status(), steady_clock::now());
    return {};
  }

 private:
  Transport& transport_;
  monitor::State state_;
  std::array<Received, 256> buffer_;
};

// ---- Snapshots ----------------------------------------------------------------------------------------

/// Every message twice, so that it has a rate.
bool saw_everything(const monitor::State& state) {
  for (std::size_t i = 0; i < state.messages.size(); ++i) {
    if (monitor::is_expected(state.catalogue->messages()[i]) && state.messages[i].count < 2) return false;
  }
  return true;
}

Timestamp wall_clock() {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(since_epoch).count();
  return {micros / 1'000'000, static_cast<std::uint32_t>(micros % 1'000'000 * 1000), 6};
}

Error no_answer(const monitor::State& state, std::string_view address, double timeout) {
  if (state.link.state == LinkState::down || state.link.state == LinkState::gone) {
    return {ExitStatus::bus, fmt::format("{}: the interface is {}; bring it up with: {}", address,
                                         state.link.state == LinkState::down ? "down" : "gone",
                                         io::bring_up_command(std::string(address)))};
  }
  if (state.link.state == LinkState::ended) {
    return {ExitStatus::no_answer, fmt::format("{}: no feedback of the chassis in this log", address)};
  }
  return {ExitStatus::no_answer,
          fmt::format(
              "{}: {} from the chassis within {} s; is it switched on, the cable connected and the bit rate "
              "500 kbit/s?",
              address, state.frame_count == 0 ? "nothing received" : "frames, but none", timeout)};
}

ExitStatus snapshot(Transport& transport, const MonitorOptions& options) {
  Watch watch(transport);
  const auto timeout = std::chrono::duration<double>(options.timeout_seconds);
  const SteadyTime deadline = steady_clock::now() + std::chrono::duration_cast<milliseconds>(timeout);
  const auto is_complete = [&watch] {
    return saw_everything(watch.state()) || watch.state().link.state == LinkState::ended;
  };
  while (!is_complete() && steady_clock::now() < deadline) {
    if (const auto taken = watch.take_frames(deadline); !taken) return fail(taken.error());
    if (const auto stopped = io::stop_signal()) return *stopped;
  }
  const monitor::SnapshotHead head{transport.address(), wall_clock()};
  const auto make = options.json ? monitor::snapshot_json : monitor::snapshot_text;
  const ExitStatus printed = print(make(watch.state(), steady_clock::now(), head));
  if (printed != ExitStatus::ok || watch.state().last_feedback) return printed;
  return fail(no_answer(watch.state(), transport.address(), options.timeout_seconds));
}

// ---- The screen ---------------------------------------------------------------------------------------

/// How long frames are left to the kernel before they are taken together: waking for each would cost many
/// times as much, and its queue holds several hundred.
constexpr milliseconds kNap{20};

bool wants_colors(ColorMode mode) {
  if (mode != ColorMode::automatic) return mode == ColorMode::always;
  const char* const no_color = std::getenv("NO_COLOR");
  return no_color == nullptr || *no_color == '\0';
}

std::string time_of_day() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  return fmt::format("{:02}:{:02}:{:02}", local.tm_hour, local.tm_min, local.tm_sec);
}

/// The page after a key; the same page where the key means nothing.
monitor::Page page_after(monitor::Page page, char key) {
  switch (key) {
    case '1':
      return monitor::Page::overview;
    case '2':
      return monitor::Page::frames;
    case '\t':
      return page == monitor::Page::overview ? monitor::Page::frames : monitor::Page::overview;
    case '?':
    case 'h':
      return page == monitor::Page::help ? monitor::Page::overview : monitor::Page::help;
    default:
      return page;
  }
}

/// Paints and listens until somebody ends it.
Result<ExitStatus> run_screen(Transport& transport, tui::Terminal& terminal, const MonitorOptions& options) {
  Watch watch(transport);
  monitor::DrawOptions drawing{monitor::Page::overview, options.ascii, transport.address(), {}};
  const auto period = std::chrono::duration_cast<SteadyTime::duration>(
      std::chrono::duration<double>(1.0 / options.repaints_per_second));
  SteadyTime next_paint = steady_clock::now();
  while (true) {
    if (const auto stopped = io::stop_signal()) return *stopped;
    if (const auto taken = watch.take_frames(steady_clock::now()); !taken) return taken.error();
    const SteadyTime now = steady_clock::now();
    if (now >= next_paint) {
      const std::string clock = time_of_day();
      drawing.clock = clock;
      terminal.paint(monitor::draw(watch.state(), now, terminal.size(), drawing));
      next_paint = now + period;
    }
    const tui::Terminal::Event event = terminal.wait(kNap);
    if (event.vanished) return ExitStatus::hung_up;
    if (event.key == 'q') return ExitStatus::ok;
    const monitor::Page page = page_after(drawing.page, event.key);
    if (event.redraw || page != drawing.page) next_paint = steady_clock::now();
    drawing.page = page;
  }
}

ExitStatus watch_on_screen(Transport& transport, MonitorOptions options, ColorMode colors) {
  options.ascii = options.ascii || !tui::speaks_utf8();
  auto terminal = tui::Terminal::open(wants_colors(colors));
  if (!terminal) return fail(terminal.error());
  const Result<ExitStatus> ended = run_screen(transport, **terminal, options);
  terminal->reset();  // before anything is printed
  return ended ? ended.value() : fail(ended.error());
}

ExitStatus run_monitor(const MonitorOptions& options, const Globals& globals) {
  auto transport =
      io::open_transport(globals.address_or_default(options.address), protocol::kDefaultCatalogue);
  if (!transport) return fail(transport.error());
  if (options.once || options.json) return snapshot(**transport, options);
  const std::string no_screen = tui::why_no_screen();
  if (no_screen.empty()) return watch_on_screen(**transport, options, globals.color);
  if (tui::is_terminal()) io::show_info(no_screen + ": printing one snapshot instead of the screen");
  return snapshot(**transport, options);
}

}  // namespace

void add_monitor(CLI::App& app, const Globals& globals, Run& run) {
  auto options = std::make_shared<MonitorOptions>();
  CLI::App* const command = app.add_subcommand(
      "monitor", "Watch a chassis: its state, motion, battery, motors, errors and the bus");
  command
      ->add_option("address", options->address,
                   "can0, sim, replay:FILE (default: -i, $RANGERCTL_INTERFACE, can0)")
      ->check(check_address)
      ->type_name("ADDR");
  command->add_flag("--once", options->once, "print one snapshot as text, one line a message, and exit");
  command->add_flag("--json", options->json, "print one snapshot as a JSON object and exit");
  command->add_flag("--ascii", options->ascii, "draw with ASCII characters only");
  command->add_option("--rate", options->repaints_per_second, "repaints per second (default 5)")
      ->check(CLI::Range(1.0, 20.0))
      ->type_name("HZ");
  command
      ->add_option("--timeout", options->timeout_seconds,
                   "how long a snapshot waits for messages (default 1.5)")
      ->check(CLI::Range(0.01, 3600.0))
      ->type_name("SECONDS");
  command->callback(
      [options, &globals, &run] { run = [options, &globals] { return run_monitor(*options, globals); }; });
}

}  // namespace rangerctl::cli
