// Progressive metrics: each prediction is judged by its own label, whenever the learner got to see it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tarry/data/formats/ratings.h"
#include "tarry/lab/world/world.h"
#include "tarry/losses/registry.h"

namespace tarry::lab {

class Metrics {
 public:
  explicit Metrics(Measure kind, std::shared_ptr<const data::RatingSpace> ratings = nullptr)
      : kind_(kind), ratings_(std::move(ratings)) {}

  void add(const RoundPlayed& round);
  // By name, so far: rmse and mae, or log_loss, accuracy and auc (no auc for several classes, whose log_loss has the
  // loss's class weights), wealth or gain; none where there is no table. Means over nothing are NaN.
  std::map<std::string, double> values() const;

 private:
  double auc() const;

  Measure kind_;
  std::shared_ptr<const data::RatingSpace> ratings_;  // predictions of ratings are judged as they are shown: clipped
  double count_ = 0;
  double squares_ = 0, absolute_ = 0;
  double log_loss_ = 0, hits_ = 0;
  double log_wealth_ = 0;
  double gain_ = 0;
  // Of classification: margin, and whether the label was positive. The first `sorted_` are in order.
  mutable std::vector<std::pair<float, bool>> scores_;
  mutable std::size_t sorted_ = 0;
};

}  // namespace tarry::lab
