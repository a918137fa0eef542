#include "io/instance_lock.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

namespace rangerctl::io {
namespace {

Error not_locked(const std::string& interface, int error) {
  if (error == EADDRINUSE) {
    return {
        ExitStatus::refused,
        fmt::format("another rangerctl teleop already drives on {0}; leave that one first, with q, or find "
                    "it with: pgrep -af 'rangerctl.*teleop'",
                    interface)};
  }
  return {ExitStatus::failed, fmt::format("cannot make sure that no other teleop drives on {}: {}", interface,
                                          std::generic_category().message(error))};
}

}  // namespace

Result<Descriptor> lock_instance(const std::string& interface) {
  Descriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (socket.get() < 0) return not_locked(interface, errno);
  const std::string name = "rangerctl.teleop." + interface;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (name.size() >= sizeof address.sun_path) return not_locked(interface, ENAMETOOLONG);
  name.copy(address.sun_path + 1, name.size());  // after a NUL: abstract
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), length) != 0)
    return not_locked(interface, errno);
  return socket;
}

}  // namespace rangerctl::io
