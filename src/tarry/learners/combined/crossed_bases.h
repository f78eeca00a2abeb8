// The bases of models that choose, for rows of an action's features and their products with a context's: Newton's
// steps, which know how sure they are, and AdaGrad with implicit steps at several rates, which go on when a stream
// changes.
#pragma once

#include "tarry/learners/descent/block_newton.h"
#include "tarry/learners/descent/implicit_adagrad.h"

namespace tarry {

class CrossedBases {
 public:
  CrossedBases(BlockNewton newton, ImplicitBases others) : newton_(std::move(newton)), others_(std::move(others)) {}

  std::size_t size() const { return 1 + others_.size(); }
  void play(Round t, const Covector* features, std::span<double> predictions, Memo& memo) {
    if (features == nullptr) return;
    predictions[0] = newton_.predict(*features);
    others_.play(t, features, predictions.subspan(1), memo);
  }
  void predict(const Covector& features, std::span<double> predictions) const;
  double doubt(const Covector& features) const;  // the deviation of a prediction, by what is known of the weights
  void write(std::size_t k, std::span<double> x) const;
  void receive(Round t, const Feedback& feedback, const BasesPlayed& played, std::span<const double> memo);
  void move(const KnownLoss& open, std::span<const double> says, std::span<double> given);
  void abandon(Round, std::span<const double>) {}
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  std::optional<double> bound(const theory::Seen&) const { return std::nullopt; }
  std::optional<double> bound(std::size_t, const theory::Seen&) const { return std::nullopt; }
  std::size_t instances() const { return size(); }
  bool tells_classes() const { return false; }

 private:
  double learn(const KnownLoss& known, double counts, double given, bool first);

  BlockNewton newton_;
  ImplicitBases others_;
};

}  // namespace tarry
