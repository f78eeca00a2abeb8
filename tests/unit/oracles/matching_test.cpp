// Matchings: what they refuse, odd sets, and bipartite graphs, whose matchings are assignments.
#include "tarry/oracles/matching.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tarry/base/random.h"
#include "tarry/geometry/dense_direction.h"
#include "tarry/sets/combinatorial/birkhoff.h"
#include "unit/expect_error.h"

namespace tarry::oracles {
namespace {

TEST(Matching, RefusesAPerfectOneThatDoesNotExist) {
  EXPECT_ERROR(Matching({3, {{0, 1}, {1, 2}, {2, 0}}}, true), Code::kBadSpec,
               "matching: no perfect matching exists (the largest one has 2 of the 3 nodes)");
  EXPECT_ERROR(Matching({4, {{0, 1}, {0, 2}, {0, 3}}}, true), Code::kBadSpec,
               "matching: no perfect matching exists (the largest one has 2 of the 4 nodes)");
  EXPECT_ERROR(Matching({3, {{0, 3}}}, false), Code::kBadSpec,
               "matching: edges[0] must join nodes from 0 to 2 (edges[0] = [0, 3])");
  EXPECT_ERROR(Matching({3, {{1, 1}}}, false), Code::kBadSpec,
               "matching: edges[0] must join two nodes (edges[0] = [1, 1])");
}

// At each node at most 1, and yet no mixture of matchings: only the odd set sees it.
TEST(Matching, HalfATriangleIsNoMixture) {
  const Matching triangle({3, {{0, 1}, {1, 2}, {2, 0}}}, false);
  EXPECT_FALSE(triangle.contains(Vec{0.5, 0.5, 0.5}, 1e-9));
  EXPECT_TRUE(triangle.contains(Vec{0.4, 0.3, 0.3}, 1e-9));
  const Matching prism({6, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}}}, true);
  EXPECT_FALSE(prism.contains(Vec{0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0, 0, 0}, 1e-9));
  EXPECT_TRUE(prism.contains(prism.start().values, 1e-9));
}

TEST(Matching, AgreesWithAssignmentsOnBipartiteGraphs) {
  RandomSequence random(4);
  for (const Index n : {2, 5, 20}) {
    Graph graph{2 * n, {}};
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) graph.edges.push_back({i, n + j});
    const Matching matching(graph, true);
    const Birkhoff assignments(n);
    for (int k = 0; k < 50; ++k) {
      Vec c(graph.size());
      for (double& x : c) x = random.gaussian();
      const double ours = inner(matching.oracle(DenseDirection(c, shape_of(matching))), c);
      const double theirs = inner(assignments.oracle(DenseDirection(c, shape_of(assignments))), c);
      EXPECT_NEAR(ours, theirs, 1e-12 * std::fabs(theirs));
    }
  }
}

}  // namespace
}  // namespace tarry::oracles
