#include "tarry/service/watch/constant_answer.h"

#include <cmath>
#include <limits>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"

namespace tarry::service {

std::optional<double> ConstantAnswer::judge(const Model& model, const LabelValue& given) {
  if (!model.loss()) return std::nullopt;
  const std::size_t outputs = model.loss()->outputs();
  if (outputs > 1) {
    counts_.resize(outputs, 1);  // each class was seen once before the first label
    constant_.scores.resize(outputs);
    for (std::size_t k = 0; k < outputs; ++k) constant_.scores[k] = tarry::log(counts_[k]);
  }
  try {
    const Model::Judged judged = model.judge(constant_, given);
    if (judged.loss == std::numeric_limits<double>::infinity()) return std::nullopt;  // a class without room
    if (outputs > 1)
      counts_[static_cast<std::size_t>(judged.label)] += 1;
    else
      follow(*model.loss(), judged.label);
    return judged.loss;
  } catch (const Error&) {  // the loss is not defined at the constant
    return std::nullopt;
  }
}

void ConstantAnswer::follow(const AnyLoss& loss, double label) {
  double& answer = constant_.prediction;
  count_ += 1;
  if (loss.of_the_error()) {
    answer += (label - answer) / count_;
    return;
  }
  const double slope = loss.slope(answer, label);
  squares_ += slope * slope;
  if (squares_ > 0) answer -= slope / std::sqrt(squares_);
}

}  // namespace tarry::service
