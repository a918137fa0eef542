#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/result.hpp"
#include "rangerctl/transport.hpp"

namespace rangerctl::io {

/// Opens an address: "sim", "sim:SCENARIO", "replay:FILE", or the name of a SocketCAN interface. The error
/// says why it cannot be opened and what to type next. `catalogue` is kept by reference.
Result<std::unique_ptr<Transport>> open_transport(std::string_view address,
                                                  const protocol::Catalogue& catalogue);

/// The FILE of the address "replay:FILE"; nothing: another address.
[[nodiscard]] std::optional<std::string> replayed_file(std::string_view address);

}  // namespace rangerctl::io
