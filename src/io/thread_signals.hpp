#pragma once

namespace rangerctl::io {

/// For a thread that only helps: signals are for the thread that acts on them, which may be waiting in a call
/// that they interrupt.
void leave_signals_to_others();

}  // namespace rangerctl::io
