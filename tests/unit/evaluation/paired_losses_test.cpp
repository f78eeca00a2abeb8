#include "tarry/evaluation/paired_losses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tarry/base/error.h"
#include "tarry/base/random.h"

namespace tarry::evaluation {
namespace {

double log_loss(double p, bool happened) { return -std::log(happened ? p : 1 - p); }

// Two forecasters of one coin, as far from the truth as they are told to be; what their losses' difference is expected
// to be is known exactly.
struct Game {
  double champion_off, challenger_off;
  Random random;
  PairedLosses losses;
  double expected = 0, sum = 0, squares = 0;  // over pairs that were counted
  double range = 0;

  Game(double first, double second, std::uint64_t seed)
      : champion_off(first), challenger_off(second), random(Random(seed)) {}

  void play(std::uint64_t t) {
    const double truth = 0.1 + 0.3 * random.uniform(3 * t);
    const auto near = [&](double off, double u) {
      return 1 / (1 + std::exp(-(std::log(truth / (1 - truth)) + off * u)));
    };
    const double u = 2 * random.uniform(3 * t + 1) - 1;
    const double p = near(champion_off, u), q = near(challenger_off, -u);
    const std::uint64_t before = losses.pairs();
    const bool happened = random.uniform(3 * t + 2) < truth;
    losses.add(log_loss(p, happened), log_loss(q, happened));
    if (losses.pairs() == before) return;
    if (range == 0) range = losses.figures()->range;
    const auto clipped = [&](bool y) { return std::clamp(log_loss(q, y) - log_loss(p, y), -range, range); };
    expected += truth * clipped(true) + (1 - truth) * clipped(false);
    sum += clipped(happened);
    squares += clipped(happened) * clipped(happened);
  }
};

// Whether the interval ever missed what it is about, however often one looked.
bool ever_misses(double first, double second, std::uint64_t seed) {
  Game game(first, second, seed);
  std::uint64_t next = 110;
  for (std::uint64_t t = 1; t <= 1500; ++t) {
    game.play(t);
    if (t < next) continue;
    next += 1 + next / 16;
    const auto figures = game.losses.figures();
    const double mean = game.expected / static_cast<double>(figures->pairs);
    if (mean < figures->low || mean > figures->high) return true;
  }
  return false;
}

TEST(PairedLosses, HoldAtAllTimesAtOnceInNineteenOfTwentyGames) {
  constexpr int kGames = 200;
  int missed = 0;
  for (int game = 0; game < kGames; ++game)
    missed += ever_misses(0.5, game % 2 == 0 ? 0.5 : 1.5, static_cast<std::uint64_t>(1000 + game)) ? 1 : 0;
  EXPECT_LE(missed, kGames / 20);
  // Coins, each as far from the mean as the range allows: here the interval is as narrow as it gets.
  int lost = 0;
  for (int game = 0; game < kGames; ++game) {
    const Random random(static_cast<std::uint64_t>(20'000 + game));
    PairedLosses losses(1);
    bool left = false;
    for (std::uint64_t t = 1; t <= 1500 && !left; ++t) {
      const bool heads = random.uniform(t) < 0.5;
      losses.add(heads ? 1 : 0, heads ? 0 : 1);
      if (t % 16 != 0) continue;
      const auto figures = losses.figures();
      left = figures->low > 0 || figures->high < 0;
    }
    lost += left ? 1 : 0;
  }
  EXPECT_LE(lost, kGames / 20);
  // The games are such that an interval for one time, looked at all the time, misses far more often.
  int naive = 0;
  for (int number = 0; number < kGames; ++number) {
    Game game(0.5, 0.5, static_cast<std::uint64_t>(1000 + number));
    bool left = false;
    for (std::uint64_t t = 1; t <= 1500 && !left; ++t) {
      game.play(t);
      const auto n = static_cast<double>(game.losses.pairs());
      if (n < 30) continue;
      left = std::fabs(game.sum - game.expected) > 1.96 * std::sqrt(game.squares - game.sum * game.sum / n);
    }
    naive += left ? 1 : 0;
  }
  EXPECT_GT(naive, kGames / 10);
}

TEST(PairedLosses, TellTheBetterOneOnceThereIsEnough) {
  Game game(1.5, 0.0, 5);
  for (std::uint64_t t = 1; t <= PairedLosses::kForRange; ++t) game.play(t);
  EXPECT_FALSE(game.losses.figures());  // these only say how large losses are
  for (std::uint64_t t = 101; t <= 3000; ++t) game.play(t);
  EXPECT_LT(game.losses.figures()->high, 0);
  Game same(0.7, 0.7, 6);
  for (std::uint64_t t = 1; t <= 3000; ++t) same.play(t);
  EXPECT_LT(same.losses.figures()->low, 0);
  EXPECT_GT(same.losses.figures()->high, 0);
}

TEST(PairedLosses, AreNotMovedByOneHugeLoss) {
  PairedLosses losses;
  for (int t = 0; t < 1100; ++t) losses.add(1, t % 2 == 0 ? 0.5 : 0.7);
  const auto before = *losses.figures();
  EXPECT_LT(before.high, 0);
  losses.add(1, 1e60);
  losses.add(std::numeric_limits<double>::infinity(), 1);
  losses.add(std::nan(""), std::nan(""));
  const auto after = *losses.figures();
  EXPECT_EQ(after.clipped, before.clipped + 2);
  EXPECT_EQ(after.range, 8.0);
  EXPECT_NEAR(after.difference, before.difference, 0.01);
  EXPECT_TRUE(std::isfinite(after.low) && std::isfinite(after.high));
}

// One model says that a rare thing never happens. Until it has, that one loses less in every round.
TEST(PairedLosses, DoNotTakeWhatIsRareForWhatNeverHappens) {
  PairedLosses known(4), found;
  for (int t = 1; t <= 1000; ++t)
    for (PairedLosses* each : {&known, &found}) each->add(log_loss(0.001, false), log_loss(0.000001, false));
  EXPECT_LT(found.figures()->high, 0);
  EXPECT_GT(known.figures()->high, 0);
}

TEST(PairedLosses, FixNoRangeFromLossesThatAreAllZero) {
  PairedLosses losses;
  for (int t = 0; t < 500; ++t) losses.add(0, 0);
  EXPECT_FALSE(losses.figures());
  losses.add(0, 1);
  losses.add(0, 1);
  EXPECT_EQ(losses.figures()->pairs, 1u);
}

TEST(PairedLosses, GoOnFromWhereTheyWereSaved) {
  Game game(0.5, 1, 7);
  for (std::uint64_t t = 1; t <= 700; ++t) game.play(t);
  const auto bytes = [](const PairedLosses& of) {
    ByteWriter out;
    of.save(out);
    return out.take();
  };
  const std::string saved = bytes(game.losses);
  ByteReader in(saved);
  PairedLosses loaded;
  loaded.load(in);
  in.expect_end();
  for (PairedLosses* each : {&game.losses, &loaded}) each->add(0.3, 0.7);
  EXPECT_EQ(bytes(loaded), bytes(game.losses));
  EXPECT_EQ(loaded.figures()->low, game.losses.figures()->low);
  std::string broken = saved;
  broken[16] = 1;  // more of them clipped than there are
  broken[22] = 1;
  ByteReader bad(broken);
  EXPECT_THROW(loaded.load(bad), Error);
}

}  // namespace
}  // namespace tarry::evaluation
