#pragma once

#include <string_view>

#include "rangerctl/result.hpp"

namespace rangerctl::io {

/// Writes all of `text` to stdout. A reader that has gone away (closed pipe) is an Error with status ok and
/// no message: the program ends quietly. A stop signal is an Error with its status and no message.
Result<void> write_stdout(std::string_view text);

}  // namespace rangerctl::io
