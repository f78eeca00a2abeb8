// Linear programs as sets: what is refused and where it stands, that answers have no history, and that the
// combinatorial sets agree with their linear programs.
#include "tarry/oracles/polytope.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "tarry/base/random.h"
#include "tarry/geometry/dense_direction.h"
#include "tarry/oracles/lp_format.h"
#include "tarry/oracles/mps_format.h"
#include "tarry/sets/combinatorial/birkhoff.h"
#include "tarry/sets/combinatorial/budget.h"
#include "tarry/sets/combinatorial/flow.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry::oracles {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

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

Vec gaussian(RandomSequence& random, std::size_t n) {
  Vec c(n);
  for (double& x : c) x = random.gaussian();
  return c;
}

double inner_of(const Vec& x, const Vec& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

TEST(Polytope, RefusesWhatIsEmptyOrHasNoEnd) {
  EXPECT_EQ(refusal(R"({"type": "polytope", "rows": [[1, 1]], "row_upper": [1], "lower": [0, 1.5], "upper": 2})"),
            "polytope: no point satisfies all rows and bounds (the smallest sum of violations found is 0.5)");
  EXPECT_EQ(refusal(R"({"type": "polytope", "rows": [[1, -1]], "row_upper": [1], "lower": 0})"),
            "polytope: the set must be bounded (x_0 can be as large as one likes)");
  EXPECT_EQ(refusal(R"({"type": "polytope", "rows": [[1, 1]], "row_lower": [2], "row_upper": [1], "lower": 0})"),
            "polytope: row_lower must be at most row_upper (entry 0: 2 and 1)");
  EXPECT_EQ(refusal(R"({"type": "polytope", "rows": [[1, 1], [1]], "row_upper": 1})"),
            "polytope: rows[1] must be 2 numbers, but has 1 (rows[1] = [1])");
  EXPECT_EQ(refusal(R"({"type": "polytope", "rows": [[1, 1]], "row_upper": [1, 2]})"),
            "polytope: row_upper must be of length 1, but has 2 entries (row_upper = [1, 2])");
  EXPECT_EQ(refusal(R"({"type": "polytope"})"), "polytope: give either lp_file or rows");
  EXPECT_EQ(refusal(R"({"type": "polytope", "dimension": 2, "rows": [{"indices": [0, 2], "values": [1, 1]}]})"),
            "polytope: rows[0] must be indices from 0 to 1, each once (2 breaks this) (rows[0] = "
            R"({"indices": [0, 2], "values": [1, 1]}))");
}

TEST(Polytope, IsASimplexWhereItIsWrittenAsOne) {
  const AnySet set = set_of(R"({"type": "polytope", "rows": [[1, 1, 1]], "row_lower": 2, "row_upper": 2, "lower": 0})");
  EXPECT_EQ(answer(set, {3, -1, 2}), (Vec{0, 2, 0}));
  EXPECT_NEAR(set.diameter(), 2 * std::sqrt(2.0), 1e-8);
  EXPECT_GE(set.diameter(), 2 * std::sqrt(2.0));
}

// ---- files

const char kMps[] =
    "* a comment\nNAME          TEST\nROWS\n N  COST\n L  R1\n G  R2\n E  R3\nCOLUMNS\n"
    "    X         COST         1.0   R1           1.0\n    X         R2           1.0\n"
    "    Y         COST         2.0   R1           1.0\n    Y         R2          -1.0   R3          2.0\n"
    "RHS\n    RHS       R1           4.0   R2          -1.0\n    RHS  R3  3\nRANGES\n    RNG       R1           2.5\n"
    "    RNG       R3          -1\nBOUNDS\n UP BND       X            4.0\n FR BND Y\nENDATA\n";

TEST(Mps, ReadsRowsRangesAndBounds) {
  const LinearProgram lp = read_mps_format(kMps, "a.mps");
  EXPECT_EQ(lp.row_lower, (Vec{1.5, -1, 2}));
  EXPECT_EQ(lp.row_upper, (Vec{4, kInfinity, 3}));
  EXPECT_EQ(lp.lower, (Vec{0, -kInfinity}));
  EXPECT_EQ(lp.upper, (Vec{4, kInfinity}));
  EXPECT_EQ(lp.entries.size(), 5u);
}

TEST(Mps, NamesTheLineOfWhatIsWrong) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = kMps;
    text.replace(text.find(from), from.size(), to);
    return thrown_by([&] { read_mps_format(text, "a.mps"); }).message;
  };
  EXPECT_EQ(with("    Y         R2          -1.0", "    Y         R9          -1.0"),
            "a.mps: line 12: there is no row R9");
  EXPECT_EQ(with("  3\nRANGES", "  3x\nRANGES"), "a.mps: line 15: a number of at most 1e100 wanted (3x came)");
  EXPECT_EQ(with("RANGES", "RAGES"), "a.mps: line 16: unknown section RAGES");
  EXPECT_EQ(with(" L  R1", " Q  R1"), "a.mps: line 5: a row must be N, L, G or E (Q came)");
  EXPECT_EQ(with(" G  R2", " G  R1"), "a.mps: line 6: row R1 is declared twice");
  EXPECT_EQ(with(" FR BND Y", " FR BND Z"), "a.mps: line 21: there is no column Z");
  EXPECT_EQ(with("ENDATA\n", ""), "a.mps: line 21: ENDATA wanted (the end of the file came)");
  EXPECT_EQ(with(" FR BND Y", " UP BND Y -1"),
            "a.mps: line 21: column Y has an upper bound below 0: write its lower bound, LO or MI, before it");
  EXPECT_EQ(with("    X         R2           1.0", "    M  'MARKER'  'INTORG'"),
            "a.mps: line 10: integer variables, and only linear programs can be a set");
}

const char kLp[] =
    "\\ a comment\nMaximize\n obj: x + 2 y\nSubject To\n c1: x + y - 2 z <= 4\n c2: -1 <= x - 3 y <= 1\n 2 x + x >= 1\n"
    "Bounds\n x <= 4\n -inf <= y <= 3\n z free\nEnd\n";

TEST(LpFormat, ReadsRowsRangesAndBounds) {
  const LinearProgram lp = read_lp_format(kLp, "a.lp");
  EXPECT_EQ(lp.row_lower, (Vec{-kInfinity, -1, 1}));
  EXPECT_EQ(lp.row_upper, (Vec{4, 1, kInfinity}));
  EXPECT_EQ(lp.lower, (Vec{0, -kInfinity, -kInfinity}));
  EXPECT_EQ(lp.upper, (Vec{4, 3, kInfinity}));
  ASSERT_EQ(lp.entries.size(), 6u);
  EXPECT_EQ(lp.entries[2].value, -2);
  EXPECT_EQ(lp.entries[5].value, 3);
}

TEST(LpFormat, NamesTheLineOfWhatIsWrong) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = kLp;
    text.replace(text.find(from), from.size(), to);
    return thrown_by([&] { read_lp_format(text, "a.lp"); }).message;
  };
  EXPECT_EQ(with("x <= 4\n -inf", "w <= 4\n -inf"), "a.lp: line 9: a variable of the rows wanted (\"w\" came)");
  EXPECT_EQ(with("- 2 z <= 4", "- 2 z <= q"), "a.lp: line 5: a number wanted (\"q\" came)");
  EXPECT_EQ(with("End\n", ""), "a.lp: line 12: Bounds or End wanted (the end of the file came)");
  EXPECT_EQ(with("Subject To", "Subject"), "a.lp: line 4: Subject To wanted (\"Subject\" came)");
  EXPECT_EQ(with("End\n", "Generals\n x\nEnd\n"),
            "a.lp: line 13: integer variables, and only linear programs can be a set");
}

// ---- no history

// Of whole numbers, rows tie often.
Polytope tied_polytope(RandomSequence& random, std::size_t n, std::size_t rows, bool whole = true) {
  LinearProgram lp;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      if (random.below(3) == 0)
        lp.entries.push_back({static_cast<Index>(i), static_cast<Index>(j),
                              whole ? static_cast<double>(1 + random.below(3)) : random.uniform(0.5, 3)});
    lp.row_lower.push_back(-kInfinity);
    lp.row_upper.push_back(static_cast<double>(3 + random.below(5)));
  }
  lp.lower.assign(n, 0);
  lp.upper.assign(n, 2);
  return Polytope(std::move(lp));
}

TEST(Polytope, AnswersTheSameBitsWhateverWasAskedBefore) {
  RandomSequence random(5);
  const AnySet set = tied_polytope(random, 30, 20);
  std::vector<Vec> directions, first;
  for (int k = 0; k < 60; ++k) {
    Vec c = gaussian(random, 30);
    if (k % 2 == 0)
      for (double& x : c) x = std::round(x);  // several vertices are best
    directions.push_back(c);
    first.push_back(answer(set, c));
  }
  for (std::size_t k = directions.size(); k-- > 0;) EXPECT_EQ(answer(set, directions[k]), first[k]) << k;
  RandomSequence again(5);
  const AnySet other = tied_polytope(again, 30, 20);
  for (std::size_t k = 0; k < directions.size(); k += 7) EXPECT_EQ(answer(other, directions[k]), first[k]) << k;
}

// What is remembered of earlier answers saves searches, and changes no bit: rows of real numbers, where a vertex mostly
// has one basis, and of whole numbers, where it mostly has several.
TEST(Polytope, WhatIsRememberedAnswersAsASearchWould) {
  RandomSequence random(12);
  int remembered = 0;
  for (const bool whole : {false, true}) {
    const Polytope set = tied_polytope(random, 30, 20, whole);
    Vec c = gaussian(random, 30);
    for (int k = 0; k < 600; ++k) {
      const double step = k % 50 == 0 ? 1 : k % 10 == 0 ? 0.1 : 1e-3;
      for (double& x : c) x += step * random.gaussian();
      Vec asked = c;
      if (k % 7 == 0)
        for (double& x : asked) x = std::round(2 * x);
      if (k % 11 == 0)
        for (double& x : asked) x *= std::pow(10.0, random.uniform(-12, 0));
      const auto answer = set.method().least(asked);
      ASSERT_EQ(answer.vertex, set.method().least_by_search(asked).vertex) << k;
      remembered += answer.steps == 0 ? 1 : 0;
    }
  }
  EXPECT_GT(remembered, 200);
}

TEST(Polytope, AnswersTheSameBitsOnEveryThread) {
  RandomSequence random(6);
  const AnySet set = tied_polytope(random, 25, 15);
  std::vector<Vec> directions, alone;
  for (int k = 0; k < 100; ++k) {
    directions.push_back(gaussian(random, 25));
    alone.push_back(answer(set, directions.back()));
  }
  std::vector<std::vector<Vec>> found(4, std::vector<Vec>(directions.size()));
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < found.size(); ++t)
    threads.emplace_back([&, t] {
      for (std::size_t k = 0; k < directions.size(); ++k) {
        const std::size_t turn = (k + 25 * t) % directions.size();
        found[t][turn] = answer(set, directions[turn]);
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t t = 0; t < found.size(); ++t)
    for (std::size_t k = 0; k < directions.size(); ++k) EXPECT_EQ(found[t][k], alone[k]);
}

// ---- the combinatorial sets are linear programs: larger ones than all vertices could be listed of

void expect_agreement(const AnySet& set, const AnySet& program, RandomSequence& random, int directions) {
  for (int k = 0; k < directions; ++k) {
    const Vec c = gaussian(random, static_cast<std::size_t>(set.dimension()));
    const Vec v = answer(set, c);
    const double least = inner_of(c, answer(program, c));
    ASSERT_LE(std::fabs(inner_of(c, v) - least), 1e-9 * std::fabs(least));
    ASSERT_TRUE(program.contains(v, 1e-9));
  }
}

LinearProgram conservation(const Graph& graph, Index source, Index sink) {
  LinearProgram lp;
  lp.row_lower.assign(static_cast<std::size_t>(graph.nodes), 0);
  lp.row_lower[static_cast<std::size_t>(source)] = 1;
  lp.row_lower[static_cast<std::size_t>(sink)] = -1;
  lp.row_upper = lp.row_lower;
  for (std::size_t e = 0; e < graph.size(); ++e) {
    lp.entries.push_back({graph.edges[e].from, static_cast<Index>(e), 1});
    lp.entries.push_back({graph.edges[e].to, static_cast<Index>(e), -1});
  }
  lp.lower.assign(graph.size(), 0);
  lp.upper.assign(graph.size(), 1);
  return lp;
}

TEST(Polytope, FlowsAgreeWithTheirLinearPrograms) {
  RandomSequence random(7);
  int made = 0;
  for (int k = 0; k < 400 && made < 100; ++k) {
    const Index nodes = 10 + static_cast<Index>(random.below(20));
    Graph graph{nodes, {}};
    for (int e = 0; e < 80; ++e) {
      const auto a = static_cast<Index>(random.below(static_cast<std::uint64_t>(nodes)));
      const auto b = static_cast<Index>(random.below(static_cast<std::uint64_t>(nodes)));
      if (a != b) graph.edges.push_back(k % 2 == 0 ? Edge{std::min(a, b), std::max(a, b)} : Edge{a, b});
    }
    try {
      const Flow flow(graph, 0, nodes - 1);
      ++made;
      expect_agreement(flow, Polytope(conservation(graph, 0, nodes - 1)), random, 10);
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), Code::kBadSpec) << error.what();
    }
  }
  EXPECT_EQ(made, 100);
}

TEST(Polytope, AssignmentsAgreeWithTheirLinearPrograms) {
  RandomSequence random(8);
  for (const Index n : {2, 7, 15}) {
    LinearProgram lp;
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) {
        lp.entries.push_back({i, i * n + j, 1});
        lp.entries.push_back({n + j, i * n + j, 1});
      }
    lp.row_lower.assign(static_cast<std::size_t>(2 * n), 1);
    lp.row_upper = lp.row_lower;
    lp.lower.assign(static_cast<std::size_t>(n * n), 0);
    lp.upper.assign(static_cast<std::size_t>(n * n), 1);
    expect_agreement(Birkhoff(n), Polytope(lp), random, 50);
  }
}

TEST(Polytope, BudgetsAgreeWithTheirLinearPrograms) {
  RandomSequence random(9);
  for (int k = 0; k < 20; ++k) {
    Vec floor, cap;
    LinearProgram lp{{15}, {15}, {}, {}, {}};
    for (Index i = 0; i < 40; ++i) {
      floor.push_back(random.uniform(-1, 0.2));
      cap.push_back(random.uniform(0.5, 2));
      lp.entries.push_back({0, i, 1});
    }
    lp.lower = floor;
    lp.upper = cap;
    expect_agreement(Budget(15, floor, cap), Polytope(lp), random, 50);
  }
}

}  // namespace
}  // namespace tarry::oracles
