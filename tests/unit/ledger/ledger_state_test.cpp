// Rounds declared void, which rounds wait, and a ledger saved and loaded.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "tarry/ledger/ledger.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

std::string saved(const Ledger& ledger) {
  ByteWriter out;
  ledger.save(out);
  return out.take();
}

Ledger loaded(const std::string& bytes) {
  Ledger ledger;
  ByteReader in(bytes);
  ledger.load(in);
  in.expect_end();
  return ledger;
}

// A round with numbers in it.
Context with(std::vector<double> values, std::vector<double> scores, Memo memo = {}) {
  Context context;
  context.has_features = !values.empty();
  context.values = std::move(values);
  context.scores = std::move(scores);
  context.memo = std::move(memo);
  return context;
}

Version version(double x) { return std::make_shared<const std::vector<double>>(3, x); }

// The newest round is kept as it came, and packed when the next one is issued or somebody looks at it.
TEST(LedgerState, TheNewestRoundIsLikeTheOthersThatWait) {
  Ledger ledger, looked_at;
  const auto expect_same = [&] {
    EXPECT_EQ(saved(ledger), saved(looked_at));
    EXPECT_EQ(ledger.waiting(), looked_at.waiting());
    EXPECT_EQ(ledger.oldest_outstanding(), looked_at.oldest_outstanding());
    EXPECT_EQ(ledger.largest_delay_so_far(), looked_at.largest_delay_so_far());
    std::vector<Round> seen;
    ledger.each_waiting([&](Round round, const PackedContext& context) {
      seen.push_back(round);
      EXPECT_EQ(context.memo_size(), looked_at.find(round)->memo_size());
    });
    EXPECT_EQ(seen, ledger.waiting());
  };
  const auto issue = [&](std::size_t numbers) {
    const Context context = with(std::vector<double>(numbers, 0.5), {1, 2}, Memo(numbers + 1, 0.25));
    const Round round = ledger.issue(context);
    EXPECT_EQ(looked_at.issue(context), round);
    EXPECT_NE(looked_at.find(round), nullptr);
    EXPECT_TRUE(ledger.is_outstanding(round));
    EXPECT_EQ(ledger.peek(round)->context.memo, context.memo);
    expect_same();
    return round;
  };
  const auto both = [&](auto f) {
    f(ledger);
    f(looked_at);
    expect_same();
  };
  const Round first = issue(3), second = issue(kKeptNumbers + 1);
  both([&](Ledger& x) { EXPECT_TRUE(x.settle(second)); });
  const Round third = issue(2);
  both([&](Ledger& x) { x.keep_memo(third, {7, 8}); });
  const Ledger copy = ledger;
  const std::string before = saved(ledger);
  both([&](Ledger& x) { EXPECT_EQ(x.settle(third)->context.memo, (Memo{7, 8})); });
  EXPECT_EQ(saved(copy), before);
  const Round fourth = issue(1);
  both([&](Ledger& x) { EXPECT_TRUE(x.settle(first)); });
  both([&](Ledger& x) {
    x.issue_answered();
    x.keep_answered(with({1}, {}));
  });
  both([&](Ledger& x) { EXPECT_TRUE(x.expire(fourth)); });
  EXPECT_EQ(saved(loaded(saved(ledger))), saved(ledger));
}

TEST(LedgerState, AVoidRoundIsNeitherSettledNorExpiredAndHasNoDelay) {
  Ledger ledger;
  for (int t = 0; t < 3; ++t) ledger.issue({});
  EXPECT_TRUE(ledger.declare_void(1));
  EXPECT_TRUE(ledger.expire(2));
  EXPECT_EQ(ledger.voided(), 1u);
  EXPECT_EQ(ledger.expired(), 1u);
  EXPECT_EQ(ledger.outstanding(), 1u);
  EXPECT_EQ(ledger.settled(), 0u);
  EXPECT_EQ(ledger.delays().answered, 0u);
  EXPECT_EQ(ledger.oldest_outstanding(), 3u);
  for (Round t : {1, 2}) {
    EXPECT_FALSE(ledger.declare_void(t));
    EXPECT_FALSE(ledger.settle(t));
    EXPECT_EQ(ledger.why_not(t), Answer::kExpired);
  }
  ledger.settle(3);
  EXPECT_FALSE(ledger.declare_void(3));
  EXPECT_EQ(ledger.why_not(3), Answer::kDuplicate);
  EXPECT_EQ(ledger.why_not(4), Answer::kUnknown);
}

TEST(LedgerState, TellsWhichRoundsWaitOldestFirst) {
  Ledger ledger;
  EXPECT_TRUE(ledger.waiting().empty());
  for (int t = 0; t < 500; ++t) ledger.issue({});
  for (Round t = 1; t <= 500; ++t)
    if (t % 3 != 0) ledger.settle(t);
  const std::vector<Round> all = ledger.waiting();
  ASSERT_EQ(all.size(), 166u);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], 3 * (i + 1));
  for (std::size_t most : {0, 1, 2, 3, 100, 166, 1000})  // few of many are found in another way
    EXPECT_EQ(ledger.waiting(most),
              std::vector<Round>(all.begin(), all.begin() + std::min<std::ptrdiff_t>(static_cast<int>(most), 166)));
}

TEST(LedgerState, AnEmptyOneIsSavedAndLoaded) {
  const Ledger ledger = loaded(saved(Ledger()));
  EXPECT_EQ(ledger.issued(), 0u);
  EXPECT_EQ(ledger.oldest_outstanding(), 1u);
  EXPECT_EQ(saved(ledger), saved(Ledger()));
}

TEST(LedgerState, ContinuesAfterLoadAsIfNothingHadHappened) {
  Ledger ledger;
  const Version first = version(0.5), second = version(-1);
  const Context full{.has_features = true,
                     .sparse = true,
                     .indices = {2, 7},
                     .values = {0.25, -0.0},
                     .prediction = 3,
                     .scores = {1, 2, 3},
                     .link = {5, 2},
                     .due = {10, 90},
                     .memo = {9, 8}};
  ledger.issue(full);
  ledger.issue({}, first);
  ledger.issue({}, first);
  ledger.issue(with({}, {}, {1}), second);
  ledger.issue({}, first);
  ledger.issue({});
  ledger.issue({});
  ledger.settle(6);
  ledger.expire(3);
  ledger.declare_void(7);
  Ledger copy = loaded(saved(ledger));
  EXPECT_EQ(saved(copy), saved(ledger));
  EXPECT_EQ(copy.waiting(), (std::vector<Round>{1, 2, 4, 5}));
  EXPECT_EQ(copy.oldest_outstanding(), 1u);
  EXPECT_EQ(copy.peek(2)->version, copy.peek(5)->version) << "a shared decision is shared again";
  EXPECT_NE(copy.peek(2)->version, copy.peek(4)->version);
  EXPECT_EQ(*copy.newest_version(), *first);
  EXPECT_EQ(copy.peek(1)->context.indices, full.indices);
  EXPECT_EQ(copy.peek(1)->context.scores, full.scores);
  EXPECT_EQ(copy.peek(1)->context.link, full.link);
  EXPECT_EQ(copy.peek(1)->context.due, full.due);
  EXPECT_EQ(copy.peek(1)->context.memo, full.memo);
  for (Ledger* one : {&ledger, &copy}) {
    one->settle(1);
    one->expire(4);
    one->issue({}, one->newest_version());
  }
  EXPECT_EQ(saved(copy), saved(ledger));
  EXPECT_EQ(copy.why_not(7), Answer::kExpired);
  EXPECT_EQ(copy.why_not(6), Answer::kDuplicate);
  EXPECT_EQ(copy.oldest_outstanding(), 2u);
}

TEST(LedgerState, CutAnywhereIsRefused) {
  Ledger ledger;
  ledger.issue(with({1, 2}, {3}));
  ledger.issue({}, version(1));
  ledger.issue({});
  ledger.expire(3);
  const std::string bytes = saved(ledger);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_EQ(thrown_by([&] { loaded(bytes.substr(0, size)); }).code, Code::kCorrupt) << size;
}

// A ledger by hand: what is wrong with it is said by the test.
struct ByHand {
  Round issued = 5;
  std::vector<std::pair<Round, Round>> expired = {}, voided = {};
  std::uint64_t answered = 5;
  std::vector<Round> waiting = {};

  std::string bytes() const {
    ByteWriter out;
    out.u64(issued);
    for (const auto& set : {expired, voided}) {
      out.u64(set.size());
      for (const auto& [first, last] : set) {
        out.u64(first);
        out.u64(last);
      }
    }
    DelayCounts delays;
    delays.answered = delays.histogram[0] = answered;
    delays.save(out);
    out.u64(waiting.size());
    for (Round round : waiting) {
      out.u64(round);
      PackedContext(Context{}).save(out);
      out.u64(0);
    }
    return out.take();
  }
  Thrown load() const {
    return thrown_by([&] { loaded(bytes()); });
  }
};

TEST(LedgerState, RefusesWhatCannotHaveBeenSaved) {
  EXPECT_EQ(ByHand{}.load().message, "nothing was thrown");
  EXPECT_EQ((ByHand{.expired = {{1, 2}}, .voided = {{4, 4}}, .answered = 1, .waiting = {5}}.load().message),
            "nothing was thrown");
  const std::vector<ByHand> wrong = {
      {
          .waiting = {6},
      },
      {.answered = 3, .waiting = {2, 1}},
      {.answered = 3, .waiting = {2, 2}},
      {.answered = 4, .waiting = {0}},
      {.expired = {{2, 2}}, .answered = 3, .waiting = {2}},
      {.voided = {{2, 2}}, .answered = 3, .waiting = {2}},
      {.expired = {{1, 6}}, .answered = 0},
      {.expired = {{0, 1}}, .answered = 3},
      {.expired = {{3, 2}}, .answered = 5},
      {.expired = {{1, 1}, {2, 2}}, .answered = 3},
      {.expired = {{1, 3}}, .voided = {{2, 4}}, .answered = 0},
      {.expired = {{1, ~Round{0}}, {1, 1}}},
      {.answered = 4},
      {.issued = Round{1} << 60, .answered = Round{1} << 60},  // and no search for the oldest through all of these
  };
  for (std::size_t i = 0; i < wrong.size(); ++i) EXPECT_EQ(wrong[i].load().code, Code::kCorrupt) << i;
  EXPECT_EQ((ByHand{.issued = Round{1} << 50, .answered = Round{1} << 50}.load().message), "nothing was thrown")
      << "and it does not take an hour";
}

// Rounds that wait far apart are found by looking at them, not at all the rounds between.
TEST(LedgerState, RoundsFarApartAreFoundAtOnce) {
  const Round far = Round{1} << 50;
  Ledger ledger = loaded(ByHand{.issued = far, .answered = far - 3, .waiting = {1, far / 2, far}}.bytes());
  EXPECT_TRUE(ledger.settle(1));
  EXPECT_EQ(ledger.oldest_outstanding(), far / 2);
  EXPECT_TRUE(ledger.settle(far));
  EXPECT_EQ(ledger.oldest_outstanding(), far / 2);
  EXPECT_TRUE(ledger.settle(far / 2));
  EXPECT_EQ(ledger.oldest_outstanding(), far + 1);

  std::vector<Round> many{1, far};
  for (Round t = 2; t <= 300; ++t) many.push_back(far + t);
  const Ledger crowded = loaded(ByHand{.issued = far + 300, .answered = far - 1, .waiting = many}.bytes());
  EXPECT_EQ(crowded.waiting(3), (std::vector<Round>{1, far, far + 2}));
}

TEST(LedgerState, RefusesDelaysThatAreNotThoseOfTheAnswers) {
  const auto refused = [](const DelayCounts& delays) {
    ByteWriter out;
    delays.save(out);
    ByteReader in(out.bytes());
    DelayCounts loaded;
    return thrown_by([&] { loaded.load(in); }).message;
  };
  DelayCounts delays;
  delays.add(3);
  EXPECT_EQ(refused(delays), "nothing was thrown");
  DelayCounts more = delays, unknown = delays, negative = delays;
  more.answered = 2;
  unknown.sum = std::numeric_limits<double>::quiet_NaN();
  negative.sum_outstanding = -1;
  EXPECT_EQ(refused(more), "snapshot: the delays are not as many as the answers");
  EXPECT_EQ(refused(unknown), "snapshot: a number must be finite (nan came)");
  EXPECT_EQ(refused(negative), "snapshot: a size must not be negative (-1.000000 came)");
}

TEST(LedgerState, RefusesAContextOfAnImpossibleLength) {
  ByteWriter out;
  PackedContext(with({2}, {3})).save(out);
  const std::string good = out.take().substr(8);
  const auto refused = [](const std::string& bytes) {
    ByteWriter writer;
    writer.text(bytes);
    ByteReader in(writer.bytes());
    return thrown_by([&] { PackedContext::load(in); });
  };
  EXPECT_EQ(refused(good).message, "nothing was thrown");
  for (std::size_t size = 0; size < good.size(); ++size) EXPECT_EQ(refused(good.substr(0, size)).code, Code::kCorrupt);
  EXPECT_EQ(refused(good + std::string(8, '\0')).code, Code::kCorrupt);
  std::string huge = good;
  huge[16 + 7] = '\x7f';  // the count of scores
  EXPECT_ERROR((throw Error(refused(huge).code, refused(huge).message)), Code::kCorrupt,
               "snapshot: a round's context has an impossible length");
}

}  // namespace
}  // namespace tarry
