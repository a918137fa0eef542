#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <chrono>
#include <optional>
#include <string_view>

#include "io/descriptor.hpp"

namespace rangerctl::io {

/// What the kernel knows of an SSH session's connection: whether the other computer acknowledges what is sent
/// to it. Needs no privilege. Sees a dead path, but not a program that does not read at the other end.
class TcpAnswer {
 public:
  /// `ssh_connection`: as in $SSH_CONNECTION: client, its port, server, its port. Nothing where that is no
  /// connection of this computer now.
  static std::optional<TcpAnswer> find(std::string_view ssh_connection);

  /// How long the other computer has acknowledged nothing while something is on the way; zero: nothing is.
  /// Nothing: the connection is gone.
  [[nodiscard]] std::optional<std::chrono::milliseconds> missing() const;

 private:
  struct Ends {
    sockaddr_storage client{};
    sockaddr_storage server{};
  };
  TcpAnswer(Descriptor netlink, const Ends& ends) : netlink_(std::move(netlink)), ends_(ends) {}

  Descriptor netlink_;
  Ends ends_;
};

}  // namespace rangerctl::io
