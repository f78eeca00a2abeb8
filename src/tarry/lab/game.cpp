#include "tarry/lab/game.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "tarry/error.h"
#include "tarry/linalg/dense_direction.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/linalg/norms.h"

namespace tarry::lab {
namespace {

constexpr double kFeasible = 1e-7;  // a comparator outside the set would be no comparator

double value_at(const Vec& x, const Vec& slope, double curvature) {
  return kernels::dot(slope, x) + curvature / 2 * kernels::sum_of_squares(x);
}

// Frank-Wolfe with exact line search on the summed loss.
Interval frank_wolfe(const AnySet& set, const Vec& slope, double curvature, double relative_gap) {
  constexpr int kMostSteps = 100000;
  const Shape shape = set.shape();
  Vec x = start_point(shape), c(x.size()), v(x.size());
  for (int step = 0;; ++step) {
    for (std::size_t i = 0; i < x.size(); ++i) c[i] = slope[i] + curvature * x[i];
    write(set.oracle(DenseDirection(c, shape)), v);
    double gap = 0, width = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      gap += c[i] * (x[i] - v[i]);
      width += (x[i] - v[i]) * (x[i] - v[i]);
    }
    const double value = value_at(x, slope, curvature);
    if (gap <= relative_gap * std::max(1.0, std::fabs(value)) || step == kMostSteps || width == 0)
      return {value - std::max(0.0, gap), value};
    const double sigma = std::clamp(gap / (curvature * width), 0.0, 1.0);
    kernels::blend(x, 1 - sigma, v, sigma);
  }
}

}  // namespace

Played play_game(Model& model, const Game& game, Delays& delays,
                 const std::function<void(Round, const Played&)>& after) {
  const auto n = static_cast<std::size_t>(model.set().dimension());
  const double curvature = game.stream.curvature;
  Played played{0, Vec(n, 0.0), 0};
  Vec x(n), b(n);
  std::unordered_map<Round, Vec> in_transit;  // feedback on its way: the world's memory, not the model's
  for (Round t = 1; t <= game.rounds; ++t) {
    model.apply(Play{});
    model.write(x);
    game.stream.slope(t, x, b);
    played.loss += value_at(x, b, curvature);
    kernels::blend(played.slope_sum, 1, b, 1);
    played.curvature += curvature;
    kernels::blend(b, 1, x, curvature);  // now the gradient at x
    delays.played(t, b);
    in_transit.emplace(t, b);
    for (Round k : delays.arriving(t)) {
      const auto feedback = in_transit.extract(k);
      model.apply(Gradient{k, Covector::dense(feedback.mapped())});
    }
    if (after) after(t, played);
  }
  return played;
}

Interval best_in_hindsight(const AnySet& set, const Vec& slope, double curvature, double relative_gap) {
  if (curvature == 0) {
    const double best = inner(set.oracle(DenseDirection(slope, set.shape())), slope);
    return {best, best};
  }
  if (!set.can_project()) return frank_wolfe(set, slope, curvature, relative_gap);
  Vec x = slope;
  for (double& xi : x) xi /= -curvature;
  set.project(x);
  if (!set.contains(x, kFeasible)) throw Error(Code::kInternal, "comparator: the projection left the set");
  const double best = value_at(x, slope, curvature);
  return {best, best};
}

Interval regret(const AnySet& set, const Played& played) {
  const Interval best = best_in_hindsight(set, played.slope_sum, played.curvature);
  return {played.loss - best.high, played.loss - best.low};
}

}  // namespace tarry::lab
