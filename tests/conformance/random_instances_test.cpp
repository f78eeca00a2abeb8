// Sets whose oracle is a classical algorithm, on 1,000 random specifications each: against every vertex there is.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "conformance/all_vertices.h"
#include "conformance/examples.h"
#include "conformance/sampling.h"
#include "tarry/linalg/min_norm_point.h"

namespace tarry::conformance {
namespace {

std::string edges(RandomSequence& random, std::size_t nodes, std::size_t count, bool forwards) {
  std::string all;
  for (std::size_t e = 0; e < count; ++e) {
    std::size_t a = random.below(nodes), b = random.below(nodes - 1);
    if (b >= a) ++b;
    if (forwards && a > b) std::swap(a, b);
    all += fmt::format("{}[{}, {}]", e == 0 ? "" : ", ", a, b);
  }
  return all;
}

std::string random_numbers(RandomSequence& random, std::size_t n, double low, double high) {
  std::string all;
  for (std::size_t i = 0; i < n; ++i) all += fmt::format("{}{}", i == 0 ? "" : ", ", random.uniform(low, high));
  return all;
}

std::string flow(RandomSequence& random) {
  const std::size_t nodes = 2 + random.below(5);
  return fmt::format(R"({{"type": "flow", "nodes": {}, "edges": [{}], "source": 0, "sink": {}}})", nodes,
                     edges(random, nodes, 1 + random.below(9), random.below(2) == 0), nodes - 1);
}

std::string spanning_tree(RandomSequence& random) {
  const std::size_t nodes = 2 + random.below(4);
  return fmt::format(R"({{"type": "spanning_tree", "nodes": {}, "edges": [{}]}})", nodes,
                     edges(random, nodes, nodes - 1 + random.below(5), false));
}

std::string budget(RandomSequence& random) {
  const std::size_t n = 1 + random.below(5);
  return fmt::format(R"({{"type": "budget", "total": {}, "floor": [{}], "cap": [{}]}})",
                     random.uniform(-0.5, 1) * static_cast<double>(n), random_numbers(random, n, -1, 0.3),
                     random_numbers(random, n, 0.3, 2));
}

std::string birkhoff(RandomSequence& random) {
  return fmt::format(R"({{"type": "birkhoff", "size": {}}})", 1 + random.below(5));
}

std::string matching(RandomSequence& random) {
  const std::size_t nodes = 2 + random.below(5);
  return fmt::format(R"({{"type": "matching", "nodes": {}, "edges": [{}], "perfect": {}}})", nodes,
                     edges(random, nodes, 1 + random.below(10), false), random.below(2) == 0);
}

// Rows through and around the unit cube, now and then an equation.
std::string polytope(RandomSequence& random) {
  const std::size_t n = 1 + random.below(3), rows = 1 + random.below(3);
  std::string all, low, high;
  for (std::size_t i = 0; i < rows; ++i) {
    const char* comma = i == 0 ? "" : ", ";
    const double middle = random.uniform(-0.5, 0.5), kind = random.uniform();
    all += fmt::format("{}[{}]", comma, random_numbers(random, n, -1, 1));
    low += kind < 0.3 ? fmt::format("{}null", comma) : fmt::format("{}{}", comma, middle);
    high += fmt::format("{}{}", comma, kind > 0.8 ? middle : middle + random.uniform(0, 1));
  }
  return fmt::format(R"({{"type": "polytope", "rows": [{}], "row_lower": [{}], "row_upper": [{}], "lower": [{}],)"
                     R"( "upper": {}}})",
                     all, low, high, random_numbers(random, n, -1, 0), random.uniform(0, 2));
}

struct Kind {
  const char* name;
  std::string (*spec)(RandomSequence&);
  bool integral;
};

std::vector<Kind> kinds() {
  return {
      {"budget", budget, false},    {"flow", flow, true},
      {"birkhoff", birkhoff, true}, {"spanning_tree", spanning_tree, true},
#ifdef TARRY_HAS_ORACLES
      {"matching", matching, true}, {"polytope", polytope, false},
#endif
  };
}

class RandomInstances : public testing::TestWithParam<Kind> {
 protected:
  // The next specification that describes a set; those that describe none are refused, never anything else.
  std::string next() {
    while (true) {
      const std::string json = GetParam().spec(random_);
      try {
        make_set(Example{"", json});
        return json;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), Code::kBadSpec) << json << ": " << error.what();
      }
    }
  }

  RandomSequence random_{3};
};

double from_hull(const std::vector<Vec>& vertices, std::span<const double> x) {
  std::vector<Vec> seen = vertices;
  for (Vec& v : seen)
    for (std::size_t i = 0; i < v.size(); ++i) v[i] -= x[i];
  return static_cast<double>(length(min_norm_point(seen)));
}

TEST_P(RandomInstances, TheOracleFindsTheBestVertex) {
  for (int i = 0; i < repeat(1000); ++i) {
    const std::string json = next();
    SCOPED_TRACE(json);
    const Example example{"", json};
    const AnySet set = make_set(example);
    const spec::Value value = example.value();
    const auto vertices = all_vertices(spec::Node(value, "set"));
    ASSERT_TRUE(vertices && !vertices->empty());
    for (int k = 0; k < 5; ++k) {
      const Vec c = random_direction(random_, set.dimension()), v = answer(set, c);
      long double least = dot(c, vertices->front());
      for (const Vec& other : *vertices) least = std::min(least, dot(c, other));
      ASSERT_LE(std::fabs(dot(c, v) - least), 1e-9L * std::max(std::fabs(least), 1e-3L * length(c)))
          << testing::PrintToString(c);
      ASSERT_TRUE(set.contains(v, 1e-9)) << testing::PrintToString(v);
      const bool whole = std::all_of(v.begin(), v.end(), [](double x) { return x == 0 || x == 1; });
      ASSERT_TRUE(whole || !GetParam().integral) << testing::PrintToString(v);
    }
  }
}

TEST_P(RandomInstances, NoTwoVerticesAreFurtherApartThanTheDiameter) {
  for (int i = 0; i < repeat(300); ++i) {
    const std::string json = next();
    const Example example{"", json};
    const AnySet set = make_set(example);
    const spec::Value value = example.value();
    const auto vertices = all_vertices(spec::Node(value, "set"));
    long double widest = 0;
    for (const Vec& v : *vertices)
      for (const Vec& w : *vertices) widest = std::max(widest, distance(v, w));
    ASSERT_LE(static_cast<double>(widest), set.diameter() * (1 + 1e-12) + 1e-12) << json;
  }
}

// Near the hull of all vertices, on either side of its faces: membership says the same as the distance to it.
TEST_P(RandomInstances, MembershipIsThatOfTheHull) {
  int inside = 0, outside = 0;
  for (int i = 0; i < repeat(300); ++i) {
    const std::string json = next();
    SCOPED_TRACE(json);
    const Example example{"", json};
    const AnySet set = make_set(example);
    const spec::Value value = example.value();
    const auto vertices = *all_vertices(spec::Node(value, "set"));
    EXPECT_LE(from_hull(vertices, set.start().dense()), 1e-9);
    for (int k = 0; k < 5; ++k) {
      Vec x = vertices[random_.below(vertices.size())];
      for (int more = 0; more < 4; ++more)  // an affine mixture: beyond the vertices now and then
        x = mix(x, vertices[random_.below(vertices.size())], random_.uniform(-0.2, 1.2));
      const double away = from_hull(vertices, x);
      if (away > 1e-10 && away < 1e-4) continue;
      ++(away <= 1e-10 ? inside : outside);
      ASSERT_EQ(set.contains(x, 1e-7), away <= 1e-10) << away << " from " << testing::PrintToString(x);
    }
  }
  EXPECT_GT(inside, repeat(100));
  EXPECT_GT(outside, repeat(100));
}

INSTANTIATE_TEST_SUITE_P(All, RandomInstances, testing::ValuesIn(kinds()),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace tarry::conformance
