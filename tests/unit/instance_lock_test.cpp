#include "io/instance_lock.hpp"

#include <gmock/gmock.h>

namespace rangerctl::io {
namespace {

using ::testing::HasSubstr;

/// So that tests which run at the same time do not meet.
std::string interface() { return "lock" + std::to_string(::getpid()); }

TEST(InstanceLock, TheSecondIsRefusedUntilTheFirstHasGone) {
  auto first = lock_instance(interface());
  ASSERT_TRUE(first);
  const auto second = lock_instance(interface());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().status, ExitStatus::refused);
  EXPECT_THAT(second.error().message, HasSubstr("another rangerctl teleop already drives on " + interface()));
  first->close();
  EXPECT_TRUE(lock_instance(interface()));
}

TEST(InstanceLock, EachInterfaceHasItsOwn) {
  const auto first = lock_instance(interface() + "a");
  const auto second = lock_instance(interface() + "ab");
  EXPECT_TRUE(first);
  EXPECT_TRUE(second);
}

TEST(InstanceLock, ANameThatNoInterfaceHasIsAnError) {
  const auto lock = lock_instance(std::string(200, 'x'));
  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().status, ExitStatus::failed);
}

}  // namespace
}  // namespace rangerctl::io
