// What an answer that never looks at features would lose on the same labels: the mean of the labels so far for losses
// of the error alone, the classes' shares so far for classes, and for other losses a number that follows their slopes.
// Each label is judged before it is learnt, as the model's own predictions are.
#pragma once

#include <cstdint>
#include <optional>

#include "tarry/model/model.h"

namespace tarry::service {

class ConstantAnswer {
 public:
  // The loss of the constant at this label; nothing where the model has no loss or the label cannot be read.
  std::optional<double> judge(const Model& model, const LabelValue& label);

  template <class F>
  void fields(F& f) {
    f(constant_.prediction, constant_.scores, count_, squares_, counts_);
  }

 private:
  void follow(const AnyLoss& loss, double label);

  Model::Outcome constant_{.answer = Answer::kApplied};  // as if the model had answered it
  double count_ = 0;
  double squares_ = 0;  // of slopes
  Vec counts_;          // of the classes
};

}  // namespace tarry::service
