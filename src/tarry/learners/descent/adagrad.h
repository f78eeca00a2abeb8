// AdaGrad over a box, every coordinate with its own step, at several rates side by side: the states that one feature
// touches lie together, so that eight learners cost little more than one. (McMahan, Streeter 2010; Duchi, Hazan, Singer
// 2011.)
//
//   A_i += g_i²,   x_i ← clip(x_i − ρ_i g_i/√A_i)
//
// Where the loss is known, each takes late feedback's gradient at its point by then, as if the round were played
// only now: lateness costs how far it has moved meanwhile, and no step overshoots because many were outstanding
// (docs/theory.md).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "tarry/learners/bases.h"
#include "tarry/learners/descent/played_row.h"
#include "tarry/learners/lateness.h"
#include "tarry/learners/learner.h"
#include "tarry/linalg/adagrad_kernels.h"
#include "tarry/linalg/sparse/coordinate_numbers.h"
#include "tarry/sets/any_set.h"

namespace tarry {

struct LearnerEntry;

class AdagradBank {
 public:
  // A rate ρ is a multiple of min(half-width, 1) of each coordinate: 1 is the natural size of a weight where features
  // and predictions are of size 1, and a box much larger than that is only there as a guard.
  // `first`: A before any gradient; nearly nothing, so that a first step has its full size, unless it is given.
  AdagradBank(Bounds box, Start start, Vec rates, double first = kNothing);
  AdagradBank(Bounds box, const Vec& start, Vec rates)
      : AdagradBank(std::move(box), Start{static_cast<Index>(start.size()), 0, start}, std::move(rates)) {}

  Index dimension() const { return box_.dimension(); }
  std::size_t size() const { return rates_.size(); }
  void predict(const Covector& features, std::span<double> predictions) const;
  // The same of a row that is played: it is remembered, for a label that comes before anything else is learnt.
  void play(const Covector& features, std::span<double> predictions);
  void write(std::size_t k, std::span<double> x) const;
  // Learner k gets slopes[k] · features.
  void learn(const Covector& features, std::span<const double> slopes) {
    look_up(features);
    learn_row(features, slopes);
  }
  // The same in two steps, between which the row may be predicted: its coordinates are looked up once.
  void look_up(const Covector& features);
  void predict_row(const Covector& features, std::span<double> predictions) const;
  void learn_row(const Covector& features, std::span<const double> slopes);
  // Again in two halves: first A, which says how far a slope of 1 moves each prediction of the row; then the step,
  // with the slopes that it is taken with after all.
  void grow_row(const Covector& features, std::span<const double> slopes, std::span<double> reach);
  // Of the row that was looked up, forgets 1 − keeps[k] of what A has grown by, so that steps no longer shrink for
  // good.
  void fade_row(std::span<const double> keeps);
  void step_row(const Covector& features, std::span<const double> slopes);
  // Theorem 7.7 for the learners from `first` on, as many as there is room for, without what lateness costs.
  void write_bounds(double rounds, std::size_t first, std::span<double> bounds) const;
  double bound(std::size_t k, double rounds) const {
    double one = 0;
    write_bounds(rounds, k, {&one, 1});
    return one;
  }
  double diameter() const { return box_.diameter(); }

  void save(ByteWriter& out) const;
  void load(ByteReader& in) {
    played_.forget();
    state_.load(in);
  }

 private:
  static constexpr double kNothing = 1e-300;
  kernels::AdagradLimits limits(Index i) const;
  // x of a coordinate at every rate, then A at every rate, as they are before any gradient has come.
  void begin(Index i, double* x) const;
  double start(Index i) const { return start_.values.empty() ? start_.everywhere : start_.values[std::size_t(i)]; }
  void predict_eight(const Covector& features, double* predictions) const;
  void find(const Covector& features, std::size_t begin, std::span<const double*> at) const;
  void changes();  // what was predicted is no more
  bool is_changed(Index i, const double* x) const;

  // Eight rates and bounds that are the same everywhere: what real streams have.
  bool fits_the_kernels() const { return size() == kernels::kAdagradRates && box_.uniform(); }
  bool predicts_by_kernels() const { return fits_the_kernels() && start_.values.empty(); }

  Bounds box_;
  Start start_;
  Vec rates_;
  double first_;
  std::array<double, 2 * kernels::kAdagradRates> untouched_;  // of any other coordinate, where all start alike
  CoordinateNumbers state_;                                   // of the coordinates that gradients have touched
  std::vector<double*> row_;      // where they are for the row that was looked up; null where its value is 0
  UnfilledVector<double> roots_;  // √A of that row, once it has grown
  bool grown_ = false;
  PlayedRow played_;
  bool same_ = false;  // whether the row that was looked up is that one
};

// The bank as the bases of a hedge (bases.h).
class AdagradBases {
 public:
  explicit AdagradBases(AdagradBank bank)
      : bank_(std::move(bank)), lateness_(bank_.size()), slopes_(bank_.size()), values_(bank_.size()) {}

  std::size_t size() const { return bank_.size(); }
  void play(Round, const Covector* features, std::span<double> predictions, Memo&) {
    if (features != nullptr && features->outputs() == 1) bank_.play(*features, predictions);
  }
  void predict(const Covector& features, std::span<double> predictions) const { bank_.predict(features, predictions); }
  void write(std::size_t k, std::span<double> x) const { bank_.write(k, x); }
  void receive(Round t, const Feedback& feedback, const BasesPlayed& played, std::span<const double> memo);
  void abandon(Round, std::span<const double>) {}
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  std::optional<double> bound(const theory::Seen& seen) const;
  double diameter() const { return bank_.diameter(); }
  Index dimension() const { return bank_.dimension(); }
  std::size_t instances() const { return bank_.size(); }
  bool tells_classes() const { return true; }

 private:
  void receive_classes(const KnownLoss& known, std::span<const double> losses);
  void count_lateness(const KnownLoss& known, const BasesPlayed& played);
  // `now`: each rate's loss at its point.
  void late(std::span<const double> at_play, std::size_t k, double now);

  AdagradBank bank_;
  std::vector<Lateness> lateness_;  // of each rate
  bool by_loss_ = false;            // whether a loss has been known
  Vec slopes_, values_;
};

// One rate of it, as a learner.
class Adagrad {
 public:
  Adagrad(Bounds box, Start start, double rate) : bases_(AdagradBank(std::move(box), std::move(start), {rate})) {}
  Adagrad(Bounds box, const Vec& start, double rate) : bases_(AdagradBank(std::move(box), start, {rate})) {}

  double play(Round, const Covector* features, Memo& memo);
  double predict(const Covector& features) const;
  void write(std::span<double> x) const { bases_.write(0, x); }
  void receive(Round t, const Feedback& feedback, const Memo& memo);
  void abandon(Round, const Memo&) { outstanding_ -= 1; }
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  std::optional<double> bound(const theory::Seen& seen) const;
  Index dimension() const { return bases_.dimension(); }

 private:
  AdagradBases bases_;
  double received_ = 0, outstanding_ = 0;
};

static_assert(Learner<Adagrad>);

LearnerEntry adagrad_entry();

}  // namespace tarry
