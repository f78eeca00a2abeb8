#include "tarry/lab/comparator.h"

#include <algorithm>
#include <cmath>

#include "tarry/error.h"
#include "tarry/linalg/dense_direction.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/linalg/norms.h"

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

// One step of either method; both keep x in the set.
class Minimiser {
 public:
  Minimiser(const AnySet& set, const Objective& objective, Vec& x)
      : set_(set),
        objective_(objective),
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
      const double value = objective_.evaluate(x_, gradient_);
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
      if (reached > value_at_x && theta_ > 1) {  // momentum went uphill: begin it anew from x
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

  // Momentum may leave the set, and with it where the loss is defined: then it begins anew from x.
  double value_at_momentum(Vec& gradient) {
    try {
      return objective_.evaluate(momentum_, gradient);
    } catch (const Error&) {
      theta_ = 1;
      momentum_ = x_;
      return objective_.evaluate(momentum_, gradient);
    }
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
Objective summed_loss(const Stream& stream, std::size_t rows) {
  return {[&stream, rows](std::span<const double> x, std::span<double> gradient) {
            std::fill(gradient.begin(), gradient.end(), 0.0);
            double value = 0;
            for (std::size_t row = 0; row < rows; ++row) {
              if (std::isnan(stream.data->labels[row])) continue;  // never known: no loss
              const Covector a = stream.data->features(row);
              const double label = stream.loss->label(stream.data->labels[row]), p = a.dot(x);
              value += stream.loss->value(p, label);
              const double slope = stream.loss->slope(p, label);
              a.each([&](Index i, double ai) { gradient[static_cast<std::size_t>(i)] += slope * ai; });
            }
            return value;
          },
          static_cast<double>(rows)};
}

// Σ (a·x − y)² in few dimensions: its matrix is enough, whatever the number of rows.
class SummedSquares {
 public:
  explicit SummedSquares(const Stream& stream)
      : stream_(stream), n_(static_cast<std::size_t>(stream.dimension)), gram_(n_ * n_, 0.0), cross_(n_, 0.0) {}

  Objective through(std::size_t rows) {
    for (; rows_ < rows; ++rows_) {
      const Covector a = stream_.data->features(rows_);
      const double y = stream_.data->labels[rows_];
      if (std::isnan(y)) continue;
      squares_ += y * y;
      a.each([&](Index i, double ai) {
        cross_[static_cast<std::size_t>(i)] += y * ai;
        a.each([&](Index j, double aj) {
          gram_[static_cast<std::size_t>(i) * n_ + static_cast<std::size_t>(j)] += ai * aj;
        });
      });
    }
    double trace = 0;
    for (std::size_t i = 0; i < n_; ++i) trace += gram_[i * n_ + i];
    return {[this](std::span<const double> x, std::span<double> gradient) {
              double value = squares_;
              for (std::size_t i = 0; i < n_; ++i) {
                const double gx = kernels::dot(std::span(gram_).subspan(i * n_, n_), x);
                gradient[i] = 2 * (gx - cross_[i]);
                value += x[i] * (gx - 2 * cross_[i]);
              }
              return value;
            },
            std::max(1e-12, 2 * trace / static_cast<double>(n_))};
  }

 private:
  const Stream& stream_;
  std::size_t n_;
  Vec gram_, cross_;
  double squares_ = 0;
  std::size_t rows_ = 0;
};

std::vector<Interval> best_raw(const AnySet& set, const Stream& stream, const std::vector<Round>& checkpoints,
                               double gap) {
  Vec slope(static_cast<std::size_t>(stream.dimension), 0.0), b(slope.size());
  const Vec x(slope.size(), 0.0);  // the streams of experiments do not look at the decision
  std::vector<Interval> best;
  Round t = 0;
  for (Round checkpoint : checkpoints) {
    while (t < checkpoint) {
      stream.raw->slope(++t, x, b);
      kernels::blend(slope, 1, b, 1);
    }
    best.push_back(best_in_hindsight(set, slope, stream.raw->curvature * static_cast<double>(t), gap));
  }
  return best;
}

constexpr Index kGramUpTo = 1024;  // dimensions

}  // namespace

Interval minimise(const AnySet& set, const Objective& objective, Vec& x, double relative_gap, int most_steps) {
  refuse_outside(set, x);
  return Minimiser(set, objective, x).run(relative_gap, most_steps);
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

std::vector<Interval> best_at_checkpoints(const AnySet& set, const Stream& stream,
                                          const std::vector<Round>& checkpoints, double relative_gap) {
  if (stream.raw) return best_raw(set, stream, checkpoints, relative_gap);
  Vec x = start_point(set.shape());  // each checkpoint begins where the last one ended
  std::vector<Interval> best;
  const bool by_matrix = stream.loss_name == "squared" && stream.dimension <= kGramUpTo;
  std::optional<SummedSquares> squares;
  if (by_matrix) squares.emplace(stream);
  for (Round checkpoint : checkpoints)
    best.push_back(
        minimise(set, by_matrix ? squares->through(checkpoint) : summed_loss(stream, checkpoint), x, relative_gap));
  return best;
}

}  // namespace tarry::lab
