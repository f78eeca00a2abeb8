#include "tarry/gateway/waiting.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace tarry::gateway {
namespace {

using Kind = News::Kind;

// Remembers what it is told.
struct Heard {
  std::vector<News> news;
  Waiting::Done done() {
    return [this](const News& one) { news.push_back(one); };
  }
};

TEST(Waiting, AnOutcomeFindsWhoeverSentItsEvent) {
  Waiting waiting(2, 10);
  Heard a, b;
  const auto first = waiting.add(0, true, 100, a.done()), second = waiting.add(1, true, 100, b.done());
  waiting.acknowledged(*first, 7);
  waiting.acknowledged(*second, 7);
  waiting.outcome(1, 7, "of b");
  waiting.outcome(1, 7, "of b");  // a repeat
  waiting.outcome(0, 6, "of another gateway's");
  EXPECT_TRUE(a.news.empty());
  ASSERT_EQ(b.news.size(), 1u);
  EXPECT_EQ(b.news[0].kind, Kind::kOutcome);
  EXPECT_EQ(b.news[0].text, "of b");
  EXPECT_EQ(b.news[0].offset, 7);
  waiting.outcome(0, 7, "of a");
  ASSERT_EQ(a.news.size(), 1u);
  EXPECT_EQ(a.news[0].text, "of a");
  EXPECT_EQ(waiting.answered(0), 7);
  EXPECT_EQ(waiting.counts().waiting, 0u);
}

TEST(Waiting, AnOutcomeMayComeBeforeTheAcknowledgement) {
  Waiting waiting(2, 10);
  Heard a, b;
  waiting.outcome(0, 3, "before anything was sent");
  const auto first = waiting.add(0, true, 100, a.done()), second = waiting.add(0, true, 100, b.done());
  waiting.outcome(0, 4, "of another");
  waiting.outcome(0, 5, "of a");
  waiting.outcome(0, 6, "of b");
  waiting.acknowledged(*first, 5);
  ASSERT_EQ(a.news.size(), 1u);
  EXPECT_EQ(a.news[0].text, "of a");
  waiting.acknowledged(*second, 6);
  ASSERT_EQ(b.news.size(), 1u);
  EXPECT_EQ(b.news[0].text, "of b");
}

TEST(Waiting, OutcomesOfOthersAreNotKept) {
  Waiting waiting(1, 10);
  Heard a;
  waiting.outcome(0, 9, "nobody waits");
  const auto id = waiting.add(0, true, 100, a.done());
  waiting.acknowledged(*id, 9);  // impossible in truth; shows that it was forgotten
  EXPECT_TRUE(a.news.empty());
  waiting.expire(100);
  ASSERT_EQ(a.news.size(), 1u);
  EXPECT_EQ(a.news[0].kind, Kind::kNoOutcome);
}

TEST(Waiting, WhoeverWaitsForTheAcknowledgementAloneHearsOfItOnce) {
  Waiting waiting(1, 10);
  Heard a;
  const auto id = waiting.add(0, false, 100, a.done());
  waiting.acknowledged(*id, 4);
  waiting.outcome(0, 4, "outcome");
  waiting.expire(1000);
  ASSERT_EQ(a.news.size(), 1u);
  EXPECT_EQ(a.news[0].kind, Kind::kAcknowledged);
  EXPECT_EQ(a.news[0].offset, 4);
}

TEST(Waiting, TimeIsUpInTwoWays) {
  Waiting waiting(1, 10);
  Heard sent, there, later;
  const auto first = waiting.add(0, true, 100, sent.done()), second = waiting.add(0, true, 100, there.done());
  waiting.add(0, true, 200, later.done());
  waiting.acknowledged(*second, 1);
  waiting.expire(99);
  EXPECT_TRUE(sent.news.empty() && there.news.empty());
  waiting.expire(100);
  ASSERT_EQ(sent.news.size(), 1u);
  EXPECT_EQ(sent.news[0].kind, Kind::kNotAcknowledged);
  ASSERT_EQ(there.news.size(), 1u);
  EXPECT_EQ(there.news[0].kind, Kind::kNoOutcome);
  EXPECT_TRUE(later.news.empty());
  EXPECT_EQ(waiting.counts().unacknowledged, 2u);  // one of them nobody waits for
  EXPECT_EQ(waiting.counts().waiting, 1u);
  waiting.acknowledged(*first, 2);
  waiting.outcome(0, 2, "late");
  EXPECT_EQ(sent.news.size(), 1u);
  EXPECT_EQ(waiting.counts().unacknowledged, 1u);
}

TEST(Waiting, WhatKafkaRefusesIsSaid) {
  Waiting waiting(1, 10);
  Heard a;
  const auto id = waiting.add(0, true, 100, a.done());
  waiting.refused(*id, {.kind = Kind::kTooLarge});
  ASSERT_EQ(a.news.size(), 1u);
  EXPECT_EQ(a.news[0].kind, Kind::kTooLarge);
  EXPECT_EQ(waiting.counts().unacknowledged, 0u);
}

TEST(Waiting, OnlySoManyWait) {
  Waiting waiting(1, 2);
  Heard a;
  const auto first = waiting.add(0, true, 100, a.done());
  waiting.add(0, true, 100, a.done());
  EXPECT_FALSE(waiting.add(0, true, 100, a.done()));
  waiting.expire(100);  // they are on their way still
  EXPECT_FALSE(waiting.add(0, true, 200, a.done()));
  waiting.acknowledged(*first, 0);
  EXPECT_TRUE(waiting.add(0, true, 200, a.done()));
}

TEST(Waiting, FromManyThreadsEachHearsItsOwnOutcomeOnce) {
  constexpr int kPartitions = 3, kEvents = 300;
  Waiting waiting(kPartitions, kPartitions * kEvents);
  std::atomic<int> told = 0, wrong = 0;
  std::atomic<bool> done = false;
  std::vector<std::thread> threads;
  for (int partition = 0; partition < kPartitions; ++partition) {
    const auto sent = std::make_shared<std::atomic<Offset>>(0);
    threads.emplace_back([&, partition, sent] {  // sends, and hears where it stands
      for (Offset offset = 0; offset < kEvents; ++offset) {
        const auto id = waiting.add(partition, true, 1, [&, offset](const News& news) {
          ++told;
          if (news.kind != Kind::kOutcome || news.text != std::to_string(offset)) ++wrong;
        });
        ++*sent;
        waiting.acknowledged(*id, offset);
      }
    });
    threads.emplace_back([&, partition, sent] {  // hears of outcomes, before or after
      for (Offset offset = 0; offset < kEvents; ++offset) {
        while (*sent <= offset) std::this_thread::yield();
        waiting.outcome(partition, offset, std::to_string(offset));
      }
    });
  }
  std::thread looks([&] {
    while (!done) {
      waiting.expire(0);
      waiting.counts();
      std::this_thread::yield();
    }
  });
  for (std::thread& thread : threads) thread.join();
  done = true;
  looks.join();
  EXPECT_EQ(told, kPartitions * kEvents);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(waiting.counts().waiting, 0u);
}

}  // namespace
}  // namespace tarry::gateway
