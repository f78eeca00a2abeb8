// Predicts what has come so far, whatever the features say: the share of each class among the labels, or the mean of
// labels that are numbers. A baseline, which every learner that looks at features should beat.
//
//   two classes: ln((k + ½)/(n − k + ½)),   more: ln(k_c + ½) for class c,   numbers: the mean
//
// A decision is linear in the features, so it needs one that is always 1: it says this in the weight of that feature,
// one for each output, and nothing in any other. Labels count when they come; rounds that are open say nothing.
#pragma once

#include "tarry/learners/learner.h"
#include "tarry/sets/any_set.h"

namespace tarry {

struct LearnerEntry;

class RunningShare {
 public:
  RunningShare(Bounds box, Index constant);  // which of a row's features is always 1, from 0

  double play(Round, const Covector* features, Memo&) { return features != nullptr ? predict(*features) : 0; }
  double predict(const Covector& features) const;
  void write(std::span<double> x) const;
  void receive(Round t, const Feedback& feedback, const Memo& memo);
  void abandon(Round, const Memo&) {}
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  Index dimension() const { return box_.dimension(); }

 private:
  double value(Index i) const;
  void predict_shares(std::size_t outputs);
  void predict_mean(const Link& link);

  Bounds box_;
  Index constant_;
  double labels_ = 0, sum_ = 0;  // how many have come, and of numbers their sum
  Vec counts_;                   // of each class
  Vec weights_;                  // of the constant feature, one for each output; none: no label has come
};

static_assert(Learner<RunningShare>);

LearnerEntry running_share_entry();

}  // namespace tarry
