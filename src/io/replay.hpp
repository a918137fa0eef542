#pragma once

#include <memory>
#include <string>

#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/transport.hpp"

namespace rangerctl::io {

/// Plays a candump log (also compressed) at the pace of its own times. A step back in time, as in a log of
/// several captures, continues at once; a line without a time follows the line before after one millisecond.
/// After the last line the state is `ended`. Keeps a reference to the catalogue.
Result<std::unique_ptr<Transport>> open_replay(const std::string& file, const protocol::Catalogue& catalogue);

}  // namespace rangerctl::io
