// Follow the regularised leader in every coordinate of a box by itself, for losses that are curved in the prediction
// (β = 2 for the squared loss): each gradient becomes a parabola, and a coordinate plays the lowest point of their
// sum. With one feature a round, as a user or an item has in a rating, that is a shrunken mean of what was asked of it.
// Not in the paper; docs/theory.md.
//
//   H_i = prior + Σ β a_i²,   S_i = Σ (β a_i² (x_{k,i} − c_i) − g_i),   x_i = clip(c_i + S_i/H_i)
//
// Where the loss is known, late feedback's gradient is taken at the learner's point by then: x_k is the x of now.
#pragma once

#include "tarry/learners/learner.h"
#include "tarry/linalg/sparse/coordinate_numbers.h"
#include "tarry/sets/any_set.h"

namespace tarry {

struct LearnerEntry;

class BoxFtrlSc {
 public:
  BoxFtrlSc(Bounds box, double beta, double prior);

  double play(Round t, const Covector* features, Memo& memo);
  double predict(const Covector& features) const;
  void write(std::span<double> x) const;
  void receive(Round t, const Feedback& feedback, const Memo& memo);
  void abandon(Round, const Memo&) {}
  bool revises() const { return true; }
  void settle(Round t, const Feedback& feedback, Memo& memo);
  void revise(const Revision& revision, Memo& memo);
  void save(ByteWriter& out) const { sums_.save(out); }
  void load(ByteReader& in) { sums_.load(in); }
  Index dimension() const { return box_.dimension(); }

 private:
  double value(Index i) const;
  void learn(Index i, double feature, double gradient, double at);

  Bounds box_;
  double beta_, prior_;
  CoordinateNumbers sums_;  // of each coordinate H − prior and S; those not touched are at their centres
};

static_assert(Learner<BoxFtrlSc>);

LearnerEntry box_ftrl_sc_entry();

}  // namespace tarry
