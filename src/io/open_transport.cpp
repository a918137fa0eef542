#include "io/open_transport.hpp"

#include <string>

#include "io/replay.hpp"
#include "io/sim_transport.hpp"
#include "io/socketcan.hpp"

namespace rangerctl::io {

namespace {
constexpr std::string_view kReplay = "replay:";
}

std::optional<std::string> replayed_file(std::string_view address) {
  if (!address.starts_with(kReplay) || address == kReplay) return std::nullopt;
  return std::string(address.substr(kReplay.size()));
}

Result<std::unique_ptr<Transport>> open_transport(std::string_view address,
                                                  const protocol::Catalogue& catalogue) {
  if (address.empty()) {
    return Error{ExitStatus::usage,
                 "an empty address; use an interface such as can0, sim, sim:SCENARIO, or replay:FILE"};
  }
  if (address == "sim" || address.starts_with("sim:")) return open_sim(address, catalogue);
  if (address == kReplay) return Error{ExitStatus::usage, "replay: names no file; use replay:FILE"};
  if (const auto file = replayed_file(address)) return open_replay(*file, catalogue);
  return open_socketcan(std::string(address));
}

}  // namespace rangerctl::io
