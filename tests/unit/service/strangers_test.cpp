#include "tarry/service/http/strangers.h"

#include <gtest/gtest.h>

namespace tarry::service {
namespace {

struct Guest : Stranger {
  void turn_away() override { ++away; }
  int away = 0;
};

using Guests = std::vector<std::shared_ptr<Guest>>;

Guests add(Strangers& strangers, const std::string& address, int count) {
  Guests guests;
  for (int i = 0; i < count; ++i) {
    guests.push_back(std::make_shared<Guest>());
    strangers.add(address, guests.back());
  }
  return guests;
}

int away(const Guests& guests, std::size_t from, std::size_t to) {
  int sum = 0;
  for (std::size_t i = from; i < to; ++i) sum += guests[i]->away;
  return sum;
}

TEST(Strangers, OfOneAddressOlderOnesGo) {
  Strangers strangers({.all = 100, .of_one_address = 4});
  const Guests others = add(strangers, "10.0.0.2", 3), crowd = add(strangers, "10.0.0.1", 10);
  EXPECT_EQ(away(crowd, 0, 10), 6);
  EXPECT_EQ(away(crowd, 7, 10), 0);
  EXPECT_EQ(away(others, 0, 3), 0);
  EXPECT_EQ(strangers.size(), 7u);
}

TEST(Strangers, InAllOlderOnesOfTheAddressWithMostGo) {
  Strangers strangers({.all = 8, .of_one_address = 6});
  const Guests few = add(strangers, "10.0.0.2", 2), crowd = add(strangers, "10.0.0.1", 6);
  const Guests late = add(strangers, "10.0.0.3", 3);
  EXPECT_EQ(away(few, 0, 2), 0);  // though they are older
  EXPECT_EQ(away(crowd, 0, 6), 3);
  EXPECT_EQ(away(crowd, 4, 6), 0);
  EXPECT_EQ(away(late, 0, 3), 0);
}

// Beside a flood from its own address: who speaks before half of the places are filled is always heard, and who needs
// longer than all of them take is heard now and then.
TEST(Strangers, NobodyIsKeptOutForGood) {
  int heard_at_once = 0, heard_late = 0;
  for (int turn = 0; turn < 200; ++turn) {
    Strangers strangers({.all = 64, .of_one_address = 32});
    for (int before = 0; before < 40 + turn; ++before) add(strangers, "10.0.0.1", 1);
    const auto slow = std::make_shared<Guest>();
    strangers.add("10.0.0.1", slow);
    add(strangers, "10.0.0.1", 15);
    heard_at_once += slow->away == 0;
    add(strangers, "10.0.0.1", 33);
    heard_late += slow->away == 0;
  }
  EXPECT_EQ(heard_at_once, 200);
  EXPECT_GT(heard_late, 200 / 10);
}

TEST(Strangers, WhoShowsATokenIsNotCounted) {
  Strangers strangers({.all = 2, .of_one_address = 2});
  const auto known = std::make_shared<Guest>();
  strangers.remove(strangers.add("10.0.0.1", known));
  add(strangers, "10.0.0.1", 5);
  EXPECT_EQ(known->away, 0);
  EXPECT_TRUE(strangers.drop_one());
  EXPECT_TRUE(strangers.drop_one());
  EXPECT_FALSE(strangers.drop_one());
  EXPECT_EQ(known->away, 0);
}

TEST(Strangers, AddressesOfOneNetworkCountAsOne) {
  EXPECT_EQ(counted_address("2001:db8:1:2::1"), counted_address("2001:db8:1:2:ffff::9"));
  EXPECT_NE(counted_address("2001:db8:1:2::1"), counted_address("2001:db8:1:3::1"));
  EXPECT_NE(counted_address("10.0.0.1"), counted_address("10.0.0.2"));
  EXPECT_NE(counted_address("::ffff:10.0.0.1"), counted_address("::ffff:10.0.0.2"));
}

}  // namespace
}  // namespace tarry::service
