#include "tarry/learners/combined/hedge_bases.h"

#include <algorithm>
#include <cmath>

#include "tarry/base/error.h"
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

void SeparateBases::receive(Round t, const Feedback& feedback, const BasesPlayed& played,
                            std::span<const double> memo) {
  const KnownLoss* known = feedback.known;
  const std::size_t outputs = played.predictions.size() / bases_.size();
  Vec values, slopes(outputs);
  for (std::size_t i = 0; i < bases_.size(); ++i) {
    const auto predictions = played.predictions.subspan(i * outputs, outputs);
    Feedback own = feedback;
    own.predictions = predictions;
    own.decision = played.decisions.empty() ? std::span<const double>() : played.decisions[i];
    if (known != nullptr && outputs > 0) {
      known->slopes(predictions, slopes);
      own.gradient = known->gradient(slopes, values);
      if (outputs == 1) own.slope = slopes[0];
    }
    largest_[i] = std::max(largest_[i], own.gradient.norm());
    bases_[i].receive(t, own, take_memo(memo));
  }
}

// A base's own gradients are those that it got. A bound of 0 where there were some is a number too small to be told.
std::optional<double> SeparateBases::bound(const theory::Seen& seen) const {
  std::optional<double> least;
  for (std::size_t i = 0; i < bases_.size(); ++i) {
    if (!whole_[i]) continue;
    theory::Seen own = seen;
    own.gradient_bound = largest_[i];
    const auto one = bases_[i].bound(own);
    if (!one || !std::isfinite(*one) || (*one == 0 && largest_[i] > 0)) continue;
    least = least ? std::min(*least, *one) : *one;
  }
  return least;
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
  out.reals(largest_);
  for (const AnyLearner& base : bases_) base.save(out);
}

void SeparateBases::load(ByteReader& in) {
  largest_ = in.reals(bases_.size());
  for (AnyLearner& base : bases_) base.load(in);
}

}  // namespace tarry
