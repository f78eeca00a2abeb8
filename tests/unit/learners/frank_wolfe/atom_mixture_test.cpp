#include "tarry/learners/frank_wolfe/atom_mixture.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "unit/expect_error.h"

namespace tarry {
namespace {

Atom corner(Index at) { return {SparseAtom{{at}, {1.0}}}; }
Atom pair_of(Atom first, Atom second) { return {BlockAtom{{std::move(first), std::move(second)}, {4, 4}}}; }

Vec mean_of(const AtomMixture& mixture, std::size_t n) {
  Vec mean(n, 0.0);
  mixture.add_mean(mean);
  return mean;
}

TEST(AtomMixture, WeightsAreThoseOfTheSteps) {
  AtomMixture mixture(corner(0), 4);
  mixture.step(0.5, corner(1));
  mixture.step(0.25, corner(2));
  EXPECT_EQ(mean_of(mixture, 4), (Vec{0.375, 0.375, 0.25, 0}));
  mixture.step(0, corner(3));
  EXPECT_EQ(mixture.size(), 3u);
  mixture.step(0.5, corner(1));  // an equal atom adds to its weight
  EXPECT_EQ(mixture.size(), 3u);
  EXPECT_EQ(mean_of(mixture, 4), (Vec{0.1875, 0.6875, 0.125, 0}));
  mixture.step(1, corner(3));
  EXPECT_EQ(mixture.size(), 1u);
  EXPECT_EQ(mean_of(mixture, 4), (Vec{0, 0, 0, 1}));
}

TEST(AtomMixture, DrawsEachAtomByItsWeight) {
  constexpr std::uint64_t kDraws = 20000;
  AtomMixture mixture(corner(0), 4);
  mixture.step(0.5, corner(1));
  mixture.step(0.2, corner(2));
  Vec share(4, 0.0), weights = mean_of(mixture, 4);
  for (std::uint64_t t = 0; t < kDraws; ++t) accumulate(mixture.draw(Random(3, t)), 1.0 / kDraws, share);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(share[i], weights[i], 5 * std::sqrt(weights[i] * (1 - weights[i]) / kDraws)) << i;
}

// Few atoms a block, where all combinations would be many; and blocks drawn independently.
TEST(AtomMixture, BlocksOfAProductAreDrawnOneByOne) {
  AtomMixture mixture(pair_of(corner(0), corner(0)), 8);
  mixture.step(0.5, pair_of(corner(1), corner(1)));
  EXPECT_EQ(mixture.size(), 4u);
  std::map<std::pair<Index, Index>, int> seen;
  for (std::uint64_t t = 0; t < 4000; ++t) {
    const Atom drawn = mixture.draw(Random(1, t));
    const auto& blocks = std::get<BlockAtom>(drawn.as);
    EXPECT_EQ(blocks.size, (std::vector<Index>{4, 4}));
    ++seen[{std::get<SparseAtom>(blocks.part[0].as).at[0], std::get<SparseAtom>(blocks.part[1].as).at[0]}];
  }
  EXPECT_EQ(seen.size(), 4u);
  for (const auto& [which, count] : seen) EXPECT_NEAR(count, 1000, 5 * std::sqrt(750)) << which.first << which.second;
}

TEST(AtomMixture, ForgetsWhatNobodyWillEverDraw) {
  AtomMixture mixture(corner(0), 1000);
  for (Index at = 1; at < 1000; ++at) mixture.step(0.5, corner(at));
  EXPECT_LE(mixture.size(), 65u);
  double whole = 0;
  for (double x : mean_of(mixture, 1000)) whole += x;
  EXPECT_NEAR(whole, 1, 1e-15);
}

TEST(Sampler, DrawsAnewForEveryRoundAndTheSameForTheSameRound) {
  Sampler sampler(7, corner(0), 4), twin(7, corner(0), 4), other(8, corner(0), 4);
  int changed = 0, differ = 0;
  for (Sampler* each : {&sampler, &twin, &other}) each->step(0.5, corner(1));
  Atom last = sampler.draw();
  for (int t = 0; t < 200; ++t) {
    for (Sampler* each : {&sampler, &twin, &other}) each->play();
    EXPECT_EQ(sampler.draw(), sampler.draw());
    EXPECT_EQ(sampler.draw(), twin.draw());
    changed += sampler.draw() == last ? 0 : 1;
    differ += sampler.draw() == other.draw() ? 0 : 1;
    last = sampler.draw();
  }
  EXPECT_NEAR(changed, 100, 40);  // no feedback between: the rounds are drawn for one by one
  EXPECT_NEAR(differ, 100, 40);
}

TEST(Sampler, RefusesWeightsThatAreNone) {
  const auto load = [](double first, double second) {
    ByteWriter out;
    out.u64(3);
    out.u64(2);
    for (double weight : {first, second}) {
      out.f64(weight);
      save_atom(corner(1), out);
    }
    ByteReader in(out.bytes());
    Sampler(1, corner(0), 4).load(in);
  };
  load(0.25, 0.75);
  EXPECT_ERROR(load(0.25, -1), Code::kCorrupt, "snapshot: an atom's weight is not in (0, 1]");
  EXPECT_ERROR(load(0.25, std::nan("")), Code::kCorrupt, "snapshot: a number must be finite (nan came)");
  EXPECT_ERROR(load(0.1, 0.1), Code::kCorrupt, "snapshot: the atoms' weights do not sum to 1");
}

}  // namespace
}  // namespace tarry
