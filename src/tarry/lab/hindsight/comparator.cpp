#include "tarry/lab/hindsight/comparator.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tarry/base/error.h"
#include "tarry/geometry/dense_direction.h"
#include "tarry/lab/hindsight/summed_squares.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/linalg/norms.h"
#include "tarry/losses/registry.h"

namespace tarry::lab {
namespace {

constexpr double kFeasible = 1e-7;  // a comparator outside the set would be no comparator

void refuse_outside(const AnySet& set, std::span<const double> x) {
  if (!set.contains(x, kFeasible)) throw Error(Code::kInternal, "comparator: the decision is outside the set");
}

// ⟨gradient, x − v⟩ for the oracle's v: how far the value can be above the minimum. Leaves v in `vertex`.
double gap_at(const AnySet& set, const Shape& shape, std::span<const double> x, std::span<const double> gradient,
              std::span<double> vertex) {
  write(set.oracle(DenseDirection(gradient, shape)), vertex);
  double gap = 0;
  for (std::size_t i = 0; i < x.size(); ++i) gap += gradient[i] * (x[i] - vertex[i]);
  return std::max(0.0, gap);
}

void stop_if_told(const std::atomic<bool>* stop) {
  if (stop != nullptr && stop->load()) throw Interrupted{};
}

// One step of either method; both keep x in the set.
class Minimiser {
 public:
  Minimiser(const AnySet& set, const Objective& objective, Vec& x, const std::atomic<bool>* stop)
      : set_(set),
        objective_(objective),
        stop_(stop),
        shape_(set.shape()),
        x_(x),
        momentum_(x),
        gradient_(x.size()),
        trial_(x.size()),
        vertex_(x.size()),
        smoothness_(objective.smoothness_guess) {}

  Interval run(double relative_gap, int most_steps) {
    Interval best{-INFINITY, INFINITY};
    Vec found = x_;
    for (int step = 0; step < most_steps; ++step) {
      stop_if_told(stop_);
      const double value = objective_.evaluate(x_, gradient_);
      if (!std::isfinite(value))
        throw Error(Code::kBadInput, "comparator: the losses are not defined at a decision of the set");
      const double gap = gap_at(set_, shape_, x_, gradient_, vertex_);
      best.low = std::max(best.low, value - gap);
      if (value < best.high) {
        best.high = value;
        found = x_;
      }
      if (best.high - best.low <= relative_gap * std::max(1.0, std::fabs(best.high))) break;
      if (set_.can_project())
        accelerated_step(value);
      else
        frank_wolfe_step(value, gap);
    }
    x_ = found;
    refuse_outside(set_, x_);
    return best;
  }

 private:
  // FISTA with backtracking and restart (Beck, Teboulle 2009; O'Donoghue, Candès 2015).
  void accelerated_step(double value_at_x) {
    Vec at_momentum(x_.size());
    const double value = value_at_momentum(at_momentum);
    smoothness_ *= 0.7;
    for (int tries = 0; tries < 100; ++tries, smoothness_ *= 2) {
      for (std::size_t i = 0; i < x_.size(); ++i) trial_[i] = momentum_[i] - at_momentum[i] / smoothness_;
      set_.project(trial_);
      double linear = 0, square = 0;
      for (std::size_t i = 0; i < x_.size(); ++i) {
        const double d = trial_[i] - momentum_[i];
        linear += at_momentum[i] * d;
        square += d * d;
      }
      const double reached = objective_.evaluate(trial_, gradient_);
      if (reached > value + linear + smoothness_ / 2 * square + 1e-12 * std::fabs(value)) continue;
      if (reached > value_at_x && theta_ > 1) {  // momentum went uphill: restart it from x
        theta_ = 1;
        momentum_ = x_;
        return;
      }
      break;
    }
    const double next = (1 + std::sqrt(1 + 4 * theta_ * theta_)) / 2;
    for (std::size_t i = 0; i < x_.size(); ++i) momentum_[i] = trial_[i] + (theta_ - 1) / next * (trial_[i] - x_[i]);
    theta_ = next;
    x_ = trial_;
  }

  // Momentum may leave the set, and with it where the loss is defined: then it restarts from x.
  double value_at_momentum(Vec& gradient) {
    const double value = objective_.evaluate(momentum_, gradient);
    if (std::isfinite(value)) return value;
    theta_ = 1;
    momentum_ = x_;
    return objective_.evaluate(momentum_, gradient);
  }

  // Towards the vertex, by backtracking on a quadratic model (Pedregosa et al. 2020).
  void frank_wolfe_step(double value, double gap) {
    double width = 0;
    for (std::size_t i = 0; i < x_.size(); ++i) width += (vertex_[i] - x_[i]) * (vertex_[i] - x_[i]);
    if (width == 0) return;
    smoothness_ *= 0.7;
    for (int tries = 0; tries < 100; ++tries, smoothness_ *= 2) {
      const double sigma = std::min(1.0, gap / (smoothness_ * width));
      for (std::size_t i = 0; i < x_.size(); ++i) trial_[i] = x_[i] + sigma * (vertex_[i] - x_[i]);
      const double reached = objective_.evaluate(trial_, gradient_);
      if (reached <= value - sigma * gap + sigma * sigma * smoothness_ / 2 * width + 1e-12 * std::fabs(value)) break;
    }
    x_ = trial_;
  }

  const AnySet& set_;
  const Objective& objective_;
  const std::atomic<bool>* stop_;
  Shape shape_;
  Vec& x_;
  Vec momentum_, gradient_, trial_, vertex_;
  double smoothness_;
  double theta_ = 1;
};

Objective quadratic(const Vec& slope, double curvature) {
  return {[&slope, curvature](std::span<const double> x, std::span<double> gradient) {
            for (std::size_t i = 0; i < x.size(); ++i) gradient[i] = slope[i] + curvature * x[i];
            return kernels::dot(slope, x) + curvature / 2 * kernels::sum_of_squares(x);
          },
          curvature};
}

// Σ of the losses of the first `rows` rows.
Objective summed_loss(const Table& table, std::size_t rows) {
  return {[&table, rows](std::span<const double> x, std::span<double> gradient) {
            std::fill(gradient.begin(), gradient.end(), 0.0);
            double value = 0;
            Dataset::Made made;
            for (std::size_t row = 0; row < rows; ++row) {
              if (std::isnan(table.data->labels[row])) continue;  // never known: no loss
              const Covector a = table.data->features(row, made);
              const double label = table.loss.label(table.data->labels[row]), p = a.dot(x);
              if (!table.loss.defined(p)) return std::numeric_limits<double>::infinity();
              value += table.loss.value(p, label);
              const double slope = table.loss.slope(p, label);
              a.each([&](Index i, double ai) { gradient[static_cast<std::size_t>(i)] += slope * ai; });
            }
            return value;
          },
          static_cast<double>(rows)};
}

std::vector<Interval> best_raw(const AnySet& set, const Stream& stream, const std::vector<Round>& checkpoints,
                               double gap, const std::atomic<bool>* stop) {
  const RawStream& raw = *stream.raw();
  Vec slope(static_cast<std::size_t>(stream.dimension), 0.0), b(slope.size());
  const Vec x(slope.size(), 0.0);  // the streams of experiments do not look at the decision
  std::vector<Interval> best;
  Round t = 0;
  for (Round checkpoint : checkpoints) {
    while (t < checkpoint) {
      if (t % 64 == 0) stop_if_told(stop);
      raw.slope(++t, x, b);
      kernels::blend(slope, 1, b, 1);
    }
    best.push_back(best_in_hindsight(set, slope, raw.curvature * static_cast<double>(t), gap));
  }
  return best;
}

// Around a centre that was far from the answer the matrix has few digits: then once more around what was found.
Interval best_squares(const AnySet& set, SummedSquares& squares, Vec& x, double gap, const std::atomic<bool>* stop) {
  constexpr int kMostCentres = 4;
  Interval best{0, INFINITY};
  for (int centre = 0; centre < kMostCentres; ++centre) {
    const double width = best.high - best.low;
    minimise(set, squares.about(x), x, gap, stop);
    const Interval found = squares.certify(set, x);
    best = {std::max(best.low, found.low), std::min(best.high, found.high)};
    const bool narrow = best.high - best.low <= gap * std::max(1.0, best.high);
    if (narrow || best.high - best.low > 0.5 * width) break;
  }
  return best;
}

}  // namespace

Interval minimise(const AnySet& set, const Objective& objective, Vec& x, double relative_gap,
                  const std::atomic<bool>* stop, int most_steps) {
  refuse_outside(set, x);
  return Minimiser(set, objective, x, stop).run(relative_gap, most_steps);
}

Interval best_in_hindsight(const AnySet& set, const Vec& slope, double curvature, double relative_gap) {
  if (curvature == 0) {
    const double best = inner(set.oracle(DenseDirection(slope, set.shape())), slope);
    return {best, best};
  }
  if (!set.can_project()) {
    Vec x = start_point(set.shape());
    return minimise(set, quadratic(slope, curvature), x, relative_gap);
  }
  Vec x = slope;
  for (double& xi : x) xi /= -curvature;
  set.project(x);
  refuse_outside(set, x);
  const double best = kernels::dot(slope, x) + curvature / 2 * kernels::sum_of_squares(x);
  return {best, best};
}

Interval regret(const AnySet& set, const Played& played) {
  const Interval best = best_in_hindsight(set, played.slope_sum, played.curvature);
  return {played.loss - best.high, played.loss - best.low};
}

bool has_comparator(const Stream& stream) {
  return stream.raw() != nullptr || (stream.table() != nullptr && stream.table()->loss.outputs() == 1);
}

std::vector<Interval> best_at_checkpoints(const AnySet& set, const Stream& stream,
                                          const std::vector<Round>& checkpoints, double relative_gap,
                                          const std::atomic<bool>* stop) {
  if (stream.raw() != nullptr) return best_raw(set, stream, checkpoints, relative_gap, stop);
  const Table& table = *stream.table();
  Vec x = start_point(set.shape());  // each checkpoint begins where the last one ended
  std::vector<Interval> best;
  std::optional<SummedSquares> squares;
  if (is_quadratic(table.loss_name)) squares.emplace(table);
  for (Round checkpoint : checkpoints) {
    if (squares) squares->through(checkpoint);
    best.push_back(squares ? best_squares(set, *squares, x, relative_gap, stop)
                           : minimise(set, summed_loss(table, checkpoint), x, relative_gap, stop));
  }
  return best;
}

}  // namespace tarry::lab
