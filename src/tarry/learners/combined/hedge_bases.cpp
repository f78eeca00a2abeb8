#include "tarry/learners/combined/hedge_bases.h"

#include <algorithm>

#include "tarry/learners/combined/nested_memo.h"

namespace tarry {

void SeparateBases::play(Round t, const Covector* features, std::span<double> predictions, Memo& memo) {
  Memo own;
  for (std::size_t i = 0; i < bases_.size(); ++i) {
    own.clear();
    predictions[i] = bases_[i].play(t, features, own);
    put_memo(memo, own);
  }
}

void SeparateBases::predict(const Covector& features, std::span<double> predictions) const {
  for (std::size_t i = 0; i < bases_.size(); ++i) predictions[i] = bases_[i].predict(features);
}

void SeparateBases::receive(Round t, const Feedback& feedback, std::span<const double> played,
                            std::span<const double> memo) {
  if (played.empty() || feedback.known == nullptr) {
    for (AnyLearner& base : bases_) base.receive(t, feedback, take_memo(memo));
    return;
  }
  const std::size_t outputs = feedback.known->outputs();
  Vec values, slopes(outputs);
  for (std::size_t i = 0; i < bases_.size(); ++i) {
    feedback.known->slopes(played.subspan(i * outputs, outputs), slopes);
    Feedback own{.gradient = feedback.known->gradient(slopes, values), .known = feedback.known};
    if (outputs == 1) own.slope = slopes[0];
    bases_[i].receive(t, own, take_memo(memo));
  }
}

void SeparateBases::abandon(Round t, std::span<const double> memo) {
  for (AnyLearner& base : bases_) base.abandon(t, take_memo(memo));
}

std::size_t SeparateBases::instances() const {
  std::size_t all = 0;
  for (const AnyLearner& base : bases_) all += base.instances();
  return all;
}

bool SeparateBases::tells_classes() const {
  return std::all_of(bases_.begin(), bases_.end(), [](const AnyLearner& base) { return base.tells_classes(); });
}

void SeparateBases::save(ByteWriter& out) const {
  for (const AnyLearner& base : bases_) base.save(out);
}

void SeparateBases::load(ByteReader& in) {
  for (AnyLearner& base : bases_) base.load(in);
}

}  // namespace tarry
