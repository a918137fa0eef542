#include "io/interface_facts.hpp"

#include <fmt/format.h>
#include <linux/can/netlink.h>
#include <netlink/netlink.h>
#include <netlink/route/link.h>
#include <netlink/route/link/can.h>
#include <netlink/socket.h>

#include <memory>
#include <optional>

namespace rangerctl::io {
namespace {

using Link = std::unique_ptr<rtnl_link, void (*)(rtnl_link*)>;

static_assert(static_cast<int>(ControllerState::error_active) == CAN_STATE_ERROR_ACTIVE);
static_assert(static_cast<int>(ControllerState::sleeping) == CAN_STATE_SLEEPING);

Error not_known(const std::string& name, int error) {
  return {ExitStatus::bus, fmt::format("cannot find out about {}: {}", name, nl_geterror(error))};
}

Result<Link> ask(const std::string& name) {
  const std::unique_ptr<nl_sock, void (*)(nl_sock*)> socket(nl_socket_alloc(), nl_socket_free);
  if (socket == nullptr) return not_known(name, -NLE_NOMEM);
  if (const int error = nl_connect(socket.get(), NETLINK_ROUTE); error < 0) return not_known(name, error);
  rtnl_link* found = nullptr;
  if (const int error = rtnl_link_get_kernel(socket.get(), 0, name.c_str(), &found); error < 0)
    return not_known(name, error);
  if (found == nullptr) return not_known(name, -NLE_OBJ_NOTFOUND);
  return Link(found, rtnl_link_put);
}

/// A number of the driver that `get` reads, where the driver has it.
std::optional<std::uint32_t> number(rtnl_link* link, int (*get)(rtnl_link*, std::uint32_t*)) {
  std::uint32_t value = 0;
  if (get(link, &value) < 0) return std::nullopt;
  return value;
}

std::optional<std::uint32_t> bit_rate(rtnl_link* link) {
  const auto value = number(link, rtnl_link_can_get_bitrate);
  return value == 0U ? std::nullopt : value;
}

std::optional<ControllerState> controller(rtnl_link* link) {
  const auto value = number(link, rtnl_link_can_state);
  if (!value || *value >= CAN_STATE_MAX) return std::nullopt;
  return static_cast<ControllerState>(*value);
}

/// Precondition: rtnl_link_is_can(), without which libnl complains on standard error.
void add_controller(rtnl_link* link, InterfaceFacts& facts) {
  facts.bit_rate = bit_rate(link);
  facts.controller = controller(link);
  facts.restart_ms = number(link, rtnl_link_can_get_restart_ms);
  can_berr_counter counters{};
  if (rtnl_link_can_berr(link, &counters) < 0) return;
  facts.tx_errors = counters.txerr;
  facts.rx_errors = counters.rxerr;
}

}  // namespace

Result<InterfaceFacts> interface_facts(const std::string& name) {
  const auto link = ask(name);
  if (!link) return link.error();
  InterfaceFacts facts;
  if (const char* const kind = rtnl_link_get_type(link->get()); kind != nullptr) facts.kind = kind;
  if (rtnl_link_is_can(link->get()) != 0) add_controller(link->get(), facts);
  facts.rx_over_errors = rtnl_link_get_stat(link->get(), RTNL_LINK_RX_OVER_ERR);
  facts.rx_dropped = rtnl_link_get_stat(link->get(), RTNL_LINK_RX_DROPPED);
  return facts;
}

}  // namespace rangerctl::io
