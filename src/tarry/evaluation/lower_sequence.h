// A lower bound on a mean that holds at every time at once: look as often as you like, and stop when you like
// (docs/theory.md, 17).
//
// Terms come one after the other. Of each the least that it could be was known before; how large it could be need not
// be known. What is bounded is the mean of what the terms were expected to be, which may change from term to term.
#pragma once

#include <array>
#include <cstddef>

#include "tarry/base/bytes.h"

namespace tarry::evaluation {

enum class Effort {
  kExact,
  kQuick,  // at a tenth of the time: what a term could be at least counts as up to a fifth farther away
};

class LowerSequence {
 public:
  // One bet for each λ = 4, 2, 1, …, 2^-17: the fewer the terms, the larger the best one.
  static constexpr std::size_t kBets = 20;

  explicit LowerSequence(Effort effort = Effort::kExact) : effort_(effort) {}

  // Terms are in units in which their means are about 0 to 1. Gives what the term was guessed to be.
  double add(double term, double least);
  // A term that was added with this guess is another one after all.
  void replace(double guess, double least, double before, double after);

  // With probability 1 − alpha it is at most the mean of the expectations, after each number of terms. −∞ before any.
  double bound(double alpha) const;
  // The logarithm of what bets against this mean have won: log(1/alpha) or more refutes it.
  double log_wealth(double mean) const;

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  static constexpr double kMostQuick = 0x1p40;
  double log_wealth_at(double excess) const;  // of the sum of the terms over that of their expectations

  void charge(double c, double square);

  Effort effort_;
  double count_ = 0, sum_ = 0;
  std::array<double, kBets> cost_{};  // Σ ψ(λ) (term − guess)²; kGone: the bet could have lost more than there was
};

}  // namespace tarry::evaluation
