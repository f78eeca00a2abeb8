#include "tarry/service/lanes/committer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include "tarry/base/error.h"
#include "tarry/hosting/memory_log.h"
#include "tarry/service/lanes/lanes.h"

namespace tarry::service {
namespace {

const auto kIgnore = [](const std::string&) {};

Position append(Committer& committer, std::string_view payload) {
  return committer.append(committer.reserve(1, payload.size()), {&payload, 1});
}

// A log whose syncs wait until they are let go.
class HeldLog : public hosting::MemoryLog {
 public:
  Position sync() override {
    go_.get_future().wait();
    return MemoryLog::sync();
  }
  void let_go() { go_.set_value(); }

 private:
  std::promise<void> go_;
};

TEST(Committer, CallsBackOnlyWhenTheLogIsDurable) {
  HeldLog log;
  Committer committer(log, kIgnore);
  std::promise<void> called;
  std::atomic<bool> early = false;
  const Position position = append(committer, "a");
  committer.when_durable(position, [&] {
    early = log.synced() < position;
    called.set_value();
  });
  auto done = called.get_future();
  EXPECT_EQ(done.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
  EXPECT_EQ(committer.durable(), 0u);
  log.let_go();
  done.wait();
  EXPECT_FALSE(early);
  bool at_once = false;
  committer.when_durable(position, [&] { at_once = true; });
  EXPECT_TRUE(at_once);
}

TEST(Committer, ManyThreadsGetPositionsWithoutGaps) {
  hosting::MemoryLog log;
  constexpr int kThreads = 4, kEach = 500;
  std::atomic<int> called = 0;
  {
    Committer committer(log, kIgnore);
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i)
      threads.emplace_back([&] {
        for (int j = 0; j < kEach; ++j) committer.when_durable(append(committer, "x"), [&] { ++called; });
      });
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(called, kThreads * kEach);
  EXPECT_EQ(log.last(), static_cast<Position>(kThreads * kEach));
}

TEST(Committer, RoomOfSeveralTasksAddsUp) {
  hosting::MemoryLog log(10);
  Committer committer(log, kIgnore);
  auto first = std::make_optional(committer.reserve(1, 6));
  EXPECT_THROW(committer.reserve(1, 6), Error);
  first.reset();  // given back
  const auto second = committer.reserve(1, 6);
  EXPECT_NO_THROW(committer.reserve(1, 4));
}

TEST(Committer, ALogThatCannotBeSyncedIsTheEnd) {
  hosting::MemoryLog log;
  log.break_sync();
  std::promise<std::string> why;
  Committer committer(log, [&](const std::string& message) { why.set_value(message); });
  bool answered = false;
  committer.when_durable(append(committer, "a"), [&] { answered = true; });
  EXPECT_EQ(why.get_future().get(), "the log cannot be synced");
  EXPECT_FALSE(answered);
}

TEST(Lane, RunsItsTasksInOrderAndOthersBesideThem) {
  std::promise<void> release, quick_done;
  std::vector<int> order;
  Workers workers(2);
  const auto slow = std::make_shared<Lane>(workers, Lane::Limits{});
  const auto quick = std::make_shared<Lane>(workers, Lane::Limits{});
  slow->submit([&] { release.get_future().wait(); });
  for (int i = 0; i < 100; ++i) slow->submit([&order, i] { order.push_back(i); });
  quick->submit([&] { quick_done.set_value(); });
  quick_done.get_future().wait();  // while the slow one is held
  release.set_value();
  workers.stop();
  ASSERT_EQ(order.size(), 100u);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(Lane, TakesNoMoreThanItsLimit) {
  std::promise<void> started, release;  // must outlive the workers
  Workers workers(1);
  const auto lane = std::make_shared<Lane>(workers, Lane::Limits{.waiting = 3});
  lane->submit([&] {
    started.set_value();
    release.get_future().wait();
  });
  started.get_future().wait();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(lane->submit([] {}));
  EXPECT_FALSE(lane->submit([] {}));
  release.set_value();
}

TEST(Committer, WritesTheOpeningBeforeAnythingElseOnceThereIsRoom) {
  hosting::MemoryLog log(0);
  Committer committer(
      log, [](const std::string&) { FAIL(); }, [] { return std::string("opened"); });
  EXPECT_FALSE(committer.opened());
  EXPECT_THROW(committer.reserve(1, 1), Error);
  EXPECT_EQ(log.last(), 0u);
  log.set_room(6 + 1);
  EXPECT_EQ(append(committer, "a"), 2u);
  EXPECT_TRUE(committer.opened());
  log.set_room(1);
  EXPECT_EQ(append(committer, "b"), 3u);
  std::vector<std::string> all;
  log.read(0, [&](Position, std::string_view payload) {
    all.emplace_back(payload);
    return true;
  });
  EXPECT_EQ(all, (std::vector<std::string>{"opened", "a", "b"}));
}

// On the way to the next segment, say.
TEST(Committer, ALogThatCannotReserveIsTheEnd) {
  class BrokenLog : public hosting::MemoryLog {
   public:
    void reserve(std::size_t, std::size_t) override { throw Error(Code::kIo, "no such directory"); }
  };
  BrokenLog log;
  std::string why;
  Committer committer(log, [&](const std::string& said) { why = said; });
  EXPECT_THROW(committer.reserve(1, 1), Error);
  EXPECT_EQ(why, "no such directory");
}

}  // namespace
}  // namespace tarry::service
