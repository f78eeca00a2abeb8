// The factored track against the dense one, step by step from shared states; its memory, threads and snapshots.
#include "tarry/tracks/factored_track.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/random.h"
#include "tarry/learners/frank_wolfe/delayed_ofw.h"
#include "tarry/linalg/matrices/svd.h"
#include "tarry/linalg/parallel.h"
#include "tarry/sets/matrices/nuclear_ball.h"
#include "tarry/tracks/dense_track.h"

namespace tarry {
namespace {

constexpr Index kRows = 8, kCols = 7;

Vec sparse_gradient(RandomSequence& random, std::vector<Index>& at) {
  at.clear();
  for (Index i = 0; i < kRows * kCols; ++i)
    if (random.uniform() < 0.3) at.push_back(i);
  Vec values(at.size());
  for (double& x : values) x = random.gaussian();
  return values;
}

double line_search(const Segment& to_v, double b) {
  return to_v.gap > 0 && to_v.width > 0 ? std::min(1.0, to_v.gap / (b * to_v.width)) : 0;
}

// One step of each from the same y and p; p as the plain recurrence of the factored track's own y gives it.
struct Comparison {
  NuclearBall set{kRows, kCols, 2};
  FactoredTrack factored;
  Vec p;
  std::size_t longest = 0, shortened = 0, whole_steps = 0;

  explicit Comparison(double p_over_y, const Vec& start = {})
      : factored(start.empty() ? set.shape() : set.shape().starting_at(start), p_over_y),
        p(static_cast<std::size_t>(kRows * kCols), 0.0) {
    if (!start.empty()) p = start;
    for (double& x : p) x *= start.empty() ? 0 : p_over_y;
  }

  Vec decision() const {
    Vec y(p.size());
    factored.write(y);
    return y;
  }

  double step(const Covector& g, const Sweep& k) {
    const Vec y = decision();
    DenseTrack dense(LargeVector<double>(y.begin(), y.end()), LargeVector<double>(p.begin(), p.end()), Need::kDense);
    for (std::size_t i = 0; i < p.size(); ++i) p[i] += k.gamma * y[i];
    g.each([&](Index i, double x) { p[static_cast<std::size_t>(i)] += k.a * x; });
    for (Track* track : {static_cast<Track*>(&factored), static_cast<Track*>(&dense)}) {
      track->sweep(g, k);
      const Atom v = set.oracle(*track);
      const double sigma = line_search(track->toward(v), k.b);
      whole_steps += sigma == 1;
      track->step(sigma, v);
    }
    if (factored.rank() < longest && factored.rank() > 1) ++shortened;
    longest = factored.rank();
    const Vec one = decision();
    Vec two(p.size());
    dense.write(two);
    double most = 0;
    for (std::size_t i = 0; i < one.size(); ++i) most = std::max(most, std::fabs(one[i] - two[i]));
    EXPECT_LE(set.contains(one, 1e-9), true);
    return most;
  }
};

Vec some_start(std::uint64_t seed) {
  RandomSequence random(seed);
  Vec start(static_cast<std::size_t>(kRows * kCols));
  for (double& x : start) x = random.gaussian();
  NuclearBall(kRows, kCols, 1.5).project(start);
  return start;
}

TEST(FactoredTrack, StepsLikeTheDenseOneInAlgorithm1) {
  std::size_t states = 0, shortened = 0, whole = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    RandomSequence random(seed);
    Comparison game(-2, seed % 3 == 0 ? some_start(seed) : Vec());
    const double eta = std::pow(10, random.uniform(-2, 1));
    std::vector<Index> at;
    for (int t = 0; t < 90; ++t, ++states) {
      const Vec values = sparse_gradient(random, at);
      ASSERT_LE(game.step(Covector::sparse(at, values), {.a = eta, .gamma = 0, .b = 2}), 1e-8) << seed << ", " << t;
    }
    shortened += game.shortened;
    whole += game.whole_steps;
  }
  EXPECT_GE(states, 1000u);
  EXPECT_GT(shortened, 5u);
  EXPECT_GT(whole, 20u);
}

TEST(FactoredTrack, StepsLikeTheDenseOneInAlgorithm2) {
  std::size_t states = 0, shortened = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    RandomSequence random(100 + seed);
    Comparison game(0, seed % 3 == 0 ? some_start(seed) : Vec());
    const double beta = std::pow(10, random.uniform(-2, 0.5));
    std::vector<Index> at;
    for (int t = 0; t < 90; ++t, ++states) {
      const Vec values = sparse_gradient(random, at);
      const Sweep k{.a = 1, .gamma = -beta, .b = beta * (t + 1)};
      ASSERT_LE(game.step(Covector::sparse(at, values), k), 1e-8) << seed << ", " << t;
    }
    shortened += game.shortened;
  }
  EXPECT_GE(states, 1000u);
  EXPECT_GT(shortened, 5u);
}

// What shortening loses stays within what it was allowed.
TEST(FactoredTrack, AShorterFormRaisesTheObjectiveByNoMoreThanAllowed) {
  const NuclearBall set(30, 25, 5);
  RandomSequence random(8);
  FactoredTrack free(set.shape(), -2);
  double b = 2;
  Allowance allowed{.oracle = 0.2, .rise = 0.05, .spurious = 0};
  std::size_t longest = 0;
  Vec p(750, 0.0);
  const auto objective = [&](const Vec& y) {
    double value = 0;
    for (std::size_t i = 0; i < y.size(); ++i) value += p[i] * y[i] + b / 2 * y[i] * y[i];
    return value;
  };
  bool shortened = false;
  for (int t = 0; t < 200; ++t) {
    std::vector<Index> at = {static_cast<Index>(random.below(750))};
    const Vec g = {random.gaussian()};
    p[static_cast<std::size_t>(at[0])] += g[0];
    Vec before(750), after(750);
    free.write(before);
    free.sweep(Covector::sparse(at, g), {.a = 1, .gamma = 0, .b = b, .allowed = allowed});
    const Atom v = set.oracle(free);
    const double sigma = line_search(free.toward(v), b);
    free.step(sigma, v);
    free.write(after);
    EXPECT_LE(objective(after), objective(before) + allowed.rise) << t;
    EXPECT_TRUE(set.contains(after, 1e-9));
    shortened = shortened || (free.rank() + 2 < longest);
    longest = free.rank();
  }
  EXPECT_TRUE(shortened);
}

// Most searches live on the ceiling of an earlier one and on what has changed since; it must hold whatever that was.
// Every 64th certifies anew, here almost exactly, so that nothing that is forgotten later can hide; then each round
// changes c in one way.
TEST(FactoredTrack, CertifiesWhatItFindsAcrossSweepsStepsAndShorterForms) {
  const NuclearBall set(30, 25, 5);
  RandomSequence random(12);
  FactoredTrack track(set.shape(), -2);
  Vec p(750, 0.0), y(750), c(750);
  double b = 2, closest = 1;
  std::size_t carried = 0, longest = 0, shortened = 0;
  for (int t = 1; t <= 64 * 30; ++t) {
    const int block = t / 64;
    const bool anew = t % 64 == 0;
    const std::vector<Index> at = {static_cast<Index>(random.below(750))};
    const Vec g = {block % 4 == 0 || t < 128 ? random.gaussian() : 0};
    const double gamma = block % 4 == 1 && !anew ? random.uniform(-0.5, 0.5) : 0;
    if (block % 4 == 2 && !anew) b = random.uniform(1, 3);
    track.write(y);
    for (std::size_t i = 0; i < p.size(); ++i) p[i] += gamma * y[i];
    p[static_cast<std::size_t>(at[0])] += g[0];
    for (std::size_t i = 0; i < p.size(); ++i) c[i] = p[i] + b * y[i];
    track.sweep(Covector::sparse(at, g),
                {.a = 1, .gamma = gamma, .b = b, .allowed = {.oracle = anew ? 1e-9 : 1e3, .rise = 0.2, .spurious = 0}});
    const double top = top_singular_pair(c, 30, 25).sigma;
    const TopPair found = track.top_pair(30, 25, track.slack());
    const double ceiling = found.sigma + found.short_by;
    EXPECT_GE(ceiling, top * (1 - 1e-9)) << t;
    if (!anew) closest = std::min(closest, ceiling / top - 1);
    carried += !anew && ceiling < 1.5 * top;
    const Atom v = set.oracle(track);
    track.step(block % 4 == 3 ? random.uniform(0, 0.2) : block % 4 == 0 ? line_search(track.toward(v), b) : 0, v);
    shortened += track.rank() + 2 < longest;
    longest = track.rank();
  }
  EXPECT_LT(closest, 1e-3);  // it is no looser than it must be
  EXPECT_GT(carried, 50u);
  EXPECT_GT(shortened, 5u);
}

// With E = e₁e₁ᵀ, c is nearly 2E, a step of 0.8 towards nearly −5E makes it 2E − 8E, and a gradient of 5E then −E. The
// ceiling is nearly exact after the step, 6, and knows only the gradient's size: 6 + 5.
TEST(FactoredTrack, KnowsWhatAStepBeyondTheLineSearchDoesToTheDirection) {
  const NuclearBall set(3, 3, 5);
  FactoredTrack track(set.shape(), -2);
  const std::vector<Index> at = {0, 4};
  const Vec first = {2, 0.1}, second = {5, 0};
  const Allowance any{.oracle = 1e3};
  track.sweep(Covector::sparse(at, first), {.a = 1, .gamma = 0, .b = 2, .allowed = any});
  track.step(0.8, set.oracle(track));
  track.sweep(Covector::sparse(at, second), {.a = 1, .gamma = 0, .b = 2, .allowed = any});
  const TopPair found = track.top_pair(3, 3, 1e3);
  EXPECT_NEAR(found.sigma + found.short_by, 11, 0.1);
}

// Between two certificates, so that what is known of the direction decides how long a search goes on.
TEST(FactoredTrack, ContinuesBitForBitFromASnapshot) {
  const NuclearBall set(30, 25, 5);
  FactoredTrack track(set.shape(), -2), restored(set.shape(), -2);
  RandomSequence random(4);
  const auto bytes = [](const FactoredTrack& of) {
    ByteWriter out;
    of.save(out);
    return out.take();
  };
  for (int t = 1; t <= 120; ++t) {
    const std::vector<Index> at = {static_cast<Index>(random.below(750))};
    const Vec g = {random.gaussian()};
    const double b = 2 + 0.01 * t;
    for (FactoredTrack* each : {&track, &restored}) {
      each->sweep(Covector::sparse(at, g), {.a = 0.05, .gamma = -0.01, .b = b, .allowed = {.oracle = 0.5}});
      const Atom v = set.oracle(*each);
      each->step(line_search(each->toward(v), b), v);
    }
    if (t % 10 == 0) {
      const std::string saved = bytes(track);
      ASSERT_EQ(bytes(restored), saved) << t;
      restored = FactoredTrack(set.shape(), -2);
      ByteReader in(saved);
      restored.load(in);
    }
  }
}

TEST(FactoredTrack, GivesTheSameBitsOnAnyNumberOfThreads) {
  const auto play = [](int threads) {
    const ThreadLimit limit(threads);
    const NuclearBall set(700, 600, 50);
    DelayedOfw<NuclearBall> learner(set, OfwRule(0.3), set.shape());
    RandomSequence random(6);
    Vec predictions;
    Memo memo;
    std::vector<Index> at;
    for (Round t = 1; t <= 40; ++t) {
      at.clear();
      for (int k = 0; k < 3000; ++k) at.push_back(static_cast<Index>(random.below(420'000)));
      std::sort(at.begin(), at.end());
      at.erase(std::unique(at.begin(), at.end()), at.end());
      Vec values(at.size());
      for (double& x : values) x = random.gaussian();
      const Covector features = Covector::sparse(at, values);
      predictions.push_back(learner.play(t, &features, memo));
      learner.receive(t, {.gradient = features}, memo);
    }
    return predictions;
  };
  EXPECT_EQ(play(1), play(2));
}

TEST(FactoredTrack, KeepsOnlyRowsAndColumnsThatWereTouched) {
  constexpr Index kSide = Index{1} << 20;
  const NuclearBall set(kSide, kSide, 10);
  FactoredTrack track(set.shape(), -2);
  RandomSequence random(9);
  for (Index t = 0; t < 50; ++t) {
    const std::vector<Index> at = {(kSide - 1 - t * 1000) * kSide + t * 7};
    const Vec g = {random.gaussian()};
    EXPECT_EQ(track.dot(Covector::sparse(at, g)), 0);  // never seen: 0
    track.sweep(Covector::sparse(at, g), {.a = 1, .gamma = 0, .b = 2});
    const Atom v = set.oracle(track);
    track.step(line_search(track.toward(v), 2), v);
  }
  EXPECT_EQ(track.touched(), 100u);
  EXPECT_EQ(track.entries(), 50u);
  ByteWriter out;
  track.save(out);
  EXPECT_LT(out.bytes().size(), 200'000u);
}

}  // namespace
}  // namespace tarry
