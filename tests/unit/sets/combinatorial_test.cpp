// Budgets, flows, assignments and trees: what they refuse, and what they say of themselves.
#include <gtest/gtest.h>

#include <cmath>

#include "tarry/geometry/dense_direction.h"
#include "tarry/sets/combinatorial/birkhoff.h"
#include "tarry/sets/combinatorial/budget.h"
#include "tarry/sets/combinatorial/flow.h"
#include "tarry/sets/combinatorial/min_cut.h"
#include "tarry/sets/combinatorial/spanning_tree.h"
#include "tarry/sets/registry.h"
#include "tarry/sets/wrappers/cached.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

AnySet set_of(const std::string& json) {
  const spec::Value value = spec::parse_json(json);
  return make_set(spec::Node(value, "set"));
}

std::string refusal(const std::string& json) {
  const Thrown thrown = thrown_by([&] { set_of(json); });
  EXPECT_EQ(thrown.code, Code::kBadSpec) << json;
  return thrown.message;
}

Vec answer(const AnySet& set, const Vec& c) {
  Vec v(c.size());
  write(set.oracle(DenseDirection(c, set.shape())), v);
  return v;
}

TEST(Budget, FillsTheCheapestFirstAndTiesByIndex) {
  const AnySet set = set_of(R"({"type": "budget", "total": 4, "floor": [0, 0.5, -1, 0], "cap": [2, 1, 3, 2.5]})");
  EXPECT_EQ(answer(set, {1, 1, 1, 1}), (Vec{2, 1, 1, 0}));
  EXPECT_EQ(answer(set, {3, 2, 0, 1}), (Vec{0, 0.5, 3, 0.5}));
  EXPECT_EQ(answer(set, {5, 4, -1, 6}), (Vec{0.0, 1, 3, 0}));
}

TEST(Budget, RefusesWhatCannotBeSpent) {
  EXPECT_EQ(refusal(R"({"type": "budget", "total": 2, "floor": [1, 2], "cap": [3, 3]})"),
            "budget: the floors must leave something of the total (they sum to 3, total = 2)");
  EXPECT_EQ(refusal(R"({"type": "budget", "total": 9, "floor": [1, 2], "cap": [3, 3]})"),
            "budget: the caps must reach the total (they sum to 6, total = 9)");
  EXPECT_EQ(refusal(R"({"type": "budget", "total": 2, "floor": [1, 2], "cap": [3, 1]})"),
            "budget: floor must be at most cap (entry 1: 2 and 1)");
  EXPECT_EQ(refusal(R"({"type": "budget", "total": 2, "floor": [1, 2], "cap": [3]})"),
            "budget: cap must have as many entries as floor (1 and 2)");
  EXPECT_EQ(refusal(R"({"type": "budget", "total": 2, "floor": 0, "cap": 1})"),
            "budget: dimension is missing (wanted a whole number from 1 to 1099511627776)");
}

TEST(Budget, HasTheDiameterOfASimplexWhereItIsOne) {
  EXPECT_DOUBLE_EQ(Budget(3, Vec(5, 0.0), Vec(5, 100.0)).diameter(), 3 * std::sqrt(2.0));
  EXPECT_EQ(Budget(3, {1, 2}, {5, 6}).diameter(), 0);
}

TEST(Flow, RefusesGraphsThatCarryNothing) {
  const auto flow = [](const std::string& edges, const std::string& ends) {
    return refusal(R"({"type": "flow", "nodes": 3, "edges": [)" + edges + "], " + ends + "}");
  };
  const std::string ends = R"("source": 0, "sink": 2)";
  EXPECT_EQ(flow("[0, 1], [2, 1]", ends), "flow: no path leads from the source to the sink (source = 0, sink = 2)");
  EXPECT_EQ(flow("[0, 1], [1, 3]", ends), "flow: edges[1] must join nodes from 0 to 2 (edges[1] = [1, 3])");
  EXPECT_EQ(flow("[0, -1]", ends), "flow: edges[0] must join nodes from 0 to 2 (edges[0] = [0, -1])");
  EXPECT_EQ(flow("[0, 2], [1, 1]", ends), "flow: edges[1] must join two nodes (edges[1] = [1, 1])");
  EXPECT_EQ(flow("[0, 2]", R"("source": 1, "sink": 1)"), "flow: source and sink must be different nodes (both are 1)");
  EXPECT_EQ(flow("[0, 2]", R"("source": 0, "sink": 3)"), "flow: sink must be a whole number from 0 to 2 (sink = 3)");
  EXPECT_EQ(flow("[0, 1, 2]", ends), "flow: edges[0] must be a pair of nodes, [from, to] (edges[0] = [0, 1, 2])");
}

TEST(Flow, AnswersWithTheEdgesOfOnePath) {
  const AnySet set = set_of(R"({"type": "flow", "nodes": 4, "edges": [[0, 1], [0, 2], [1, 3], [2, 3], [1, 2], [3, 1]],)"
                            R"( "source": 0, "sink": 3})");
  const Atom atom = set.oracle(DenseDirection(Vec{1, 5, 9, 1, 1, 1}, set.shape()));
  EXPECT_EQ(std::get<SparseAtom>(atom.as).at, (std::vector<Index>{0, 3, 4}));
  // The cycle 1 → 3 → 1 pays for itself.
  EXPECT_EQ(answer(set, {9, 1, -5, 1, 9, 2}), (Vec{0, 1, 1, 1, 0, 1}));
}

TEST(Flow, EdgesThatLeadNowhereStayEmpty) {
  const AnySet set = set_of(R"({"type": "flow", "nodes": 5, "edges": [[0, 1], [1, 2], [1, 3], [4, 2]], "source": 0,)"
                            R"( "sink": 2})");
  EXPECT_EQ(answer(set, {1, 1, -9, -9}), (Vec{1, 1, 0, 0}));
  EXPECT_EQ(set.diameter(), 0);  // there is one path
}

TEST(SpanningTree, RefusesGraphsInPieces) {
  EXPECT_EQ(refusal(R"({"type": "spanning_tree", "nodes": 4, "edges": [[0, 1], [2, 3], [3, 2]]})"),
            "spanning_tree: the graph must be connected (no path joins nodes 0 and 2)");
  EXPECT_EQ(refusal(R"({"type": "spanning_tree", "nodes": 2, "edges": []})"),
            "spanning_tree: edges must have at least one entry (edges = [])");
}

TEST(SpanningTree, TiesGoToTheLowestEdge) {
  const AnySet set = set_of(R"({"type": "spanning_tree", "nodes": 3, "edges": [[0, 1], [1, 0], [1, 2], [0, 2]]})");
  EXPECT_EQ(answer(set, {1, 1, 1, 1}), (Vec{1, 0, 1, 0}));
  EXPECT_EQ(answer(set, {1, 0, 1, 1}), (Vec{0, 1, 1, 0}));
}

// x(E(S)) ≤ |S| − 1 is what fails: the sum, the signs and the sizes of the entries are right.
TEST(SpanningTree, AWholeCycleIsNoTree) {
  const AnySet set = set_of(R"({"type": "spanning_tree", "nodes": 4, "edges": [[0, 1], [1, 2], [2, 0], [2, 3]]})");
  EXPECT_TRUE(set.contains(Vec{1, 1, 0, 1}, 1e-9));
  EXPECT_FALSE(set.contains(Vec{1, 1, 1, 0}, 1e-9));
  EXPECT_FALSE(set.contains(Vec{0.9, 0.9, 0.3, 0.9}, 1e-9));
}

TEST(Birkhoff, KnowsItsConstants) {
  EXPECT_EQ(Birkhoff(1).diameter(), 0);
  EXPECT_DOUBLE_EQ(Birkhoff(8).diameter(), 4);
  EXPECT_EQ(refusal(R"({"type": "birkhoff", "size": 0})"),
            "birkhoff: size must be a whole number from 1 to 1048576 (size = 0)");
}

TEST(MinCut, IsTheSameWhenAskedAgain) {
  MinCut network(4);
  network.join(0, 1, 3, 0);
  network.join(0, 2, 2, 0);
  network.join(1, 2, 1, 1);
  network.join(1, 3, 2, 0);
  network.join(2, 3, 4, 0);
  EXPECT_EQ(network.between(0, 3), 5);
  EXPECT_EQ(network.between(0, 3), 5);
  EXPECT_EQ(network.between(1, 3), 3);
  EXPECT_EQ(network.side(), (std::vector<bool>{false, true, false, false}));
}

// A set that counts how often it is asked.
struct Counted {
  std::shared_ptr<int> asked = std::make_shared<int>(0);
  Birkhoff set{2};

  Need need() const { return set.need(); }
  Atom oracle(const Direction& c) const {
    ++*asked;
    return set.oracle(c);
  }
  Start start() const { return set.start(); }
  double diameter() const { return set.diameter(); }
  bool contains(std::span<const double> x, double tolerance) const { return set.contains(x, tolerance); }
};

TEST(Cached, AsksOnceForADirectionThatComesAgain) {
  const Counted counted;
  const AnySet set = Cached(counted);
  EXPECT_EQ(answer(set, {1, 2, 3, 9}), (Vec{0, 1, 1, 0}));
  EXPECT_EQ(answer(set, {1, 2, 3, 1}), (Vec{1, 0, 0, 1}));
  EXPECT_EQ(answer(set, {1, 2, 3, 9}), (Vec{0, 1, 1, 0}));
  EXPECT_EQ(*counted.asked, 2);
  for (double k = 0; k < 20; ++k) answer(set, {k, 0, 0, 0});
  EXPECT_EQ(*counted.asked, 22);
  answer(set, {1, 2, 3, 9});  // forgotten by now
  EXPECT_EQ(*counted.asked, 23);
}

TEST(SetRegistry, TakesNothingOnceItIsUsed) {
  set_registry();
  SetEntry late = Budget::entry();
  EXPECT_ERROR(add_set(late), Code::kInternal, "set registry: there is a set named budget already");
  late.name = "late";
  EXPECT_ERROR(add_set(late), Code::kInternal, "set registry: late must be added before the first use");
}

}  // namespace
}  // namespace tarry
