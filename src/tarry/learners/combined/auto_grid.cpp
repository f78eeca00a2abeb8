#include "tarry/learners/combined/auto_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/learners/combined/hedge.h"
#include "tarry/learners/combined/hedge_bases.h"
#include "tarry/learners/combined/loss_weights.h"
#include "tarry/learners/combined/patient.h"
#include "tarry/learners/descent/adagrad.h"
#include "tarry/learners/descent/delayed_eg.h"
#include "tarry/learners/descent/delayed_ogd.h"
#include "tarry/learners/descent/stay.h"
#include "tarry/learners/frank_wolfe/delayed_ofw.h"
#include "tarry/learners/leaders/lp_ftrl.h"
#include "tarry/learners/registry.h"
#include "tarry/linalg/norms.h"

namespace tarry {
namespace {

constexpr double kStep = 4;  // between neighbouring sizes of the grid
constexpr int kSizes = 4;
constexpr int kRates = 10;
constexpr double kEqualShares = 0.97;               // of the wealth, where it is known what wealth is
constexpr Index kMostCoordinates = Index{1} << 32;  // several hundred gigabytes, where each has its numbers

// AdaGrad's rates over a box: from the natural size of a weight down to what a delay of thousands of rounds asks for.
// Halves, since every rate has its streams; eight, since their states then fill whole cache lines.
Vec box_rates() { return {1, 1.0 / 2, 1.0 / 4, 1.0 / 8, 1.0 / 16, 1.0 / 32, 1.0 / 64, 1.0 / 128}; }

// p = 1 + 1/ln n: a ball that is nearly the l1 ball, and still strongly convex.
double nearly_one(Index n) { return std::min(2.0, 1 + 1 / tarry::log(std::max<double>(3, static_cast<double>(n)))); }

// Balls about the origin whose largest copies have the given radii: l2, nearly l1, and a cube.
struct Inside {
  double l2, l1, cube;
};

std::vector<AnyLearner> sizes(Index n, const Inside& radius) {
  std::vector<AnyLearner> bases;
  for (int k = 0; k < kSizes; ++k) {
    const double shrink = tarry::pow(kStep, -k);
    bases.push_back(LpFtrl(n, {2, radius.l2 * shrink}, LpStep::kFresh));
    bases.push_back(LpFtrl(n, {nearly_one(n), radius.l1 * shrink}, LpStep::kFresh));
    bases.push_back(Adagrad(Bounds::everywhere(n, -radius.cube, radius.cube), Start{n, 0, {}}, shrink));
  }
  return bases;
}

// What fits inside the lp ball of radius r: ‖x‖_p ≤ n^{1/p − 1/2}‖x‖₂, ≤ ‖x‖₁-like norms of smaller p, ≤ n^{1/p}‖x‖_∞.
std::vector<AnyLearner> in_ball(Index n, LpShape ball) {
  const auto size = static_cast<double>(n);
  const double near = nearly_one(n);
  const double l1 = near <= ball.p ? 1 : tarry::pow(size, 1 / near - 1 / ball.p);
  std::vector<AnyLearner> bases = sizes(n, {ball.radius * tarry::pow(size, 0.5 - 1 / ball.p), ball.radius * l1,
                                            ball.radius * tarry::pow(size, -1 / ball.p)});
  if (ball.p > 1 && ball.p < 2)
    bases.push_back(LpFtrl(n, ball, LpStep::kFresh));  // all of the ball; at p = 2 the first base is
  return bases;
}

// Exponentiated gradient suits a simplex better than projections: its bound grows with ln n.
std::vector<AnyLearner> in_simplex(Index n, double radius) {
  std::vector<AnyLearner> bases;
  for (int k = 0; k < kRates; ++k) bases.push_back(DelayedEg(n, radius, tarry::pow(kStep, 1 - k) / radius));
  return bases;
}

// Shares of a portfolio that are weighed by the wealth of each learner: without delay the wealth is the weighted mean
// of theirs, whichever did best, and so never less than what the equal shares were given of it.
AnyLearner by_wealth(const LearnerSetting& setting) {
  std::vector<AnyLearner> bases = in_simplex(setting.set.dimension(), *setting.set.simplex_radius());
  Vec prior(bases.size(), (1 - kEqualShares) / static_cast<double>(bases.size()));
  bases.push_back(Stay(setting.shape()));
  prior.push_back(kEqualShares);
  return Hedge<SeparateBases, LossWeights>(SeparateBases(std::move(bases)), setting.set.dimension(),
                                           setting.set.diameter(), LossWeights(std::move(prior), 1, Waiting(0)));
}

std::vector<AnyLearner> step_sizes(const LearnerSetting& setting) {
  std::vector<AnyLearner> bases;
  const double largest = setting.set.diameter() > 0 ? setting.set.diameter() : 1;
  for (int k = 0; k < kRates; ++k) {
    const double eta = largest * tarry::pow(kStep, -k);
    Effort effort;
    effort.stream = setting.part(static_cast<std::uint64_t>(k)).instance;
    if (setting.set.can_project())
      bases.push_back(DelayedOgd<OgdStep>(setting.set, OgdStep(eta), start_point(setting.shape())));
    else
      bases.push_back(DelayedOfw<AnySet>(setting.set, OfwRule(eta), setting.shape(), effort));
  }
  return bases;
}

// AdaGrad, FTRL and Frank-Wolfe keep what was touched. Exponentiated gradient and projections keep numbers for each
// coordinate, whether or not a gradient has touched it.
void refuse_huge(const spec::Node& node, const LearnerSetting& setting) {
  const AnySet& set = setting.set;
  const Index n = set.dimension();
  if (n <= kMostCoordinates || set.bounds() || (set.lp_shape() && setting.initial.empty())) return;
  if (!set.can_project() && !set.simplex_radius()) return;
  node.fail_whole(fmt::format("keeps numbers for each coordinate of this set, whose dimension can be at most 2^32 "
                              "(dimension = {}); delayed_ofw keeps what was touched",
                              n),
                  Code::kUnsupported);
}

}  // namespace

std::vector<AnyLearner> auto_bases(const LearnerSetting& setting) {
  std::vector<AnyLearner> bases;
  if (const auto box = setting.set.bounds()) {
    for (double rate : box_rates()) bases.push_back(Adagrad(*box, setting.shape().start, rate));
    return bases;
  }
  if (const auto radius = setting.set.simplex_radius(); radius && setting.initial.empty())
    return in_simplex(setting.set.dimension(), *radius);
  const auto ball = setting.set.lp_shape();
  return ball && setting.initial.empty() ? in_ball(setting.set.dimension(), *ball) : step_sizes(setting);
}

// In an lp ball the base that is the ball itself: the first at p = 2, the last below, none at p = 1 (but n = 1).
std::vector<bool> whole_bases(const LearnerSetting& setting, std::size_t bases) {
  const auto ball = setting.set.lp_shape();
  if (setting.set.bounds() || setting.set.simplex_radius() || !ball || !setting.initial.empty())
    return std::vector<bool>(bases, true);
  std::vector<bool> whole(bases, false);
  if (ball->p == 2) whole.front() = true;
  if (ball->p > 1 && ball->p < 2) whole.back() = true;
  return whole;
}

namespace {

Cost cost_of_one(const CostScene& scene) {
  const Index n = scene.set.dimension();
  if (scene.set.simplex_radius()) return full_cost(scene.set, pass_over(n));
  if (scene.set.lp_shape() || scene.set.bounds()) return touched_cost(scene);
  if (scene.set.can_project()) return full_cost(scene.set, fmt::format("one projection of {} coordinates", n));
  return frank_wolfe_cost({}, scene);
}

Cost auto_cost(const spec::Value&, const CostScene& scene) {
  Cost cost = cost_of_one(scene);
  for (Cost::Part& part : cost.parts) part.words = "for each of its learners " + part.words;
  return cost;
}

}  // namespace

LearnerEntry auto_entry() {
  return {.name = "auto",
          .summary = "Nothing to set: a hedge over learners of several sizes or steps that fit the set",
          .keys = {{"forgets", "true: some of its learners follow a stream that changes", "false"}},
          .make = [](const spec::Node& node, const LearnerSetting& setting) -> AnyLearner {
            refuse_huge(node, setting);
            const bool forgets = wants_forgetting(node);
            const Index n = setting.set.dimension();
            const double diameter = setting.set.diameter();
            if (setting.set.bounds() && setting.standardised) return make_patient(setting, forgets);
            if (setting.set.simplex_radius() && setting.initial.empty() && setting.loss == "log_wealth")
              return by_wealth(setting);
            if (const auto box = setting.set.bounds())  // the same bases, side by side in memory
              return Hedge(AdagradBases(AdagradBank(*box, setting.shape().start, box_rates())), n, diameter);
            std::vector<AnyLearner> bases = auto_bases(setting);
            std::vector<bool> whole = whole_bases(setting, bases.size());
            return Hedge(SeparateBases(std::move(bases), std::move(whole)), n, diameter);
          },
          .examples = {R"({"type": "auto"})"},
          .cost = auto_cost,
          .weighs_products = true,
          .bases = [](const spec::Value&, const LearnerSetting& setting) { return auto_bases(setting); },
          .revises = "auto over a box with standardise = true"};
}

}  // namespace tarry
