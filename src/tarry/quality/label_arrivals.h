// Whether fewer labels come than usual at this time of the week, given how many decisions there were lately: a source
// of labels that is down, or lost a part of them. More than usual is no fault. As drift_column.h, which scores shares.
#pragma once

#include <vector>

#include "tarry/quality/drift_column.h"

namespace tarry::quality {

class LabelArrivals {
 public:
  explicit LabelArrivals(std::int64_t first_ms) : first_ms_(first_ms) {}

  void came(std::int64_t wait_ms);
  // At the end of a block in which the service ran.
  ScoredSteps::Turn close(const DriftColumn::Block& block, double decisions);
  bool alarmed() const { return steps_.alarmed(); }
  std::int64_t since_ms() const { return steps_.since_ms(); }
  double expected() const { return told_expected_; }  // at the last step that was scored, and what came
  double labels() const { return told_came_; }

  void save(ByteWriter& out) const;
  static LabelArrivals load(ByteReader& in);

 private:
  struct Part {  // of a week: means over its blocks
    double blocks = 0, labels = 0, decisions = 0;
  };

  std::int64_t first_ms_, scored_ms_ = 0, from_ms_ = 0, alarm_ms_ = 0;
  std::vector<Part> parts_;
  double block_ = 0, wait_ms_ = 0, waits_ = 0;  // labels of this block; the mean wait, of so many
  double recent_ = 0, usual_ = 0;               // decisions, those of long ago counting less
  double expected_ = 0, came_ = 0;              // not scored yet
  double told_expected_ = 0, told_came_ = 0;
  ScoredSteps steps_;
};

}  // namespace tarry::quality
