#pragma once

namespace rangerctl::io {

/// To be called before anything is opened. Where the program was started with standard input, output or
/// errors closed, the next file or socket would take that number, and a diagnostic would go out as a frame.
/// They stay as good as closed: reading and writing them fails as before.
void keep_standard_streams();

}  // namespace rangerctl::io
