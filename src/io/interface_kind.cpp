#include "io/interface_kind.hpp"

#include <fmt/format.h>
#include <netlink/netlink.h>
#include <netlink/route/link.h>
#include <netlink/socket.h>

#include <memory>

namespace rangerctl::io {
namespace {

Error not_known(const std::string& name, int error) {
  return {ExitStatus::bus,
          fmt::format("cannot find out what kind of interface {} is: {}", name, nl_geterror(error))};
}

}  // namespace

Result<std::string> interface_kind(const std::string& name) {
  const std::unique_ptr<nl_sock, void (*)(nl_sock*)> socket(nl_socket_alloc(), nl_socket_free);
  if (socket == nullptr) return not_known(name, -NLE_NOMEM);
  if (const int error = nl_connect(socket.get(), NETLINK_ROUTE); error < 0) return not_known(name, error);
  rtnl_link* found = nullptr;
  if (const int error = rtnl_link_get_kernel(socket.get(), 0, name.c_str(), &found); error < 0)
    return not_known(name, error);
  const std::unique_ptr<rtnl_link, void (*)(rtnl_link*)> link(found, rtnl_link_put);
  const char* const kind = rtnl_link_get_type(link.get());
  return std::string(kind == nullptr ? "" : kind);
}

}  // namespace rangerctl::io
