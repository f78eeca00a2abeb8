#include "tarry/lab/verify/climb_judge.h"

#include <algorithm>
#include <cmath>

#include "tarry/base/error.h"
#include "tarry/geometry/dense_direction.h"
#include "tarry/lab/hindsight/comparator.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/linalg/norms.h"
#include "tarry/losses/registry.h"

namespace tarry::lab {
namespace {

constexpr double kRounding = 1e-12;  // of all that was summed
constexpr double kGap = 1e-5;  // of comparators: only the point found counts, so a loose one misses but is never wrong
constexpr int kTried = 3;      // prefixes whose comparator is found, where none can break the promise
constexpr int kSteps = 100;    // … in so many steps
constexpr double kMostRatio = 1e300;
constexpr double kLeast = 1e-200;  // regret below counts as none: numbers themselves end soon

using KnownRound = SmallWorld::KnownRound;

struct Prefix {
  Round rounds;
  double largest;  // of the gradients that have come
  double linear;   // linearised regret, which is never below regret
  double certificate;
  Vec vertex;  // the best point in hindsight of the linearised losses
};

class CertificateJudge {
 public:
  CertificateJudge(const Arena& arena, const SmallGame& game)
      : arena_(arena), game_(game), model_(arena.make()), world_(arena, game), rounds_(world_.rounds()) {}

  Finding run() {
    std::vector<Prefix> prefixes;
    const auto after = [&](const RoundPlayed& played, const Played&) {
      if (const auto prefix = linearised(played.round)) prefixes.push_back(*prefix);
    };
    play_game(model_, world_, *arriving_at(due(game_, arena_.corrects)),
              {.rounds = game_.size(), .after = after, .clock = {}});
    std::stable_sort(prefixes.begin(), prefixes.end(), [](const Prefix& a, const Prefix& b) {
      return climbing_ratio(a.linear, a.certificate) > climbing_ratio(b.linear, b.certificate);
    });
    return worst_of(prefixes);
  }

 private:
  // `prefixes` have the largest linearised regrets first.
  Finding worst_of(const std::vector<Prefix>& prefixes) const {
    const bool linear = !arena_.has_loss() && arena_.curvature == 0;
    Finding worst;
    int tried = 0;
    for (const Prefix& p : prefixes) {
      const double most = climbing_ratio(p.linear, p.certificate);
      // None that follows is worse, or none can be a violation: to climb on, the first few are enough.
      if (most <= worst.ratio || (most <= 1 && ++tried > kTried)) break;
      const double regret = linear ? p.linear : arena_.has_loss() ? labelled_regret(p) : curved_regret(p);
      const double ratio = climbing_ratio(regret, p.certificate);
      if (ratio > worst.ratio) worst = {ratio, regret, p.certificate, p.rounds};
    }
    return worst;
  }

  // By the end of round t a round's label may have been corrected.
  bool is_corrected(Round k, Round t) const {
    const Move& move = game_[k - 1];
    return arena_.corrects && move.corrected_after > 0 && !move.given_up && move.corrected_delay() <= t - k + 1;
  }
  const Vec& gradient_at(Round k, Round t) const {
    return is_corrected(k, t) ? rounds_[k - 1].corrected_gradient : rounds_[k - 1].gradient;
  }
  double label_at(Round k, Round t) const {
    return is_corrected(k, t) ? rounds_[k - 1].corrected_label : rounds_[k - 1].label;
  }

  // How much of a gradient there may be: all of one that came by the end of round t.
  double share_left(Round k, Round t, double largest) const {
    const Move& move = game_[k - 1];
    if (!move.given_up && move.delay <= t - k + 1) return 1;
    const double norm = norm2(rounds_[k - 1].gradient);
    return norm <= largest ? 1 : largest / norm;
  }

  std::optional<Prefix> linearised(Round t) const {
    const auto certificate = model_.certificate();
    if (!certificate || std::isnan(*certificate)) return std::nullopt;
    const double largest = model_.seen().gradient_bound;
    Vec sum(rounds_[0].x.size(), 0.0), best(sum.size());
    double loss = 0, size = 0, total = 0;
    for (Round k = 1; k <= t; ++k) {
      const KnownRound& known = rounds_[k - 1];
      const Vec& gradient = gradient_at(k, t);
      const double left = share_left(k, t, largest), norm = left * norm2(gradient);
      if (left < 1 && arena_.has_loss() && !is_quadratic(arena_.loss)) return std::nullopt;
      loss += left * kernels::dot(gradient, known.x);
      kernels::blend(sum, 1, gradient, left);
      size += norm * norm2(known.x);
      total += norm;
    }
    write(model_.set().oracle(DenseDirection(sum, model_.set().shape())), best);
    const double regret = loss - kernels::dot(sum, best) - kRounding * (size + total * norm2(best));
    if (!std::isfinite(regret)) return std::nullopt;
    return Prefix{t, largest, regret, *certificate, best};
  }

  // f(x) = ⟨b, x⟩ + (curvature/2)‖x‖², with gradient b + curvature·x at x.
  double curved_regret(const Prefix& p) const {
    const double curvature = arena_.curvature;
    Vec slope(rounds_[0].x.size(), 0.0);
    double loss = 0, size = 0;
    for (Round k = 1; k <= p.rounds; ++k) {
      const KnownRound& known = rounds_[k - 1];
      const double square = kernels::sum_of_squares(known.x);
      Vec b = known.gradient;
      kernels::blend(b, share_left(k, p.rounds, p.largest), known.x, -curvature);
      loss += kernels::dot(b, known.x) + curvature / 2 * square;
      kernels::blend(slope, 1, b, 1);
      size += norm2(b) * norm2(known.x) + curvature * square;
    }
    const Interval best = best_in_hindsight(model_.set(), slope, curvature * static_cast<double>(p.rounds), kGap);
    return loss - best.high - kRounding * (size + std::fabs(best.high));
  }

  double labelled_regret(const Prefix& p) const {
    const AnyLoss& loss = *model_.loss();
    Vec labels;  // one that has not come may be milder: nearer to the prediction
    double played = 0, size = 0;
    for (Round k = 1; k <= p.rounds; ++k) {
      const KnownRound& known = rounds_[k - 1];
      const double guess = kernels::dot(game_[k - 1].row, known.x), left = share_left(k, p.rounds, p.largest);
      const double label = label_at(k, p.rounds);
      labels.push_back(left < 1 ? guess - left * (guess - label) : label);
      const double cost = loss.value(guess, labels.back());
      played += cost;
      size += std::fabs(cost);
    }
    const Objective summed{[&](std::span<const double> x, std::span<double> gradient) {
                             std::fill(gradient.begin(), gradient.end(), 0.0);
                             double value = 0;
                             for (Round k = 1; k <= p.rounds; ++k) {
                               const Vec& row = game_[k - 1].row;
                               const double guess = kernels::dot(row, x);
                               value += loss.value(guess, labels[k - 1]);
                               kernels::blend(gradient, 1, row, loss.slope(guess, labels[k - 1]));
                             }
                             return value;
                           },
                           static_cast<double>(p.rounds)};
    // From the best vertex or from where the game began, whichever is better: at large scales vertices are.
    Vec x = rounds_[0].x, vertex = p.vertex, gradient(x.size());
    if (summed.evaluate(vertex, gradient) < summed.evaluate(x, gradient)) x = vertex;
    const Interval best = minimise(model_.set(), summed, x, kGap, nullptr, kSteps);
    return played - best.high - kRounding * (size + std::fabs(best.high));
  }

  const Arena& arena_;
  const SmallGame& game_;
  Model model_;
  SmallWorld world_;
  const std::vector<KnownRound>& rounds_;
};

}  // namespace

double climbing_ratio(double regret, double bound) {
  if (std::fabs(regret) < kLeast) return 0;
  if (!(bound > 0)) return regret > 0 ? kMostRatio : -0.5;
  return std::clamp(regret / bound, -0.5, kMostRatio);
}

Finding judge_certificate(const Arena& arena, const SmallGame& game) {
  try {
    return CertificateJudge(arena, game).run();
  } catch (const Error& error) {
    if (error.code() == Code::kBadInput) return {};
    throw;
  }
}

}  // namespace tarry::lab
