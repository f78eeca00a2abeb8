// Boosted trees that follow a stream of labels: the last 2^16 rows are kept, and whenever there are an eighth more of
// them than at the last time (a quarter more once there are many, where it costs more), new trees are grown on all of
// them, a little with each label that comes. Until they are ready, those before them predict.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "tarry/base/bytes.h"
#include "tarry/trees/ensemble.h"
#include "tarry/trees/kept_rows.h"
#include "tarry/trees/training.h"

namespace tarry::trees {

class BoostedTrees {
 public:
  static constexpr std::uint64_t kMostRows = std::uint64_t{1} << 16;
  static constexpr std::uint64_t kFirst = 200;  // labels, before there are trees
  static constexpr std::uint64_t kFew = 4096;   // rows

  explicit BoostedTrees(Fits fits) : fits_(fits) {}

  bool ready() const { return ensemble_.has_value(); }
  // Only if ready(), and for a row that KeptRows::fits.
  double predict(std::span<const std::int64_t> slots, std::span<const double> values) const {
    return ensemble_->predict(slots, values);
  }
  void learn(std::span<const std::int64_t> slots, std::span<const double> values, double label);

  std::uint64_t labels() const { return kept_.end(); }
  const std::optional<Training>& training() const { return training_; }

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  void finish();

  Fits fits_;
  KeptRows kept_;
  std::uint64_t next_ = kFirst;  // labels, when trees are grown again
  std::optional<Ensemble> ensemble_;
  std::optional<Training> training_;
  std::uint64_t worked_ = 0;  // labels that training_ has had
};

}  // namespace tarry::trees
