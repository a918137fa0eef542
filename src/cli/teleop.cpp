#include <fmt/format.h>
#include <poll.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "cli/command.hpp"
#include "cli/teleop_loop.hpp"
#include "io/diagnostics.hpp"
#include "io/instance_lock.hpp"
#include "io/open_transport.hpp"
#include "io/real_time.hpp"
#include "io/socketcan.hpp"
#include "io/stop_signal.hpp"
#include "rangerctl/protocol/catalogue.hpp"
#include "rangerctl/protocol/values.hpp"
#include "rangerctl/text.hpp"
#include "tui/terminal.hpp"
#include "tui/terminfo.hpp"

namespace rangerctl::cli {
namespace {

using namespace std::chrono_literals;
using protocol::kDefaultCatalogue;
using std::chrono::steady_clock;

struct TeleopOptions {
  std::string address;
  teleop::Layout layout = teleop::Layout::wasd;
  std::optional<double> max_mps;
  bool allow_blind_link = false;
  bool no_remote = false;
  bool dry_run = false;
  bool real_time = false;
  bool ascii = false;
  std::string record;
};

std::string_view environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view{} : std::string_view(value);
}

/// Whether the session comes from another computer: $SSH_CONNECTION is client, port, server, port.
bool link_leaves_host() {
  const std::string_view connection = environment("SSH_CONNECTION");
  const std::string_view client = connection.substr(0, connection.find(' '));
  return !client.empty() && !client.starts_with("127.") && client != "::1";
}

teleop::Options machine_options(const TeleopOptions& options, const terminal::Capabilities& terminal) {
  teleop::Options made{.layout = options.layout,
                       .dry_run = options.dry_run,
                       .ignore_remote_lost = options.no_remote,
                       .allow_blind_link = options.allow_blind_link,
                       .terminal = terminal,
                       .link_leaves_host = link_leaves_host()};
  made.max_was_given = options.max_mps.has_value();
  if (options.max_mps) made.max_mmps = static_cast<int>(std::lround(*options.max_mps * 1000));
  return made;
}

bool is_simulated(std::string_view address) { return address == "sim" || address.starts_with("sim:"); }

bool wants_colors(ColorMode mode) {
  if (mode != ColorMode::automatic) return mode == ColorMode::always;
  return environment("NO_COLOR").empty();
}

Result<void> check_terminal() {
  const Error plain{ExitStatus::failed,
                    "teleop needs a terminal for its keys and its screen; there is no plain line mode, for "
                    "nobody could see why the robot moves"};
  if (isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0) return plain;
  if (const std::string why = tui::why_no_screen(); !why.empty())
    return Error{ExitStatus::failed, fmt::format("{} ({})", plain.message, why)};
  return {};
}

/// Asks the terminal what it can do. Nothing that is typed meanwhile counts but a wish to end.
std::optional<ExitStatus> ask_terminal(tui::Tty& tty, terminal::InputParser& parser,
                                       terminal::Capabilities& found) {
  terminal::Handshake handshake({.tmux = environment("TMUX"),
                                 .sty = environment("STY"),
                                 .term = environment("TERM"),
                                 .no_utf8_acs = environment("NCURSES_NO_UTF8_ACS")});
  while (true) {
    const SteadyTime now = steady_clock::now();
    const auto result = handshake.result(now);
    if (const std::string_view bytes = handshake.output(); !bytes.empty()) tty.force(bytes);
    if (result) {
      found = *result;
      return std::nullopt;
    }
    if (const auto stopped = io::stop_signal()) return *stopped;
    pollfd keyboard{tty.input(), POLLIN, 0};
    ::poll(&keyboard, 1, 10);
    std::array<char, 1024> bytes;
    const tui::Tty::Read got = tty.read(bytes);
    if (got.vanished) return ExitStatus::hung_up;
    const auto take = [&](const std::optional<terminal::Event>& event) {
      if (!event || handshake.take(*event, steady_clock::now())) return false;
      return event->kind == terminal::EventKind::key && event->key == U'c' &&
             event->modifiers == terminal::kControl;
    };
    for (std::size_t i = 0; i < got.count; ++i) {
      if (take(parser.take(bytes[i], steady_clock::now()))) return ExitStatus::interrupted;
    }
    take(parser.idle(steady_clock::now()));
  }
}

/// What lasts from the start to the end, suspensions included.
struct Session {
  std::string address;
  io::Descriptor lock;  ///< none where the chassis is simulated
  std::unique_ptr<Transport> transport;
  std::unique_ptr<tui::Tty> tty;
  std::unique_ptr<tui::Painter> painter;
  std::unique_ptr<io::Guard> guard;
  std::unique_ptr<TeleopRecord> record;  ///< null: none
};

Result<std::unique_ptr<io::Guard>> start_guard(const Session& session, const TeleopOptions& options) {
  io::GuardOptions guard{.terminal = session.tty->output(),
                         .settings = session.tty->settings(),
                         .restoring_bytes = std::string(terminal::kSwitchOff) + session.painter->leave(),
                         .open_bus = {},
                         .catalogue = &kDefaultCatalogue,
                         .keep = {},
                         .real_time = options.real_time};
  if (!is_simulated(session.address) && !options.dry_run) {
    guard.open_bus = [address = session.address] {
      return io::open_socketcan(address, io::Listen::to_nobody);
    };
  }
  if (session.lock.get() >= 0) guard.keep.push_back(session.lock.get());
  return io::Guard::start(guard);
}

/// Everything that can fail, before the screen is taken. The guard comes before any thread.
Result<Session> open_session(const TeleopOptions& options, const Globals& globals) {
  Session session;
  session.address = globals.address_or_default(options.address);
  if (auto checked = check_terminal(); !checked) return checked.error();
  auto transport = io::open_transport(session.address, kDefaultCatalogue);
  if (!transport) return transport.error();
  session.transport = std::move(*transport);
  if (!session.transport->can_send())
    return Error{ExitStatus::usage, fmt::format("{}: a log takes no commands", session.address)};
  if (!is_simulated(session.address)) {
    auto lock = io::lock_instance(session.address);
    if (!lock) return lock.error();
    session.lock = std::move(*lock);
  }
  auto tty = tui::Tty::open();
  if (!tty) return tty.error();
  session.tty = std::move(*tty);
  auto painter = tui::Painter::open(wants_colors(globals.color), session.tty->size());
  if (!painter) return painter.error();
  session.painter = std::move(*painter);
  auto guard = start_guard(session, options);
  if (!guard) return guard.error();
  session.guard = std::move(*guard);
  if (options.record.empty()) return session;
  auto record = TeleopRecord::create(options.record, session.address, kDefaultCatalogue);
  if (!record) return record.error();
  session.record = std::move(*record);
  return session;
}

void take_screen(Session& session) {
  session.tty->raw(false);
  session.guard->take_terminal();
  session.tty->force(session.painter->enter() + std::string(terminal::kSwitchOn));
  session.painter->repaint();
}

/// Keys that were typed before the keyboard protocol was switched off still arrive in its encoding, and would
/// be typed into the shell. Whoever answers has sent them all before.
void read_last_keys(tui::Tty& tty) {
  constexpr auto kPatience = 500ms;
  tty.force(terminal::kStatusQuery);
  terminal::InputParser parser;
  const SteadyTime deadline = steady_clock::now() + kPatience;
  while (steady_clock::now() < deadline) {
    pollfd keyboard{tty.input(), POLLIN, 0};
    ::poll(&keyboard, 1, 10);
    std::array<char, 1024> bytes;
    const tui::Tty::Read got = tty.read(bytes);
    if (got.vanished) return;
    for (std::size_t i = 0; i < got.count; ++i) {
      const auto event = parser.take(bytes[i], steady_clock::now());
      if (event && event->kind == terminal::EventKind::status_report) return;
    }
  }
}

void leave_screen(Session& session, bool terminal_answers) {
  session.tty->force(terminal::kSwitchOff);
  if (terminal_answers) read_last_keys(*session.tty);
  session.tty->force(session.painter->leave());
  session.tty->restore();
  session.guard->release_terminal();
}

/// Where the terminal says nothing about the link, the kernel says something.
std::optional<io::TcpAnswer> tcp_of_blind_link(const terminal::Capabilities& capabilities) {
  const bool is_blind = !capabilities.answers || capabilities.relay != terminal::Relay::none;
  return is_blind ? io::TcpAnswer::find(environment("SSH_CONNECTION")) : std::nullopt;
}

Result<TeleopLoop::End> run_loop(Session& session, const TeleopOptions& options,
                                 terminal::InputParser& parser, const terminal::Capabilities& capabilities) {
  auto screen = TeleopScreen::start(*session.tty, *session.painter, kDefaultCatalogue,
                                    {.ascii = options.ascii || !tui::speaks_utf8(),
                                     .record = session.record.get(),
                                     .address = session.address,
                                     .tcp = tcp_of_blind_link(capabilities)});
  if (!screen) return screen.error();
  TeleopLoop loop({.transport = *session.transport,
                   .tty = *session.tty,
                   .screen = **screen,
                   .guard = *session.guard,
                   .record = session.record.get(),
                   .parser = parser},
                  kDefaultCatalogue, protocol::ranger_mini_3::kBitRate,
                  machine_options(options, capabilities));
  auto end = loop.run();
  session.guard->beat(false);
  return end;
}

/// One drive: from an own screen to none. The error: there is no timer, or no thread.
Result<TeleopLoop::End> drive(Session& session, const TeleopOptions& options) {
  take_screen(session);
  terminal::InputParser parser;
  terminal::Capabilities capabilities;
  if (const auto ended = ask_terminal(*session.tty, parser, capabilities)) {
    const bool gone = *ended == ExitStatus::hung_up;
    if (!gone) leave_screen(session, false);
    const auto why = gone                               ? teleop::Leave::hang_up
                     : *ended == ExitStatus::terminated ? teleop::Leave::terminate
                                                        : teleop::Leave::interrupt;
    return TeleopLoop::End{{.why = why, .dry_run = options.dry_run}, gone};
  }
  const auto end = run_loop(session, options, parser, capabilities);
  if (!end || !end->vanished) leave_screen(session, capabilities.answers);
  return end;
}

ExitStatus say_farewell(const Session& session, const teleop::Farewell& farewell) {
  if (session.record && !session.record->trouble().empty()) io::show_warning(session.record->trouble());
  const ExitStatus printed = print("teleop: " + teleop::farewell_text(farewell, session.address) + '\n');
  return printed != ExitStatus::ok ? printed : teleop::exit_status(farewell);
}

ExitStatus run_teleop(const TeleopOptions& options, const Globals& globals) {
  auto session = open_session(options, globals);
  if (!session) return fail(session.error());
  if (options.real_time) {
    if (const auto granted = io::take_real_time(io::kLoopPriority); !granted)
      io::show_warning(granted.error().message);
  }
  io::catch_suspend();
  io::catch_continue();
  while (true) {
    const auto end = drive(*session, options);
    if (!end) return fail(end.error());
    if (end->vanished) return ExitStatus::hung_up;
    const ExitStatus status = say_farewell(*session, end->farewell);
    if (end->farewell.why != teleop::Leave::suspend) return status;
    io::suspend_here();
  }
}

std::string check_max_speed(const std::string& text) {
  const protocol::Signal& signal =
      *protocol::find_signal(*kDefaultCatalogue.find("motion_command"), "linear_velocity");
  const double most = static_cast<double>(signal.max()) / 1000;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (is_number && value >= 0.1 && value <= most) return {};
  return fmt::format("'{}' is no speed from 0.1 to {:.1f} m/s (the manual's limit)", printable(text), most);
}

std::string check_record(const std::string& text) {
  return text.empty() ? "it needs a name of a new file, for example: --record drive.log" : "";
}

constexpr std::string_view kFooter =
    "It moves only while a key is held, and only after A and the two-digit code that is then\n"
    "shown. SPACE stops, x disarms, q quits; the screen says why it moves or does not.\n"
    "This is not an emergency stop: keep the red button and the remote control at hand, and\n"
    "the robot in sight. Its times are settings, not validated safety values.";

}  // namespace

void add_teleop(CLI::App& app, const Globals& globals, Run& run) {
  auto options = std::make_shared<TeleopOptions>();
  CLI::App* const command =
      app.add_subcommand("teleop", "Drive with the keyboard, over SSH too: it moves while a key is held");
  command
      ->add_option("address", options->address,
                   "can0, sim, sim:SCENARIO (default: -i, $RANGERCTL_INTERFACE, can0)")
      ->check(check_address)
      ->type_name("ADDR");
  add_choice<teleop::Layout>(*command, "--keys", options->layout,
                             {{"wasd", teleop::Layout::wasd}, {"classic", teleop::Layout::classic}},
                             "wasd (and arrows), or classic: u i o / j k l / m , .");
  command->add_option("--max-speed", options->max_mps, "the key 0 chooses it (default 0.9, up to 2.0)")
      ->check(CLI::Validator(check_max_speed, ""))
      ->type_name("M/S");
  command->add_flag("--allow-blind-link", options->allow_blind_link,
                    "drive at 0.2 m/s at most where the age of keys is not known (tmux, screen, mosh)");
  command->add_flag("--no-rc", options->no_remote, "arm although the remote control is not connected");
  command->add_flag("--dry-run", options->dry_run, "send nothing at all; show what would be sent");
  command
      ->add_option("--record", options->record,
                   "write a candump log; states, reasons and keys are its comments")
      ->check(CLI::Validator(check_record, ""))
      ->type_name("FILE");
  command->add_flag("--rt", options->real_time, "a real-time priority and locked memory, where allowed");
  command->add_flag("--ascii", options->ascii, "draw with ASCII characters only");
  command->footer(std::string(kFooter));
  command->callback(
      [options, &globals, &run] { run = [options, &globals] { return run_teleop(*options, globals); }; });
}

}  // namespace rangerctl::cli
