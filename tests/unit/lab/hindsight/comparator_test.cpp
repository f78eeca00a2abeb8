#include "tarry/lab/hindsight/comparator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tarry/base/random.h"
#include "tarry/geometry/dense_direction.h"
#include "tarry/lab/play/game.h"
#include "tarry/lab/streams/data_stream.h"
#include "tarry/linalg/norms.h"
#include "tarry/losses/classification.h"
#include "tarry/losses/log_wealth.h"
#include "tarry/losses/regression.h"
#include "tarry/sets/balls/l2_ball.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry::lab {
namespace {

AnySet set_of(const std::string& json) {
  const spec::Value value = spec::parse_json(json);
  return make_set(spec::Node(value, "set"));
}

Vec gaussian(RandomSequence& random, std::size_t n) {
  Vec x(n);
  for (double& xi : x) xi = random.gaussian();
  return x;
}

double inner_of(const Vec& a, const Vec& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

void expect_holds(const Interval& interval, double truth, double gap, double tolerance = 1e-9) {
  const double size = std::max(1.0, std::fabs(truth));
  EXPECT_LE(interval.low, truth + tolerance * size);
  EXPECT_GE(interval.high, truth - tolerance * size);
  EXPECT_LE(interval.high - interval.low, gap * std::max(1.0, std::fabs(interval.high)) + 1e-14);
}

// Rows of dense features, as a stream.
Stream rows_stream(const std::vector<Vec>& rows, const Vec& labels, const NamedLoss& loss, Index dimension = 0) {
  Dataset data;
  data.dimension = dimension > 0 ? dimension : static_cast<Index>(rows.front().size());
  for (const Vec& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) data.sparse.add(static_cast<Index>(i), row[i]);
    data.sparse.end_row();
  }
  data.labels = labels;
  return data_stream(std::move(data), loss, "rows");
}

const NamedLoss kSquared = named_loss("squared");
const NamedLoss kLogistic = named_loss("logistic");
const NamedLoss kLogWealth = named_loss("log_wealth");

// ---- linear losses

TEST(Comparator, OfLinearLossesIsTheSetsSupportFunction) {
  RandomSequence random(1);
  for (int i = 0; i < 20; ++i) {
    const Vec s = gaussian(random, 5);
    Vec sorted = s;
    std::sort(sorted.begin(), sorted.end());
    double l1 = 0, box = 0, ranks = 0, largest = 0;
    for (std::size_t k = 0; k < 5; ++k) {
      l1 += std::fabs(s[k]);
      largest = std::max(largest, std::fabs(s[k]));
      box += std::min(-1 * s[k], 2 * s[k]);
      ranks += sorted[k] * static_cast<double>(5 - k);  // the smallest slope gets the largest rank
    }
    const std::vector<std::pair<std::string, double>> known = {
        {R"({"type": "l1_ball", "dimension": 5, "radius": 3})", -3 * largest},
        {R"({"type": "l2_ball", "dimension": 5, "radius": 3})", -3 * norm2(s)},
        {R"({"type": "linf_ball", "dimension": 5, "radius": 3})", -3 * l1},
        {R"({"type": "box", "dimension": 5, "lower": -1, "upper": 2})", box},
        {R"({"type": "simplex", "dimension": 5, "radius": 3})", 3 * sorted[0]},
        {R"({"type": "unit_simplex", "dimension": 5, "radius": 3})", std::min(0.0, 3 * sorted[0])},
        {R"({"type": "hypersimplex", "dimension": 5, "k": 2})", sorted[0] + sorted[1]},
        {R"({"type": "permutahedron", "dimension": 5})", ranks},
    };
    for (const auto& [set, truth] : known) {
      SCOPED_TRACE(set);
      expect_holds(best_in_hindsight(set_of(set), s, 0), truth, 0, 1e-13);
    }
  }
}

TEST(Comparator, NoDecisionOfAnySetIsBetter) {
  RandomSequence random(2);
  for (const SetEntry& entry : set_registry())
    for (const std::string& json : entry.examples) {
      SCOPED_TRACE(json);
      const AnySet set = set_of(json);
      const auto n = static_cast<std::size_t>(set.dimension());
      if (n > 200) continue;
      const Vec slope = gaussian(random, n);
      for (const double curvature : {0.0, 0.3}) {
        const Interval best = best_in_hindsight(set, slope, curvature, 1e-2);
        EXPECT_LE(best.low, best.high);
        const auto value = [&](const Vec& x) { return inner_of(slope, x) + curvature / 2 * inner_of(x, x); };
        Vec x = start_point(set.shape());
        for (int i = 0; i < 30; ++i) {
          const double size = 1 + std::fabs(value(x));
          EXPECT_GE(value(x), best.low - 1e-9 * size);
          Vec vertex(n);
          const Vec towards = gaussian(random, n);
          write(set.oracle(DenseDirection(towards, set.shape())), vertex);
          const double share = i % 2 == 0 ? 1 : random.uniform(0, 1);
          for (std::size_t k = 0; k < n; ++k) x[k] += share * (vertex[k] - x[k]);
        }
      }
    }
}

// ---- quadratics

// argmin of ⟨s, x⟩ + (c/2)‖x‖² over low ≤ x ≤ high, Σx = total, by bisection on the multiplier.
Vec with_sum(const Vec& s, double c, double low, double high, double total) {
  const auto at = [&](double theta) {
    Vec x = s;
    for (double& xi : x) xi = std::clamp(-(xi + theta) / c, low, high);
    return x;
  };
  double left = -1e4, right = 1e4;
  for (int i = 0; i < 200; ++i) {
    const double middle = (left + right) / 2;
    const Vec x = at(middle);
    (std::accumulate(x.begin(), x.end(), 0.0) > total ? left : right) = middle;
  }
  return at(left);
}

TEST(Comparator, OfQuadraticsHoldsTheKnownAnswer) {
  RandomSequence random(3);
  for (int i = 0; i < 25; ++i) {
    const double c = std::pow(10.0, random.uniform(-1, 1.5));
    const Vec s = gaussian(random, 4);
    const auto value = [&](const Vec& x) { return inner_of(s, x) + c / 2 * inner_of(x, x); };
    const double reach = std::min(1.5, norm2(s) / c);
    expect_holds(best_in_hindsight(set_of(R"({"type": "l2_ball", "dimension": 4, "radius": 1.5})"), s, c),
                 -norm2(s) * reach + c / 2 * reach * reach, 0);
    Vec x = s;
    for (double& xi : x) xi = std::clamp(-xi / c, -0.5, 0.75);
    expect_holds(best_in_hindsight(set_of(R"({"type": "box", "dimension": 4, "lower": -0.5, "upper": 0.75})"), s, c),
                 value(x), 0);
    expect_holds(best_in_hindsight(set_of(R"({"type": "simplex", "dimension": 4, "radius": 2})"), s, c),
                 value(with_sum(s, c, 0, 1e9, 2)), 0);
    const AnySet hypersimplex = set_of(R"({"type": "hypersimplex", "dimension": 4, "k": 2})");
    ASSERT_FALSE(hypersimplex.can_project());
    for (const double gap : {1e-2, 1e-4})
      expect_holds(best_in_hindsight(hypersimplex, s, c, gap), value(with_sum(s, c, 0, 1, 2)), gap);
  }
}

TEST(Comparator, OfARawStreamSumsItsRounds) {
  Stream stream = raw_game({[](Round t, std::span<const double>, std::span<double> b) {
                              b[0] = static_cast<double>(t);  // Σ = t(t + 1)/2
                              b[1] = t % 2 == 0 ? 1 : -1;     // Σ = −1, 0, −1, 0 …
                            },
                            0},
                           2);
  const AnySet ball = L2Ball(2, 2);
  const std::vector<Round> checkpoints = {1, 2, 7, 100};
  const auto linear = best_at_checkpoints(ball, stream, checkpoints, 1e-6);
  std::get<RawStream>(stream.rule).curvature = 3;
  const auto curved = best_at_checkpoints(ball, stream, checkpoints, 1e-6);
  ASSERT_EQ(linear.size(), 4u);
  ASSERT_EQ(curved.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    const auto t = static_cast<double>(checkpoints[i]);
    const double size = std::hypot(t * (t + 1) / 2, checkpoints[i] % 2 == 0 ? 0.0 : -1.0);
    expect_holds(linear[i], -2 * size, 0);
    const double reach = std::min(2.0, size / (3 * t));
    expect_holds(curved[i], -size * reach + 1.5 * t * reach * reach, 0);
  }
}

// ---- losses over data

// Four points, whose least-squares line is 1.3 x + 0.4; Σ of the squares 0.3: by hand.
const std::vector<Vec> kPoints = {{0, 1}, {1, 1}, {2, 1}, {3, 1}};
const Vec kHeights = {0.5, 1.5, 3.2, 4.2};

double line_error(double slope, double height) {
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const double miss = slope * kPoints[i][0] + height - kHeights[i];
    sum += miss * miss;
  }
  return sum;
}

TEST(Comparator, OfLeastSquaresIsTheRegressionWhereThatIsInside) {
  // x̄ = 1.5, ȳ = 2.35, Σ(x − x̄)(y − ȳ) = 6.4, Σ(x − x̄)² = 5.
  const double truth = line_error(1.28, 2.35 - 1.28 * 1.5);
  for (const char* set :
       {R"({"type": "l2_ball", "dimension": 2, "radius": 10})",
        R"({"type": "box", "dimension": 2, "lower": -5, "upper": 5})", R"({"type": "ellipsoid", "semi_axes": [4, 3]})"})
    for (const double gap : {1e-2, 1e-6}) {
      SCOPED_TRACE(set);
      const auto best = best_at_checkpoints(set_of(set), rows_stream(kPoints, kHeights, kSquared), {4}, gap);
      expect_holds(best.front(), truth, gap);
    }
}

// The same in 1500 dimensions, where losses are summed row by row instead of by their matrix.
TEST(Comparator, OfLeastSquaresIsTheSameByRowsAndByMatrix) {
  RandomSequence random(4);
  std::vector<Vec> rows;
  Vec labels;
  for (int i = 0; i < 30; ++i) {
    rows.push_back(gaussian(random, 5));
    labels.push_back(random.gaussian());
  }
  labels[3] = std::nan("");  // never known: no loss
  const auto few = best_at_checkpoints(L2Ball(5, 0.5), rows_stream(rows, labels, kSquared), {1, 4, 12, 30}, 1e-7);
  const auto many =
      best_at_checkpoints(L2Ball(1500, 0.5), rows_stream(rows, labels, kSquared, 1500), {1, 4, 12, 30}, 1e-7);
  for (std::size_t i = 0; i < few.size(); ++i) EXPECT_NEAR(few[i].high, many[i].high, 1e-6 * (1 + few[i].high));
}

// The least-squares line through points at (i mod 7, label), by sums from which the offset was taken exactly.
double line_through(const Vec& labels, double offset) {
  long double n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const long double xi = static_cast<long double>(i % 7), yi = labels[i] - offset;
    n += 1, x += xi, y += yi, xx += xi * xi, xy += xi * yi, yy += yi * yi;
  }
  const long double sxx = xx - x * x / n, sxy = xy - x * y / n, syy = yy - y * y / n;
  return static_cast<double>(syy - sxy * sxy / sxx);
}

// Labels far from 0, instants for example: their squares have no digits left for what the best decision misses.
TEST(Comparator, OfLeastSquaresHoldsTheTruthWhateverTheLabelsOffset) {
  for (const double offset : {0.0, 1.7e9, 1e10, 1e13}) {
    SCOPED_TRACE(offset);
    RandomSequence random(9);
    std::vector<Vec> rows;
    Vec labels;
    for (std::size_t i = 0; i < 400; ++i) {
      rows.push_back({1, static_cast<double>(i % 7)});
      labels.push_back(offset + 0.3 * rows.back()[1] + random.gaussian());
    }
    const double truth = line_through(labels, offset);
    ASSERT_GT(truth, 100);
    const Stream stream = rows_stream(rows, labels, kSquared);
    const auto all = best_at_checkpoints(L2Ball(2, 1e14), stream, {3, 50, 400}, 1e-3);
    EXPECT_GE(all.back().low, 0);
    EXPECT_LE(all.back().low, truth);
    EXPECT_GE(all.back().high, truth);
    if (offset < 1e11) {
      EXPECT_LE(all.back().high - all.back().low, 1e-3 * truth);
    }
  }
}

TEST(Comparator, GivesUpWhenToldTo) {
  const std::atomic<bool> stop = true;
  const Stream data = rows_stream(kPoints, kHeights, kSquared);
  EXPECT_THROW(best_at_checkpoints(L2Ball(2, 10), data, {4}, 1e-3, &stop), Interrupted);
  const Stream raw = raw_game({[](Round, std::span<const double>, std::span<double> b) { b[0] = b[1] = 1; }, 0}, 2);
  EXPECT_THROW(best_at_checkpoints(L2Ball(2, 10), raw, {4}, 1e-3, &stop), Interrupted);
}

double slope_of_logistic(const std::vector<Vec>& rows, const Vec& labels, double x) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    sum -= labels[i] * rows[i][0] / (1 + std::exp(labels[i] * rows[i][0] * x));
  return sum;
}

TEST(Comparator, OfLogisticLossesInOneDimensionIsTheBisections) {
  RandomSequence random(5);
  std::vector<Vec> rows;
  Vec labels;
  for (int i = 0; i < 40; ++i) {
    rows.push_back({random.gaussian()});
    labels.push_back(rows.back()[0] + 1.5 * random.gaussian() > 0 ? 1 : -1);
  }
  for (const double radius : {0.2, 50.0}) {  // at the end, and inside
    double left = -radius, right = radius;
    for (int i = 0; i < 100; ++i) {
      const double middle = (left + right) / 2;
      (slope_of_logistic(rows, labels, middle) < 0 ? left : right) = middle;
    }
    double truth = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) truth += std::log1p(std::exp(-labels[i] * rows[i][0] * left));
    const Stream stream = rows_stream(rows, labels, kLogistic);
    for (const double gap : {1e-2, 1e-6})
      expect_holds(best_at_checkpoints(L2Ball(1, radius), stream, {40}, gap).front(), truth, gap);
  }
}

// Least squares over {0 ≤ x ≤ 1, Σx = 1} in three dimensions, on a grid.
TEST(Comparator, WithoutAProjectionAgreesWithBruteForce) {
  const std::vector<Vec> rows = {{1, 0.5, -1}, {0, 2, 1}, {-1, 1, 3}, {2, 0, 0.5}};
  const Vec labels = {0.5, 1, 1, 0.25};
  double grid = INFINITY;
  constexpr int kSteps = 1000;
  for (int i = 0; i <= kSteps; ++i)
    for (int j = 0; i + j <= kSteps; ++j) {
      const Vec x = {i / double{kSteps}, j / double{kSteps}, (kSteps - i - j) / double{kSteps}};
      double sum = 0;
      for (std::size_t r = 0; r < rows.size(); ++r) sum += std::pow(inner_of(rows[r], x) - labels[r], 2);
      grid = std::min(grid, sum);
    }
  const Interval best = best_at_checkpoints(set_of(R"({"type": "hypersimplex", "dimension": 3, "k": 1})"),
                                            rows_stream(rows, labels, kSquared), {4}, 1e-4)
                            .front();
  expect_holds(best, grid, 1e-4, 1e-4);
}

// One share that grows on most days and one without which a few days would ruin: the best portfolio in hindsight, close
// to a corner, is found though FISTA's momentum leaves the simplex, where wealth has no logarithm.
TEST(Comparator, OfPortfoliosStaysWhereWealthIsPositive) {
  RandomSequence random(6);
  for (int game = 0; game < 40; ++game) {
    std::vector<Vec> days;
    for (int i = 0; i < 60; ++i) {
      const bool ruin = i % 20 == 7;
      days.push_back(
          {ruin ? random.uniform(0.5, 2) : random.uniform(0, 0.9), ruin ? 1e-9 : random.uniform(1, 3), 1e-9});
    }
    const auto wealth = [&](double share) {
      double sum = 0;
      for (const Vec& day : days) sum -= std::log(share * day[0] + (1 - share) * day[1]);
      return sum;
    };
    double left = 0, right = 1;
    for (int i = 0; i < 200; ++i) {
      const double a = left + (right - left) / 3, b = right - (right - left) / 3;
      (wealth(a) < wealth(b) ? right : left) = wealth(a) < wealth(b) ? b : a;
    }
    Stream stream = rows_stream(days, Vec(60, 0.0), kLogWealth);
    const Interval best =
        best_at_checkpoints(set_of(R"({"type": "simplex", "dimension": 3})"), stream, {60}, 1e-3).front();
    EXPECT_LE(best.low, wealth(left) + 1e-9);
    EXPECT_LE(best.high, wealth(left) + 1e-3 * std::max(1.0, std::fabs(best.high)) + 1e-9);
    EXPECT_LE(best.high - best.low, 1e-3 * std::max(1.0, std::fabs(best.high)));
  }
}

// Losses that are never negative: the best in hindsight only grows, and warm starts change nothing.
TEST(Comparator, GrowsOverCheckpointsAndDoesNotDependOnThem) {
  RandomSequence random(7);
  std::vector<Vec> rows;
  Vec labels;
  for (int i = 0; i < 60; ++i) {
    rows.push_back(gaussian(random, 3));
    labels.push_back(random.uniform(0, 1) < 0.5 ? 1 : -1);
  }
  const std::vector<Round> checkpoints = {1, 3, 10, 30, 60};
  for (const char* json :
       {R"({"type": "l1_ball", "dimension": 3, "radius": 2})", R"({"type": "ellipsoid", "semi_axes": [1, 2, 0.5]})"})
    for (const NamedLoss& loss : {kSquared, kLogistic}) {
      SCOPED_TRACE(json + loss.name);
      const AnySet set = set_of(json);
      const Stream stream = rows_stream(rows, labels, loss);
      const auto all = best_at_checkpoints(set, stream, checkpoints, 1e-4);
      ASSERT_EQ(all.size(), checkpoints.size());
      for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_LE(all[i].high - all[i].low, 1e-4 * std::max(1.0, all[i].high));
        if (i > 0) {
          EXPECT_GE(all[i].high, all[i - 1].low - 1e-12);
        }
        const Interval alone = best_at_checkpoints(set, stream, {checkpoints[i]}, 1e-4).front();
        EXPECT_LE(alone.low, all[i].high + 1e-12);
        EXPECT_LE(all[i].low, alone.high + 1e-12);
      }
    }
}

}  // namespace
}  // namespace tarry::lab
