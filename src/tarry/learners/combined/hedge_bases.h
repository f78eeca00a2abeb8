// Any learners as the bases of a hedge. Each gets the gradient at its own prediction where the loss is known.
#pragma once

#include <vector>

#include "tarry/learners/any_learner.h"
#include "tarry/learners/combined/hedge.h"

namespace tarry {

class SeparateBases {
 public:
  // `whole`: which of them play on the whole set, so that a bound of theirs is one for it; nothing: all.
  explicit SeparateBases(std::vector<AnyLearner> bases, std::vector<bool> whole = {})
      : bases_(std::move(bases)), whole_(std::move(whole)), largest_(bases_.size(), 0.0) {
    whole_.resize(bases_.size(), whole_.empty());
  }

  std::size_t size() const { return bases_.size(); }
  void play(Round t, const Covector* features, std::span<double> predictions, Memo& memo);
  void predict(const Covector& features, std::span<double> predictions) const;
  void write(std::size_t i, std::span<double> x) const { bases_[i].write(x); }
  void receive(Round t, const Feedback& feedback, const BasesPlayed& played, std::span<const double> memo);
  void abandon(Round t, std::span<const double> memo);
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  std::optional<double> bound(const theory::Seen& seen) const;
  std::size_t instances() const;
  bool tells_classes() const;

 private:
  std::vector<AnyLearner> bases_;
  std::vector<bool> whole_;
  Vec largest_;  // gradient that each base got
};

}  // namespace tarry
