// How the comparator gets to its minimum: where it begins, and what it refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "tarry/lab/hindsight/comparator.h"
#include "tarry/sets/balls/l2_ball.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry::lab {
namespace {

AnySet set_from(const std::string& json) {
  const spec::Value value = spec::parse_json(json);
  return make_set(spec::Node(value, "set"));
}

struct Counted {
  Objective objective;
  std::shared_ptr<int> calls = std::make_shared<int>(0);
};

// ‖x − 1‖²/2 times its weights.
Counted valley() {
  Counted counted;
  counted.objective.evaluate = [calls = counted.calls](std::span<const double> x, std::span<double> gradient) {
    ++*calls;
    double value = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double weight = 1 + 30 * static_cast<double>(i);
      gradient[i] = weight * (x[i] - 1);
      value += weight / 2 * (x[i] - 1) * (x[i] - 1);
    }
    return value;
  };
  return counted;
}

TEST(Minimise, BeginsWhereItIsTold) {
  for (const char* json : {R"({"type": "l2_ball", "dimension": 4, "radius": 1.2})",
                           R"({"type": "hypersimplex", "dimension": 4, "k": 1})"}) {
    SCOPED_TRACE(json);
    const AnySet set = set_from(json);
    Vec x = start_point(set.shape());
    const Counted cold = valley();
    const Interval first = minimise(set, cold.objective, x, 1e-2);
    EXPECT_TRUE(set.contains(x, 1e-9));
    Vec gradient(4);
    EXPECT_EQ(valley().objective.evaluate(x, gradient), first.high);
    const Counted warm = valley();
    const Interval second = minimise(set, warm.objective, x, 1e-2);
    EXPECT_GT(*cold.calls, 5);
    EXPECT_LE(*warm.calls * 3, *cold.calls);
    EXPECT_LE(second.high, first.high);
  }
}

// Outside of the set the objective may be undefined, and says so by its value; an error is an error everywhere.
TEST(Minimise, TakesAnInfiniteValueForTheEdgeOfTheObjectiveAndNoError) {
  const AnySet ball = L2Ball(4, 1.2);
  Counted edged = valley();
  edged.objective.evaluate = [inside = edged.objective.evaluate](std::span<const double> x,
                                                                 std::span<double> gradient) {
    double squares = 0;
    for (double xi : x) squares += xi * xi;
    return squares > 1.2 * 1.2 * (1 + 1e-9) ? INFINITY : inside(x, gradient);
  };
  Vec x = start_point(ball.shape()), y = x;
  const Interval best = minimise(ball, edged.objective, x, 1e-6), same = minimise(ball, valley().objective, y, 1e-6);
  EXPECT_NEAR(best.high, same.high, 1e-4);
  for (int fails = 1; fails <= 3; ++fails) {
    Counted broken = valley();
    broken.objective.evaluate = [calls = 0, fails, whole = broken.objective.evaluate](
                                    std::span<const double> at, std::span<double> gradient) mutable {
      if (++calls == fails) throw Error(Code::kInternal, "broken");
      return whole(at, gradient);
    };
    Vec z = start_point(ball.shape());
    EXPECT_ERROR(minimise(ball, broken.objective, z, 1e-6), Code::kInternal, "broken");
  }
}

TEST(Minimise, RefusesAStartOutsideTheSet) {
  Vec outside = {2, 0, 0, 0};
  EXPECT_ERROR(minimise(L2Ball(4, 1), valley().objective, outside, 1e-3), Code::kInternal,
               "comparator: the decision is outside the set");
}

// A ball whose projection is wrong: it lands outside.
struct Faulty {
  AnySet ball = L2Ball(4, 1);
  Need need() const { return ball.need(); }
  Shape shape() const { return ball.shape(); }
  Atom oracle(const Direction& c) const { return ball.oracle(c); }
  Start start() const { return ball.start(); }
  double diameter() const { return ball.diameter(); }
  bool contains(std::span<const double> x, double tolerance) const { return ball.contains(x, tolerance); }
  std::optional<double> strong_convexity() const { return std::nullopt; }
  std::optional<double> gauge_curvature() const { return std::nullopt; }
  bool can_project() const { return true; }
  void project(std::span<double> x) const {
    ball.project(x);
    for (double& xi : x) xi *= 1.5;
  }
};

TEST(Minimise, NeverComparesWithADecisionOutsideTheSet) {
  Vec x(4, 0.0);
  EXPECT_ERROR(minimise(Faulty{}, valley().objective, x, 1e-3), Code::kInternal,
               "comparator: the decision is outside the set");
  EXPECT_ERROR(best_in_hindsight(Faulty{}, {5, 0, 0, 0}, 1), Code::kInternal,
               "comparator: the decision is outside the set");
}

}  // namespace
}  // namespace tarry::lab
