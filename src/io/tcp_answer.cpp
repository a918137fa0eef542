#include "io/tcp_answer.hpp"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <string>

namespace rangerctl::io {
namespace {

using std::chrono::milliseconds;

std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  return word;
}

/// The words "address port".
bool take_end(std::string_view& text, sockaddr_storage& end) {
  const std::string address(next_word(text));
  const std::string_view digits = next_word(text);
  std::uint16_t port = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), port).ec != std::errc{}) return false;
  auto* const four = reinterpret_cast<sockaddr_in*>(&end);
  auto* const six = reinterpret_cast<sockaddr_in6*>(&end);
  if (inet_pton(AF_INET, address.c_str(), &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = htons(port);
    return true;
  }
  if (inet_pton(AF_INET6, address.c_str(), &six->sin6_addr) != 1) return false;
  six->sin6_family = AF_INET6;
  six->sin6_port = htons(port);
  return true;
}

void copy_address(const sockaddr_storage& end, __be16& port, __be32 (&address)[4]) {
  if (end.ss_family == AF_INET) {
    const auto& four = reinterpret_cast<const sockaddr_in&>(end);
    port = four.sin_port;
    std::memcpy(address, &four.sin_addr, sizeof four.sin_addr);
  } else {
    const auto& six = reinterpret_cast<const sockaddr_in6&>(end);
    port = six.sin6_port;
    std::memcpy(address, &six.sin6_addr, sizeof six.sin6_addr);
  }
}

struct Request {
  nlmsghdr header{};
  inet_diag_req_v2 body{};
};

Request request_for(const sockaddr_storage& ours, const sockaddr_storage& theirs) {
  Request request;
  request.header.nlmsg_len = sizeof request;
  request.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  request.header.nlmsg_flags = NLM_F_REQUEST;
  request.body.sdiag_family = static_cast<__u8>(ours.ss_family);
  request.body.sdiag_protocol = IPPROTO_TCP;
  request.body.idiag_ext = 1U << (INET_DIAG_INFO - 1);
  request.body.idiag_states = ~0U;
  copy_address(ours, request.body.id.idiag_sport, request.body.id.idiag_src);
  copy_address(theirs, request.body.id.idiag_dport, request.body.id.idiag_dst);
  request.body.id.idiag_cookie[0] = INET_DIAG_NOCOOKIE;
  request.body.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  return request;
}

/// The tcp_info in an answer of `size` bytes.
std::optional<tcp_info> info_of(const char* bytes, std::size_t size) {
  nlmsghdr header;
  if (size < NLMSG_LENGTH(sizeof(inet_diag_msg))) return std::nullopt;
  std::memcpy(&header, bytes, sizeof header);
  if (header.nlmsg_type != SOCK_DIAG_BY_FAMILY || header.nlmsg_len > size) return std::nullopt;
  std::size_t at = NLMSG_LENGTH(sizeof(inet_diag_msg));
  while (at + sizeof(rtattr) <= header.nlmsg_len) {
    rtattr attribute;
    std::memcpy(&attribute, bytes + at, sizeof attribute);
    if (attribute.rta_len < sizeof attribute || at + attribute.rta_len > header.nlmsg_len)
      return std::nullopt;
    if (attribute.rta_type == INET_DIAG_INFO) {
      tcp_info info{};
      std::memcpy(&info, bytes + at + RTA_LENGTH(0),
                  std::min<std::size_t>(sizeof info, attribute.rta_len - RTA_LENGTH(0)));
      return info;
    }
    at += RTA_ALIGN(attribute.rta_len);
  }
  return std::nullopt;
}

}  // namespace

std::optional<TcpAnswer> TcpAnswer::find(std::string_view ssh_connection) {
  Ends ends;
  if (!take_end(ssh_connection, ends.client) || !take_end(ssh_connection, ends.server)) return std::nullopt;
  Descriptor netlink(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
  if (netlink.get() < 0) return std::nullopt;
  TcpAnswer answer(std::move(netlink), ends);
  return answer.missing() ? std::optional(std::move(answer)) : std::nullopt;
}

std::optional<milliseconds> TcpAnswer::missing() const {
  const Request request = request_for(ends_.server, ends_.client);
  if (::send(netlink_.get(), &request, sizeof request, 0) < 0) return std::nullopt;
  alignas(nlmsghdr) std::array<char, 4096> bytes;
  const ssize_t size = ::recv(netlink_.get(), bytes.data(), bytes.size(), 0);
  if (size < 0) return std::nullopt;
  const auto info = info_of(bytes.data(), static_cast<std::size_t>(size));
  if (!info) return std::nullopt;
  return milliseconds(info->tcpi_unacked > 0 ? info->tcpi_last_ack_recv : 0);
}

}  // namespace rangerctl::io
