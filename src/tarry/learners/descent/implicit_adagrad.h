// AdaGrad at several rates whose steps are taken implicitly: with the slope where the step ends, not where it begins,
// so that no step passes the label. A starts at 1, the square of a slope of size 1 at a feature of size 1: right for
// standardised features, and first steps are then no larger than the rate says (docs/theory.md, 7.9).
//
//   A_i += g_i²,   s = φ'(p − s Σ_i ρ_i a_i²/√A_i),   x_i ← clip(x_i − ρ_i s a_i/√A_i)
//
// Losses of the error count in units of the labels' deviation. As `adagrad`, it takes late feedback at its point by
// then.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tarry/learners/descent/adagrad.h"

namespace tarry {

// Of a loss of the error, what an error of one deviation costs; 1 of others.
double unit_of(const KnownLoss& known);

// As the bases of a hedge (hedge.h).
class ImplicitBases {
 public:
  // `keeps`: of the squares that steps shrink by, the share that is left after each label, one a rate; none: all of
  // them.
  ImplicitBases(Bounds box, Start start, Vec rates, Vec keeps = {});

  std::size_t size() const { return bank_.size(); }
  void play(Round, const Covector* features, std::span<double> predictions, Memo&) {
    if (features != nullptr && features->outputs() == 1) bank_.play(*features, predictions);
  }
  void predict(const Covector& features, std::span<double> predictions) const { bank_.predict(features, predictions); }
  void write(std::size_t k, std::span<double> x) const { bank_.write(k, x); }
  void receive(Round t, const Feedback& feedback, const BasesPlayed& played, std::span<const double> memo);
  // A round without a label: its target is what each base predicts by now, given that the round is still open.
  void move(const KnownLoss& open, std::span<const double> says, std::span<double> given);
  void abandon(Round, std::span<const double>) {}
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  std::optional<double> bound(const theory::Seen& seen) const;
  std::optional<double> bound(std::size_t k, const theory::Seen& seen) const;  // of one rate
  std::size_t instances() const { return bank_.size(); }
  bool tells_classes() const { return true; }

 private:
  void receive_gradient(const Covector& gradient, std::span<const double> losses);
  void move_numbers(const KnownLoss& open, std::span<const double> says, std::span<double> given);
  struct Slopes;  // by which each base is to learn
  void step_one(const KnownLoss& known, const Slopes& slopes, std::span<double> taken);
  void find_implicit(const Slopes& slopes);
  template <std::size_t kLanes>
  void find_implicit(const Slopes& slopes);
  void count_lateness(const KnownLoss& known, const BasesPlayed& played);
  void step_classes(const KnownLoss& known, const Slopes& slopes, std::span<double> taken);
  void lose_bounds();
  void fade(const Covector& features);
  void late(std::span<const double> at_play, std::size_t k, double now);

  AdagradBank bank_;
  Vec keeps_;
  std::vector<Lateness> lateness_;  // of each rate
  bool by_loss_ = false;            // whether a loss has been known
  Vec predictions_, slopes_, reach_;
};

}  // namespace tarry
