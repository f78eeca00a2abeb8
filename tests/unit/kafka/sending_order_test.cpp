#include "tarry/kafka/sending_order.h"

#include <gtest/gtest.h>

namespace tarry::kafka {
namespace {

// Sends as the producer does: 1, 2, 3 …; `handed` are those that the client has.
struct Sender {
  SendingOrder order;
  int sent = 0;
  std::vector<std::string> handed;

  void send() {
    const std::string value = std::to_string(++sent);
    if (!order.may_go()) return order.hold("k", value);
    order.gone();
    handed.push_back(value);
  }

  void release() {
    while (const SendingOrder::Held* next = order.next()) {
      handed.push_back(*next->value);
      order.gone();
      order.release();
    }
  }
};

TEST(SendingOrder, TheFirstRecordGoesAlone) {
  Sender sender;
  for (int i = 0; i < 3; ++i) sender.send();
  sender.release();
  EXPECT_EQ(sender.handed, (std::vector<std::string>{"1"}));
}

TEST(SendingOrder, OnceItIsAcknowledgedAllOthersFollowWithoutWaiting) {
  Sender sender;
  for (int i = 0; i < 3; ++i) sender.send();
  sender.order.acknowledged();
  sender.release();
  sender.send();
  EXPECT_EQ(sender.handed, (std::vector<std::string>{"1", "2", "3", "4"}));
}

TEST(SendingOrder, NothingOvertakesWhatIsHeldBack) {
  Sender sender;
  for (int i = 0; i < 3; ++i) sender.send();
  sender.order.acknowledged();
  sender.send();  // before the others were released
  EXPECT_EQ(sender.handed, (std::vector<std::string>{"1"}));
  sender.release();
  EXPECT_EQ(sender.handed, (std::vector<std::string>{"1", "2", "3", "4"}));
}

TEST(SendingOrder, WhenAllIsAcknowledgedTheNextGoesAloneAgain) {
  Sender sender;
  for (int i = 0; i < 3; ++i) sender.send();
  sender.order.acknowledged();
  sender.release();
  for (int i = 0; i < 2; ++i) sender.order.acknowledged();
  sender.send();
  sender.send();
  EXPECT_EQ(sender.handed, (std::vector<std::string>{"1", "2", "3", "4"}));
  sender.order.acknowledged();
  sender.release();
  EXPECT_EQ(sender.handed.back(), "5");
}

TEST(SendingOrder, KeepsKeysAndTombstones) {
  SendingOrder order;
  order.gone();
  order.hold("key", std::nullopt);
  order.acknowledged();
  ASSERT_NE(order.next(), nullptr);
  EXPECT_EQ(order.next()->key, "key");
  EXPECT_FALSE(order.next()->value);
}

}  // namespace
}  // namespace tarry::kafka
