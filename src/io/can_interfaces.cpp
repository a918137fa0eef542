#include "io/can_interfaces.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace rangerctl::io {
namespace {

/// Asks the kernel about one interface; false where there is none of that name.
bool ask(unsigned long request, const std::string& name, ifreq& answer) {
  const int descriptor = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return false;
  std::memset(&answer, 0, sizeof answer);
  name.copy(answer.ifr_name, IFNAMSIZ - 1);
  const bool found = ::ioctl(descriptor, request, &answer) == 0;
  ::close(descriptor);
  return found;
}

bool is_can(const std::string& name) {
  ifreq answer;
  return ask(SIOCGIFHWADDR, name, answer) && answer.ifr_hwaddr.sa_family == ARPHRD_CAN;
}

Error no_such_interface(const std::string& name) {
  const std::vector<std::string> others = can_interfaces();
  if (others.empty()) {
    return {ExitStatus::bus,
            fmt::format("cannot open {}: no such interface, and this computer has no CAN interface at all; "
                        "plug in the adapter, or try without a robot: rangerctl monitor sim:drive, or "
                        "rangerctl teleop sim",
                        name)};
  }
  return {ExitStatus::bus, fmt::format("cannot open {}: no such interface; CAN interfaces here: {}", name,
                                       fmt::join(others, ", "))};
}

}  // namespace

std::vector<std::string> can_interfaces() {
  std::vector<std::string> names;
  const std::unique_ptr<struct if_nameindex, void (*)(struct if_nameindex*)> all(::if_nameindex(),
                                                                                 ::if_freenameindex);
  for (const struct if_nameindex* row = all.get(); row != nullptr && row->if_index != 0; ++row) {
    if (is_can(row->if_name)) names.emplace_back(row->if_name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

InterfaceState interface_state(const std::string& name) {
  ifreq answer;
  if (!ask(SIOCGIFFLAGS, name, answer)) return InterfaceState::missing;
  return (answer.ifr_flags & IFF_UP) != 0 ? InterfaceState::up : InterfaceState::down;
}

std::string bring_up_command(const std::string& name) {
  const bool has_bit_rate = name.find("vcan") == std::string::npos && name.find("vxcan") == std::string::npos;
  return fmt::format("sudo ip link set {} up{}", name, has_bit_rate ? " type can bitrate 500000" : "");
}

Result<void> check_interface(const std::string& name) {
  if (name.size() >= IFNAMSIZ) {
    return Error{ExitStatus::usage, fmt::format("'{}' is no interface name: it is longer than {} characters",
                                                name, IFNAMSIZ - 1)};
  }
  const InterfaceState state = interface_state(name);
  if (state == InterfaceState::missing) return no_such_interface(name);
  if (!is_can(name)) {
    return Error{ExitStatus::bus,
                 fmt::format("cannot open {}: it is no CAN interface; CAN interfaces here: {}", name,
                             fmt::join(can_interfaces(), ", "))};
  }
  if (state == InterfaceState::down) {
    return Error{ExitStatus::bus, fmt::format("cannot open {}: it is down; bring it up with: {}", name,
                                              bring_up_command(name))};
  }
  return {};
}

}  // namespace rangerctl::io
