#include "tarry/ledger/ledger.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <map>
#include <set>

#include "sanitized.h"
#include "tarry/base/random.h"

namespace tarry {
namespace {

Context with_memo(Memo memo) {
  Context context;
  context.memo = std::move(memo);
  return context;
}

TEST(Ledger, KeepsAMemoUntilItsRoundIsSettled) {
  Ledger ledger;
  EXPECT_EQ(ledger.issue(with_memo({1, 2})), 1u);
  EXPECT_EQ(ledger.issue(with_memo({3})), 2u);
  EXPECT_EQ(ledger.settle(2)->context.memo, (Memo{3}));
  EXPECT_EQ(ledger.settle(1)->context.memo, (Memo{1, 2}));
  EXPECT_EQ(ledger.outstanding(), 0u);
}

TEST(Ledger, TellsDuplicatesFromUnknownRounds) {
  Ledger ledger;
  ledger.issue({});
  ASSERT_TRUE(ledger.settle(1));
  EXPECT_FALSE(ledger.settle(1));
  EXPECT_EQ(ledger.why_not(1), Answer::kDuplicate);
  EXPECT_FALSE(ledger.settle(2));
  EXPECT_EQ(ledger.why_not(2), Answer::kUnknown);
  EXPECT_FALSE(ledger.settle(0));
  EXPECT_EQ(ledger.why_not(0), Answer::kUnknown);
  EXPECT_EQ(ledger.settled(), 1u);
}

TEST(Ledger, CountsIssuedAsSettledPlusOutstanding) {
  Ledger ledger;
  for (Round t = 1; t <= 20; ++t) {
    ledger.issue({});
    if (t % 3 == 0) ledger.settle(t / 3);
    EXPECT_EQ(ledger.issued(), t);
    EXPECT_EQ(ledger.settled() + ledger.outstanding(), ledger.issued());
  }
  EXPECT_EQ(ledger.settled(), 6u);
  EXPECT_EQ(ledger.delays().most_outstanding, 14u);
}

TEST(Ledger, CountsDelaysInRoundsFromOne) {
  Ledger ledger;
  EXPECT_EQ(ledger.delays().mean(), 0);
  ledger.issue({});
  ledger.settle(1);  // before the next play: 1
  ledger.issue({});
  ledger.issue({});
  ledger.issue({});
  ledger.settle(2);  // played as 2, answered in round 4: 3
  EXPECT_EQ(ledger.delays().mean(), 2);
  EXPECT_EQ(ledger.delays().largest, 3u);
}

TEST(Ledger, AnswersWhatIsOutOfOrderTwiceUnknownOrGivenUpByValue) {
  Ledger ledger;
  for (int i = 0; i < 4; ++i) ledger.issue({});
  EXPECT_TRUE(ledger.settle(3));
  EXPECT_TRUE(ledger.settle(1));
  EXPECT_TRUE(ledger.expire(2));
  EXPECT_FALSE(ledger.settle(2));
  EXPECT_EQ(ledger.why_not(2), Answer::kExpired);
  EXPECT_FALSE(ledger.expire(2));
  EXPECT_EQ(ledger.why_not(2), Answer::kExpired);
  EXPECT_FALSE(ledger.expire(3));
  EXPECT_EQ(ledger.why_not(3), Answer::kDuplicate);
  EXPECT_FALSE(ledger.peek(5));
  EXPECT_EQ(ledger.why_not(5), Answer::kUnknown);
  EXPECT_EQ(ledger.settled(), 2u);
  EXPECT_EQ(ledger.expired(), 1u);
  EXPECT_EQ(ledger.oldest_outstanding(), 4u);
  EXPECT_EQ(ledger.delays().answered, 2u);  // a round given up has no delay
}

TEST(Ledger, LooksWithoutTaking) {
  Ledger ledger;
  ledger.issue(with_memo({5}), std::make_shared<const std::vector<double>>(3, 0.5));
  for (int i = 0; i < 2; ++i) {
    const auto seen = ledger.peek(1);
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->context.memo, (Memo{5}));
    EXPECT_EQ(*seen->version, std::vector<double>(3, 0.5));
  }
  EXPECT_EQ(ledger.outstanding(), 1u);
  EXPECT_TRUE(ledger.settle(1)->version);
}

TEST(Ledger, LetsGoOfAVersionWithItsLastRound) {
  Ledger ledger;
  auto version = std::make_shared<const std::vector<double>>(3, 0.5);
  const std::weak_ptr<const std::vector<double>> watch = version;
  ledger.issue({}, version);
  ledger.issue({}, version);
  version.reset();
  ledger.settle(1);
  EXPECT_FALSE(watch.expired());
  ledger.expire(2);
  EXPECT_TRUE(watch.expired());
}

// Every fate of a round, kept in plain maps.
struct NaiveLedger {
  enum Fate { kWaiting, kSettled, kExpired };
  std::map<Round, Fate> fate;
  std::map<Round, Memo> memo;
  double sum_outstanding = 0, sum_delays = 0;
  std::uint64_t largest = 0, most = 0;

  std::uint64_t count(Fate wanted) const {
    std::uint64_t n = 0;
    for (const auto& [round, is] : fate) n += is == wanted ? 1 : 0;
    return n;
  }
  Answer why_not(Round round) const {
    const auto entry = fate.find(round);
    if (entry == fate.end()) return Answer::kUnknown;
    return entry->second == kExpired ? Answer::kExpired : Answer::kDuplicate;
  }
  Round oldest() const {
    for (const auto& [round, is] : fate)
      if (is == kWaiting) return round;
    return fate.size() + 1;
  }
};

TEST(Ledger, IsANaiveLedgerUnderRandomEvents) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomSequence random(seed);
    Ledger ledger;
    NaiveLedger naive;
    const double playful = random.uniform(0.2, 0.8);
    for (int event = 0; event < 400; ++event) {
      if (random.uniform() < playful) {
        const Memo memo = {random.uniform(), static_cast<double>(event)};
        naive.sum_outstanding += static_cast<double>(naive.count(NaiveLedger::kWaiting));
        const Round round = ledger.issue(with_memo(memo));
        ASSERT_EQ(round, naive.fate.size() + 1);
        naive.fate[round] = NaiveLedger::kWaiting;
        naive.memo[round] = memo;
        naive.most = std::max(naive.most, naive.count(NaiveLedger::kWaiting));
      } else {
        const Round issued = ledger.issued(), round = random.below(issued + 3);
        const bool expire = random.uniform() < 0.3;
        const auto taken = expire ? ledger.expire(round) : ledger.settle(round);
        const auto known = naive.fate.find(round);
        ASSERT_EQ(taken.has_value(), known != naive.fate.end() && known->second == NaiveLedger::kWaiting);
        if (!taken) {
          ASSERT_EQ(ledger.why_not(round), naive.why_not(round)) << round;
        } else {
          ASSERT_EQ(taken->context.memo, naive.memo.at(round));
          ASSERT_EQ(taken->delay, issued - round + 1);
          known->second = expire ? NaiveLedger::kExpired : NaiveLedger::kSettled;
          if (!expire) {
            naive.sum_delays += static_cast<double>(issued - round + 1);
            naive.largest = std::max(naive.largest, issued - round + 1);
          }
        }
      }
      ASSERT_EQ(ledger.issued(), naive.fate.size());
      ASSERT_EQ(ledger.outstanding(), naive.count(NaiveLedger::kWaiting));
      ASSERT_EQ(ledger.settled(), naive.count(NaiveLedger::kSettled));
      ASSERT_EQ(ledger.expired(), naive.count(NaiveLedger::kExpired));
      ASSERT_EQ(ledger.issued(), ledger.settled() + ledger.outstanding() + ledger.expired());
      ASSERT_EQ(ledger.oldest_outstanding(), naive.oldest());
      const std::uint64_t waiting = naive.oldest() > ledger.issued() ? 0 : ledger.issued() - naive.oldest() + 1;
      ASSERT_EQ(ledger.largest_delay_so_far(), std::max<std::uint64_t>({1, naive.largest, waiting}));
    }
    const DelayCounts& delays = ledger.delays();
    EXPECT_EQ(delays.sum_outstanding, naive.sum_outstanding);
    EXPECT_EQ(delays.sum, naive.sum_delays);
    EXPECT_EQ(delays.largest, naive.largest);
    EXPECT_EQ(delays.most_outstanding, naive.most);
    std::uint64_t in_histogram = 0;
    for (std::uint64_t count : delays.histogram) in_histogram += count;
    EXPECT_EQ(in_histogram, delays.answered);
  }
}

TEST(DelayCounts, FilesDelaysByPowersOfTwo) {
  DelayCounts counts;
  for (std::uint64_t delay : {1u, 2u, 3u, 4u, 7u, 8u, 1000u}) counts.add(delay);
  EXPECT_EQ(counts.histogram[0], 1u);
  EXPECT_EQ(counts.histogram[1], 2u);
  EXPECT_EQ(counts.histogram[2], 2u);
  EXPECT_EQ(counts.histogram[3], 1u);
  EXPECT_EQ(counts.histogram[9], 1u);
  EXPECT_DOUBLE_EQ(counts.mean(), 1025.0 / 7);
}

TEST(RoundSet, IsASetOfRounds) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomSequence random(seed);
    const std::uint64_t range = 1 + random.below(200);
    RoundSet rounds;
    std::set<Round> naive;
    for (int i = 0; i < 300; ++i) {
      const Round round = 1 + random.below(range);
      ASSERT_EQ(rounds.contains(round), naive.contains(round));
      if (naive.insert(round).second) rounds.insert(round);
      ASSERT_EQ(rounds.size(), naive.size());
    }
    for (Round round = 0; round <= range + 1; ++round) ASSERT_EQ(rounds.contains(round), naive.contains(round));
  }
}

TEST(PackedContext, UnpacksToWhatWasPacked) {
  RandomSequence random(9);
  for (int i = 0; i < 300; ++i) {
    Context context;
    context.has_features = random.uniform() < 0.7;
    context.sparse = context.has_features && random.uniform() < 0.5;
    if (context.has_features)
      for (std::uint64_t k = random.below(6); k > 0; --k) context.values.push_back(random.gaussian());
    if (context.sparse)
      for (std::size_t k = 0; k < context.values.size(); ++k)
        context.indices.push_back(static_cast<std::int64_t>(random.below(std::uint64_t{1} << 40)));
    context.prediction = random.gaussian();
    for (std::uint64_t k = random.below(4); k > 0; --k) context.memo.push_back(random.gaussian());
    const Context back = PackedContext(context).unpack();
    EXPECT_EQ(back.has_features, context.has_features);
    EXPECT_EQ(back.sparse, context.sparse);
    EXPECT_EQ(back.indices, context.indices);
    EXPECT_EQ(back.values, context.values);
    EXPECT_EQ(back.prediction, context.prediction);
    EXPECT_EQ(back.memo, context.memo);
  }
}

std::size_t in_use() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

TEST(RoundSet, RoundsInARowCostNoMoreThanOneInWhateverOrderTheyCame) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take memory of their own";
  constexpr Round kRounds = 4096;
  RoundSet forwards, backwards, scattered;
  const std::size_t before = in_use();
  for (Round t = 1; t <= kRounds; ++t) {
    forwards.insert(t);
    backwards.insert(kRounds + 1 - t);
    scattered.insert(1 + (t * 1237) % kRounds);
  }
  EXPECT_LT(in_use() - before, 1000u);
}

TEST(Ledger, AMillionOutstandingRoundsFitIn150Megabytes) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take memory of their own";
  constexpr Round kRounds = 1000000;
  Context context;
  context.has_features = context.sparse = true;
  context.indices = {3, 1000000007};
  context.values = {0.5, -2};
  const std::size_t before = in_use();
  Ledger ledger;
  for (Round t = 1; t <= kRounds; ++t) ledger.issue(context);
  const double megabytes = static_cast<double>(in_use() - before) / 1e6;
  EXPECT_LT(megabytes, 150);
  EXPECT_GT(megabytes, 48);  // it does keep them: 16 bytes and four numbers each
  for (Round t = kRounds; t >= 1; --t) ASSERT_TRUE(ledger.settle(t));
  EXPECT_EQ(ledger.outstanding(), 0u);
}

}  // namespace
}  // namespace tarry
