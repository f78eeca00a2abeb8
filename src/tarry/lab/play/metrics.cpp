#include "tarry/lab/play/metrics.h"

#include <algorithm>
#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/losses/classification.h"

namespace tarry::lab {

void Metrics::add(const RoundPlayed& round) {
  if (!round.judged) return;
  count_ += 1;
  const double y = round.label;
  const double p = ratings_ && kind_ == Measure::kError ? ratings_->clip(round.prediction) : round.prediction;
  switch (kind_) {
    case Measure::kNone:
      return;
    case Measure::kError:
      squares_ += (p - y) * (p - y);
      absolute_ += std::fabs(p - y);
      return;
    case Measure::kMargin:
      log_loss_ += LogisticLoss{}.value(p, y);
      hits_ += (p > 0) == (y > 0) ? 1 : 0;
      scores_.emplace_back(static_cast<float>(p), y > 0);
      return;
    case Measure::kClasses:
      log_loss_ += round.loss;
      hits_ += p == y ? 1 : 0;
      return;
    case Measure::kWealth:
      log_wealth_ += tarry::log(p);
      return;
    case Measure::kGain:
      gain_ -= round.loss;
      return;
  }
}

// The chance that a positive example scores above a negative one, ties counting half (Mann, Whitney 1947).
double Metrics::auc() const {
  const auto middle = scores_.begin() + static_cast<std::ptrdiff_t>(sorted_);
  std::sort(middle, scores_.end());
  std::inplace_merge(scores_.begin(), middle, scores_.end());
  sorted_ = scores_.size();
  const auto& sorted = scores_;
  double positives = 0, negatives = 0, pairs = 0;
  for (std::size_t i = 0; i < sorted.size();) {
    double tied_positive = 0, tied_negative = 0;
    const float score = sorted[i].first;
    for (; i < sorted.size() && sorted[i].first == score; ++i) (sorted[i].second ? tied_positive : tied_negative) += 1;
    pairs += tied_positive * (negatives + tied_negative / 2);
    positives += tied_positive;
    negatives += tied_negative;
  }
  return positives > 0 && negatives > 0 ? pairs / (positives * negatives) : 0.5;
}

std::map<std::string, double> Metrics::values() const {
  switch (kind_) {
    case Measure::kError:
      return {{"rmse", std::sqrt(squares_ / count_)}, {"mae", absolute_ / count_}};
    case Measure::kMargin:
      return {{"log_loss", log_loss_ / count_}, {"accuracy", hits_ / count_}, {"auc", auc()}};
    case Measure::kClasses:
      return {{"log_loss", log_loss_ / count_}, {"accuracy", hits_ / count_}};
    case Measure::kWealth:
      return {{"wealth", tarry::exp(log_wealth_)}};
    case Measure::kGain:
      return {{"gain", gain_ / count_}};
    case Measure::kNone:
      break;
  }
  return {};
}

}  // namespace tarry::lab
