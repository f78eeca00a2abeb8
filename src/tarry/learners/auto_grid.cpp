#include "tarry/learners/auto_grid.h"

#include <algorithm>
#include <cmath>

#include "tarry/learners/box_ftrl.h"
#include "tarry/learners/delayed_ofw.h"
#include "tarry/learners/delayed_ogd.h"
#include "tarry/learners/hedge.h"
#include "tarry/learners/lp_ftrl.h"
#include "tarry/learners/registry.h"
#include "tarry/linalg/norms.h"

namespace tarry {
namespace {

constexpr double kStep = 4;  // between neighbouring sizes of the grid
constexpr int kSizes = 4;
constexpr int kRates = 10;

// p = 1 + 1/ln n: a ball that is nearly the l1 ball, and still strongly convex.
double nearly_one(Index n) { return std::min(2.0, 1 + 1 / std::log(std::max<double>(3, static_cast<double>(n)))); }

Bounds cube(Index n, double half) {
  return {Vec(static_cast<std::size_t>(n), -half), Vec(static_cast<std::size_t>(n), half)};
}

// Balls about the origin whose largest copies have the given radii: l2, nearly l1, and a cube.
struct Inside {
  double l2, l1, cube;
};

std::vector<AnyLearner> sizes(Index n, const Inside& radius) {
  std::vector<AnyLearner> bases;
  for (int k = 0; k < kSizes; ++k) {
    const double shrink = std::pow(kStep, -k);
    bases.push_back(LpFtrl(n, {2, radius.l2 * shrink}));
    bases.push_back(LpFtrl(n, {nearly_one(n), radius.l1 * shrink}));
    bases.push_back(BoxFtrl(cube(n, radius.cube * shrink), 1));
  }
  return bases;
}

// What fits inside the lp ball of radius r: ‖x‖_p ≤ n^{1/p − 1/2}‖x‖₂, ≤ ‖x‖₁-like norms of smaller p, ≤ n^{1/p}‖x‖_∞.
std::vector<AnyLearner> in_ball(Index n, LpShape ball) {
  const auto size = static_cast<double>(n);
  const double near = nearly_one(n);
  const double l1 = near <= ball.p ? 1 : std::pow(size, 1 / near - 1 / ball.p);
  std::vector<AnyLearner> bases = sizes(
      n, {ball.radius * std::pow(size, 0.5 - 1 / ball.p), ball.radius * l1, ball.radius * std::pow(size, -1 / ball.p)});
  if (ball.p > 1 && ball.p < 2) bases.push_back(LpFtrl(n, ball));  // all of the ball; at p = 2 the first base is
  return bases;
}

// Steps of several sizes, each free to reach the whole box: better than smaller boxes, which stop at their faces.
std::vector<AnyLearner> in_box(Index n, const Bounds& box) {
  double inside = INFINITY;  // the largest cube about the origin
  for (std::size_t i = 0; i < box.lower.size(); ++i) inside = std::min({inside, -box.lower[i], box.upper[i]});
  std::vector<AnyLearner> bases;
  for (int k = 0; k < kSizes; ++k) {
    const double shrink = std::pow(kStep, -k);
    if (inside > 0) {
      bases.push_back(LpFtrl(n, {2, inside * shrink}));
      bases.push_back(LpFtrl(n, {nearly_one(n), inside * shrink}));
    }
    bases.push_back(BoxFtrl(box, shrink));
    bases.push_back(BoxFtrl(box, shrink / kStep, BoxStep::kBold));
  }
  return bases;
}

std::vector<AnyLearner> step_sizes(const LearnerSetting& setting) {
  std::vector<AnyLearner> bases;
  const double largest = setting.set.diameter() > 0 ? setting.set.diameter() : 1;
  for (int k = 0; k < kRates; ++k) {
    const double eta = largest * std::pow(kStep, -k);
    if (setting.set.can_project())
      bases.push_back(DelayedOgd<OgdStep>(setting.set, OgdStep(eta), start_point(setting.shape())));
    else
      bases.push_back(DelayedOfw<AnySet>(setting.set, OfwRule(eta), setting.shape()));
  }
  return bases;
}

}  // namespace

std::vector<AnyLearner> auto_bases(const LearnerSetting& setting) {
  if (setting.initial.empty()) {
    if (const auto ball = setting.set.lp_shape()) return in_ball(setting.set.dimension(), *ball);
    if (const auto box = setting.set.bounds()) return in_box(setting.set.dimension(), *box);
  }
  return step_sizes(setting);
}

LearnerEntry auto_entry() {
  return {.name = "auto",
          .summary = "Nothing to set: a hedge over learners of several sizes or steps that fit the set",
          .keys = {},
          .make = [](const spec::Node&, const LearnerSetting& setting) -> AnyLearner {
            return Hedge(auto_bases(setting), setting.set.dimension());
          },
          .examples = {R"({"type": "auto"})"}};
}

}  // namespace tarry
