#include "tarry/service/watch/constant_answer.h"

#include <algorithm>
#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"

namespace tarry::service {
namespace {

// A label as a number, or as the number of its class.
std::optional<double> number_of(const Model& model, const LabelValue& label) {
  if (model.names_classes()) {
    const auto& names = model.class_names();
    const auto at = std::find(names.begin(), names.end(), LabelReader::name_of(label));
    if (at == names.end()) return std::nullopt;
    return static_cast<double>(at - names.begin());
  }
  if (const auto* number = std::get_if<double>(&label)) return model.loss()->label(*number);
  if (const auto* truth = std::get_if<bool>(&label)) return model.loss()->label(*truth ? 1.0 : 0.0);
  return std::nullopt;
}

}  // namespace

std::optional<double> ConstantAnswer::judge(const Model& model, const LabelValue& given) {
  if (!model.loss()) return std::nullopt;
  try {
    const std::optional<double> label = number_of(model, given);
    if (!label) return std::nullopt;
    return model.loss()->outputs() > 1 ? of_classes(*model.loss(), static_cast<std::size_t>(*label))
                                       : of_one(*model.loss(), *label);
  } catch (const Error&) {  // the loss is not defined where the constant stands
    return std::nullopt;
  }
}

double ConstantAnswer::of_one(const AnyLoss& loss, double label) {
  const double lost = loss.value(answer_, label);
  count_ += 1;
  if (loss.of_the_error()) {
    answer_ += (label - answer_) / count_;
    return lost;
  }
  const double slope = loss.slope(answer_, label);
  squares_ += slope * slope;
  if (squares_ > 0) answer_ -= slope / std::sqrt(squares_);
  return lost;
}

double ConstantAnswer::of_classes(const AnyLoss& loss, std::size_t label) {
  counts_.resize(loss.outputs(), 1);  // each class was seen once before the first label
  scores_.resize(loss.outputs());
  for (std::size_t k = 0; k < counts_.size(); ++k) scores_[k] = tarry::log(counts_[k]);
  const double lost = loss.value(scores_, static_cast<double>(label));
  counts_.at(label) += 1;
  return lost;
}

}  // namespace tarry::service
