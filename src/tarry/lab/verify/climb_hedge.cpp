// The hedge's regret to its bases beside Theorem 12 (docs/theory.md, section 12).
#include <algorithm>
#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"
#include "tarry/lab/play/game.h"
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

// The hedge and its bases at one table: seat 0 is the model, the others are its bases. A round of the small game is one
// of each of them.
class HedgeWorld final : public World {
 public:
  HedgeWorld(const Arena& arena, const HedgeInside& hedge, const SmallGame& game, std::size_t bases)
      : arena_(arena), hedge_(hedge), game_(game), seats_(bases + 1) {}

  Round round_of(Round t) const { return (t - 1) / seats_ + 1; }
  bool is_last(Round t) const { return t % seats_ == 0; }
  bool blurred() const { return blurred_; }

  std::optional<Turn> next() override {
    const std::size_t round = asked_ / seats_, seat = asked_ % seats_;
    if ((seat == 0 && blurred_) || round == game_.size()) return std::nullopt;
    ++asked_;
    play_ = play_event(arena_, seat == 0 ? game_[round] : moves_[round]);
    return Turn{play_, seat};
  }

  Coming answer(Round t, const Model& model, const Model::Outcome& decided) override {
    const std::size_t round = round_of(t) - 1;
    const bool is_base = (t - 1) % seats_ > 0;
    Vec x(static_cast<std::size_t>(model.set().dimension()));
    model.write(x);
    if (!is_base) see(game_[round], x);
    const Move& own = moves_[round];
    const Vec at = is_base ? std::move(x) : inside(x);
    const double cost = cost_of(model, own, at);
    if (is_base)
      costs_[round].bases.push_back(cost);
    else
      costs_[round].own = cost;
    blurred_ = blurred_ || !seen(model, own, at);
    const Move& move = is_base ? own : game_[round];
    return {{.round = t}, answer_event(arena_, move, decided.round, move.row)};
  }
  Covector gradient() override { return Covector::dense(moves_.back().row); }

  void answered(Round k) { (game_[k - 1].given_up ? given_up_ : order_).push_back(k); }

  // Where large numbers leave a small rest, rounding decides the gradient: the model and the bases
  // beside it then learn from different games, and nothing can be said.
  bool seen(const Model& model, const Move& own, const Vec& x) const {
    if (blur_ == 0 || !arena_.has_loss()) return true;
    const double p = kernels::dot(own.row, x), size = norm2(own.row);
    const auto slope = [&](double label) { return model.loss()->slope(p, model.loss()->label(label)) * size; };
    const double change = std::fabs(slope(own.label + blur_) - slope(own.label - blur_));
    return change <= kSeen * std::max(1.0, std::fabs(slope(own.label)));
  }

  double cost_of(const Model& model, const Move& move, const Vec& x) const {
    const double p = kernels::dot(move.row, x);
    return arena_.has_loss() ? model.loss()->value(p, model.loss()->label(move.label)) : p;
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
    Vec of_bases(seats_ - 1, 0.0);
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
    const double bound = largest * std::sqrt(kappa(of_bases.size()) * sum);
    const double regret = own - *std::min_element(of_bases.begin(), of_bases.end()) - kWeightRounding * size;
    if (!std::isfinite(regret)) return {};
    return {climbing_ratio(regret, bound), regret, bound, t};
  }

 private:
  Vec inside(const Vec& whole) const { return {whole.begin() + hedge_.begin, whole.begin() + hedge_.end}; }

  // The same round as the bases see it: their part of the row, and a label without the others' predictions.
  void see(const Move& move, const Vec& x) {
    Move own = move;
    own.row = inside(move.row);
    own.shown.clear();
    blur_ = 0;
    if (own.row.size() < move.row.size()) {
      own.label -= kernels::dot(move.row, x) - kernels::dot(own.row, inside(x));
      blur_ = kBlur * (std::fabs(move.label) + norm2(move.row) * (1 + norm2(x)));
    }
    moves_.push_back(std::move(own));
    costs_.emplace_back();
    came_before_.push_back(order_.size());
  }

  const Arena& arena_;
  const HedgeInside& hedge_;
  const SmallGame& game_;
  std::size_t seats_, asked_ = 0;
  Event play_ = Play{};
  SmallGame moves_;  // as the bases see them
  std::vector<Costs> costs_;
  std::vector<std::size_t> came_before_;  // how many answers had come when a round was played
  std::vector<Round> order_, given_up_;
  double blur_ = 0;       // how far rounding may move the label of the round, and predictions
  bool blurred_ = false;  // a label was lost in rounding: what follows is not judged
};

Finding play(const Arena& arena, const HedgeInside& hedge, const SmallGame& game) {
  Model model = arena.make();
  std::vector<Model> bases = hedge.bases();
  const std::size_t seats = bases.size() + 1;
  HedgeWorld world(arena, hedge, game, bases.size());
  const auto at = due(game);
  std::vector<std::vector<Round>> arrivals(seats * game.size() + 1);  // to the model and all of its bases
  for (Round t = 1; t <= game.size(); ++t)
    for (Round k : at[t])
      for (std::size_t seat = 0; seat < seats; ++seat) arrivals[seats * t].push_back(seats * (k - 1) + 1 + seat);
  Finding worst;
  const auto after = [&](const RoundPlayed& played, const Played&) {
    if (!world.is_last(played.round) || world.blurred()) return;
    const Round t = world.round_of(played.round);
    for (Round k : at[t]) world.answered(k);
    const Finding here = world.after(t);
    if (here.ratio > worst.ratio) worst = here;
  };
  play_game([&](std::size_t seat) -> Model& { return seat == 0 ? model : bases[seat - 1]; }, world,
            *arriving_at(std::move(arrivals)), {.rounds = seats * game.size(), .after = after, .clock = {}});
  return worst;
}

}  // namespace

Finding judge_hedge(const Arena& arena, const HedgeInside& hedge, const SmallGame& game) {
  try {
    return play(arena, hedge, game);
  } catch (const Error& error) {
    if (error.code() == Code::kBadInput) return {};
    throw;
  }
}

}  // namespace tarry::lab
