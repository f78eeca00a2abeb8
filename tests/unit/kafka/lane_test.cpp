#include "tarry/kafka/lane.h"

#include <gtest/gtest.h>

namespace tarry::kafka {
namespace {

// Sends as the producer does: 1, 2, 3 …; `handed` are those that the client has.
struct Sender {
  Lane lane;
  int sent = 0;
  std::vector<std::string> handed;

  void send() {
    const std::string value = std::to_string(++sent);
    if (!lane.may_go()) return lane.hold("k", value);
    lane.gone();
    handed.push_back(value);
  }

  void release() {
    while (const Lane::Held* next = lane.next()) {
      handed.push_back(*next->value);
      lane.gone();
      lane.release();
    }
  }
};

TEST(Lane, TheFirstRecordGoesAlone) {
  Sender sender;
  for (int i = 0; i < 3; ++i) sender.send();
  sender.release();
  EXPECT_EQ(sender.handed, (std::vector<std::string>{"1"}));
}

TEST(Lane, OnceItIsAcknowledgedAllOthersFollowWithoutWaiting) {
  Sender sender;
  for (int i = 0; i < 3; ++i) sender.send();
  sender.lane.acknowledged();
  sender.release();
  sender.send();
  EXPECT_EQ(sender.handed, (std::vector<std::string>{"1", "2", "3", "4"}));
}

TEST(Lane, NothingOvertakesWhatIsHeldBack) {
  Sender sender;
  for (int i = 0; i < 3; ++i) sender.send();
  sender.lane.acknowledged();
  sender.send();  // before the others were released
  EXPECT_EQ(sender.handed, (std::vector<std::string>{"1"}));
  sender.release();
  EXPECT_EQ(sender.handed, (std::vector<std::string>{"1", "2", "3", "4"}));
}

TEST(Lane, WhenAllIsAcknowledgedTheNextGoesAloneAgain) {
  Sender sender;
  for (int i = 0; i < 3; ++i) sender.send();
  sender.lane.acknowledged();
  sender.release();
  for (int i = 0; i < 2; ++i) sender.lane.acknowledged();
  sender.send();
  sender.send();
  EXPECT_EQ(sender.handed, (std::vector<std::string>{"1", "2", "3", "4"}));
  sender.lane.acknowledged();
  sender.release();
  EXPECT_EQ(sender.handed.back(), "5");
}

TEST(Lane, KeepsKeysAndTombstones) {
  Lane lane;
  lane.gone();
  lane.hold("key", std::nullopt);
  lane.acknowledged();
  ASSERT_NE(lane.next(), nullptr);
  EXPECT_EQ(lane.next()->key, "key");
  EXPECT_FALSE(lane.next()->value);
}

}  // namespace
}  // namespace tarry::kafka
