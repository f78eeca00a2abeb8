// The hedge's regret to its bases beside Theorem H (docs/theory.md, section 12).
#include <algorithm>
#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"
#include "tarry/lab/verify/climb_judge.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/linalg/norms.h"

namespace tarry::lab {
namespace {

constexpr double kWeightRounding = 1e-11;  // the weights themselves pass over differences of 1e-13
constexpr double kBlur = 1e-13;            // of a label in a block: the other blocks' predictions are taken off
constexpr double kSeen = 1e-9;  // a gradient is seen when rounding changes it by less, absolutely or in proportion

// κ_N = (q − 1) N^{2/q}.
double kappa(std::size_t bases) {
  const auto n = static_cast<double>(bases);
  if (bases <= 7) return n;
  const double log_n = tarry::log(n), q = log_n + std::sqrt(log_n * log_n - 2 * log_n);
  return (q - 1) * tarry::pow(n, 2 / q);
}

struct Costs {
  double own = 0;
  Vec bases;
  double spread() const {
    return *std::max_element(bases.begin(), bases.end()) - *std::min_element(bases.begin(), bases.end());
  }
};

class HedgeJudge {
 public:
  HedgeJudge(const Arena& arena, const HedgeInside& hedge, const SmallGame& game)
      : arena_(arena), hedge_(hedge), game_(game), model_(arena.make()), bases_(hedge.bases()) {}

  Finding run() {
    const auto at = due(game_);
    Finding worst;
    for (Round t = 1; t <= game_.size(); ++t) {
      play(game_[t - 1]);
      if (blurred_) break;
      for (Round k : at[t]) answer(k);
      const Finding here = after(t);
      if (here.ratio > worst.ratio) worst = here;
    }
    return worst;
  }

 private:
  Vec inside(const Vec& whole) const { return {whole.begin() + hedge_.begin, whole.begin() + hedge_.end}; }

  void play(const Turn& turn) {
    model_.apply(play_event(arena_, turn));
    Vec x(static_cast<std::size_t>(model_.set().dimension()));
    model_.write(x);
    // The same round as the bases see it: their part of the row, and a label without the others' predictions.
    Turn own = turn;
    own.row = inside(turn.row);
    own.shown.clear();
    double blur = 0;  // how far rounding may move that label, and predictions
    if (own.row.size() < turn.row.size()) {
      own.label -= kernels::dot(turn.row, x) - kernels::dot(own.row, inside(x));
      blur = kBlur * (std::fabs(turn.label) + norm2(turn.row) * (1 + norm2(x)));
    }
    Costs costs;
    costs.own = cost(own, inside(x));
    blurred_ = blurred_ || !seen(own, inside(x), blur);
    for (Model& base : bases_) {
      base.apply(play_event(arena_, own));
      Vec at(own.row.size());
      base.write(at);
      costs.bases.push_back(cost(own, at));
      blurred_ = blurred_ || !seen(own, at, blur);
    }
    turns_.push_back(std::move(own));
    costs_.push_back(std::move(costs));
    came_before_.push_back(order_.size());
  }

  // Where large numbers leave a small rest, rounding decides the gradient: the model and the bases
  // beside it then learn from different games, and nothing can be said.
  bool seen(const Turn& own, const Vec& x, double blur) const {
    if (blur == 0 || !arena_.has_loss()) return true;
    const double p = kernels::dot(own.row, x), size = norm2(own.row);
    const auto gradient = [&](double label) { return model_.loss()->slope(p, model_.loss()->label(label)) * size; };
    const double change = std::fabs(gradient(own.label + blur) - gradient(own.label - blur));
    return change <= kSeen * std::max(1.0, std::fabs(gradient(own.label)));
  }

  double cost(const Turn& turn, const Vec& x) const {
    const double p = kernels::dot(turn.row, x);
    return arena_.has_loss() ? model_.loss()->value(p, model_.loss()->label(turn.label)) : p;
  }

  void answer(Round k) {
    model_.apply(answer_event(arena_, game_[k - 1], k, game_[k - 1].row));
    for (Model& base : bases_) base.apply(answer_event(arena_, turns_[k - 1], k, turns_[k - 1].row));
    (game_[k - 1].given_up ? given_up_ : order_).push_back(k);
  }

  // Rounds that wait count as answered at the end; those given up do not count.
  Finding after(Round t) const {
    std::vector<Round> order = order_;
    std::vector<bool> gone(t + 1, false);
    for (Round k : order_) gone[k] = true;
    for (Round k : given_up_) gone[k] = true;
    for (Round k = 1; k <= t; ++k)
      if (!gone[k]) order.push_back(k);
    double largest = 0;
    for (Round k : order) largest = std::max(largest, costs_[k - 1].spread());
    if (order.empty() || !(largest > 0) || !std::isfinite(largest)) return {};
    Vec before{0};  // sums of spreads in the order of arrival, in units of the largest
    double sum = 0, size = 0, own = 0;
    Vec of_bases(bases_.size(), 0.0);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Costs& costs = costs_[order[i] - 1];
      const double s = costs.spread() / largest;
      sum += s * s + 2 * s * (before[i] - before[came_before_[order[i] - 1]]);
      before.push_back(before[i] + s);
      own += costs.own;
      size += std::fabs(costs.own);
      for (std::size_t b = 0; b < of_bases.size(); ++b) {
        of_bases[b] += costs.bases[b];
        size += std::fabs(costs.bases[b]);
      }
    }
    const double bound = largest * std::sqrt(kappa(bases_.size()) * sum);
    const double regret = own - *std::min_element(of_bases.begin(), of_bases.end()) - kWeightRounding * size;
    if (!std::isfinite(regret)) return {};
    return {climbing_ratio(regret, bound), regret, bound, t};
  }

  const Arena& arena_;
  const HedgeInside& hedge_;
  const SmallGame& game_;
  Model model_;
  std::vector<Model> bases_;
  SmallGame turns_;  // as the bases see them
  std::vector<Costs> costs_;
  std::vector<std::size_t> came_before_;  // how many answers had come when a round was played
  std::vector<Round> order_, given_up_;
  bool blurred_ = false;  // a label was lost in rounding: what follows is not judged
};

}  // namespace

Finding judge_hedge(const Arena& arena, const HedgeInside& hedge, const SmallGame& game) {
  try {
    return HedgeJudge(arena, hedge, game).run();
  } catch (const Error& error) {
    if (error.code() == Code::kBadInput) return {};
    throw;
  }
}

}  // namespace tarry::lab
