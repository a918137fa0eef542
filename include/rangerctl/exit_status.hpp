#pragma once

#include <array>
#include <string_view>

namespace rangerctl {

/// How every command ends. Part of the command-line contract: add to it, never change a meaning.
enum class ExitStatus : int {
  ok = 0,              ///< done, and confirmed by the chassis where the command asks for a confirmation
  failed = 1,          ///< failed otherwise: file missing or unreadable, disk full
  usage = 2,           ///< wrong arguments, including a code, name or mode that does not exist
  bus = 3,             ///< bus unavailable: no such interface, down, no permission, gone, bus-off
  no_answer = 4,       ///< nothing received, or the change was not confirmed in time
  refused = 5,         ///< the chassis or our own limits do not allow it now
  not_understood = 6,  ///< input not understood (`decode --strict`)
  hung_up = 129,       ///< SIGHUP
  interrupted = 130,   ///< SIGINT, also where Ctrl-C is the usual end
  terminated = 143,    ///< SIGTERM
};

struct ExitStatusRow {
  ExitStatus status;
  std::string_view meaning;
};

/// The table that `--help`, the man page and the README print.
inline constexpr std::array kExitStatuses{
    ExitStatusRow{ExitStatus::ok, "done, and confirmed by the chassis where the command asks for that"},
    ExitStatusRow{ExitStatus::failed, "failed otherwise: file missing or unreadable, disk full"},
    ExitStatusRow{ExitStatus::usage, "wrong arguments, or a name, code or mode that does not exist"},
    ExitStatusRow{ExitStatus::bus, "bus unavailable: no such interface, down, no permission, gone, bus-off"},
    ExitStatusRow{ExitStatus::no_answer,
                  "no answer in time: nothing received, or the change was not confirmed"},
    ExitStatusRow{ExitStatus::refused, "refused: the chassis or our own limits do not allow it now"},
    ExitStatusRow{ExitStatus::not_understood, "input not understood (decode --strict)"},
    ExitStatusRow{ExitStatus::hung_up, "hung up (SIGHUP)"},
    ExitStatusRow{ExitStatus::interrupted, "interrupted (Ctrl-C), also where that is the usual end"},
    ExitStatusRow{ExitStatus::terminated, "terminated (SIGTERM)"},
};

}  // namespace rangerctl
