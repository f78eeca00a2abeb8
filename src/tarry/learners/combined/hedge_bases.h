// Any learners as the bases of a hedge. Each gets the gradient at its own prediction where the loss is known.
#pragma once

#include <vector>

#include "tarry/learners/any_learner.h"

namespace tarry {

class SeparateBases {
 public:
  explicit SeparateBases(std::vector<AnyLearner> bases) : bases_(std::move(bases)) {}

  std::size_t size() const { return bases_.size(); }
  void play(Round t, const Covector* features, std::span<double> predictions, Memo& memo);
  void predict(const Covector& features, std::span<double> predictions) const;
  void write(std::size_t i, std::span<double> x) const { bases_[i].write(x); }
  void receive(Round t, const Feedback& feedback, std::span<const double> played, std::span<const double> memo);
  void abandon(Round t, std::span<const double> memo);
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  std::size_t instances() const;
  bool tells_classes() const;

 private:
  std::vector<AnyLearner> bases_;
};

}  // namespace tarry
