#include "io/tcp_answer.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <array>

namespace rangerctl::io {
namespace {

using namespace std::chrono_literals;

// A connection of this computer with itself, and how $SSH_CONNECTION would name it.
struct Connection {
  Connection() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listener = Descriptor(socket(AF_INET, SOCK_STREAM, 0));
    bind(listener.get(), reinterpret_cast<sockaddr*>(&address), sizeof address);
    listen(listener.get(), 1);
    const std::uint16_t server_port = port_of(listener.get());
    address.sin_port = htons(server_port);
    client = Descriptor(socket(AF_INET, SOCK_STREAM, 0));
    connect(client.get(), reinterpret_cast<sockaddr*>(&address), sizeof address);
    server = Descriptor(accept(listener.get(), nullptr, nullptr));
    name = fmt::format("127.0.0.1 {} 127.0.0.1 {}", port_of(client.get()), server_port);
  }
  static std::uint16_t port_of(int descriptor) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
  }

  Descriptor listener, client, server;
  std::string name;
};

TEST(TcpAnswer, NothingIsMissingWhereAllIsAcknowledged) {
  Connection connection;
  ASSERT_GE(connection.server.get(), 0);
  const auto answer = TcpAnswer::find(connection.name);
  ASSERT_TRUE(answer);
  ASSERT_EQ(write(connection.server.get(), "x", 1), 1);
  char byte = 0;
  ASSERT_EQ(read(connection.client.get(), &byte, 1), 1);
  EXPECT_EQ(answer->missing(), 0ms);
}

TEST(TcpAnswer, AConnectionThatIsGoneHasNone) {
  auto connection = std::make_unique<Connection>();
  const auto answer = TcpAnswer::find(connection->name);
  ASSERT_TRUE(answer);
  // Reset, so that no end of it lingers.
  const linger none{1, 0};
  setsockopt(connection->server.get(), SOL_SOCKET, SO_LINGER, &none, sizeof none);
  connection->server.close();
  connection.reset();
  EXPECT_FALSE(answer->missing());
}

TEST(TcpAnswer, WordsThatNameNoConnectionHaveNone) {
  for (const char* const words : {"", "somewhere 1 else 2", "127.0.0.1 1", "127.0.0.1 1 127.0.0.1 x",
                                  "127.0.0.1 1 127.0.0.1 1", "::1 1 ::1 1"})
    EXPECT_FALSE(TcpAnswer::find(words)) << words;
}

}  // namespace
}  // namespace rangerctl::io
