#include "tarry/trees/exits.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tarry/base/random.h"
#include "tarry/trees/ensemble.h"

namespace tarry::trees {
namespace {

constexpr std::uint64_t kColumns = 5, kCuts = 7;

// Leaf by leaf, wherever chance has it; few different cuts, so that trees share them.
Tree grown(RandomSequence& random, std::size_t leaves) {
  Tree tree;
  struct Place {
    std::int32_t branch;
    bool high;
  };
  std::vector<Place> places = {{-1, false}};
  while (places.size() < leaves) {
    const Place at = std::exchange(places[random.below(places.size())], places.back());
    places.pop_back();
    const auto fresh = static_cast<std::int32_t>(tree.branches.size());
    if (at.branch >= 0) {
      Branch& above = tree.branches[static_cast<std::size_t>(at.branch)];
      (at.high ? above.high : above.low) = fresh;
    }
    tree.branches.push_back(
        {static_cast<std::uint32_t>(random.below(kColumns)), static_cast<float>(random.below(kCuts))});
    places.push_back({fresh, false});
    places.push_back({fresh, true});
  }
  for (std::size_t i = 0; i < leaves; ++i) {
    tree.leaves.push_back(random.uniform(-1, 1));
    if (places[i].branch < 0) continue;
    Branch& above = tree.branches[static_cast<std::size_t>(places[i].branch)];
    (places[i].high ? above.high : above.low) = -1 - static_cast<std::int32_t>(i);
  }
  return tree;
}

double walked(const Tree& tree, const std::vector<float>& row) {
  std::int32_t at = tree.branches.empty() ? -1 : 0;
  while (at >= 0) {
    const Branch& branch = tree.branches[static_cast<std::size_t>(at)];
    at = row[branch.column] <= branch.cut ? branch.low : branch.high;
  }
  return tree.leaves[static_cast<std::size_t>(-1 - at)];
}

TEST(Exits, AreWhereTheTreesLead) {
  RandomSequence random(1);
  for (const std::size_t count : {1, 31, 32, 33, 96}) {
    std::vector<Tree> trees;
    for (std::size_t t = 0; t < count; ++t) trees.push_back(grown(random, 1 + random.below(Exits::kMostLeaves)));
    trees.back() = grown(random, Exits::kMostLeaves);
    const Exits exits(trees);
    for (int i = 0; i < 200; ++i) {
      std::vector<float> row;  // on cuts, between them, and beyond them
      for (std::uint64_t c = 0; c < kColumns; ++c) row.push_back(static_cast<float>(random.below(4 * kCuts)) / 2 - 3);
      double sum = 0.5;
      for (const Tree& tree : trees) sum += walked(tree, row);
      ASSERT_EQ(exits.sum(0.5, row), sum);
    }
  }
}

}  // namespace
}  // namespace tarry::trees
