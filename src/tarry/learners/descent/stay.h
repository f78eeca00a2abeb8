// Stays where the set starts, whatever comes: a baseline, and the learner of a block that shall not learn.
#pragma once

#include "tarry/geometry/shape.h"
#include "tarry/learners/learner.h"

namespace tarry {

struct LearnerEntry;

class Stay {
 public:
  explicit Stay(Start start) : start_(std::move(start)) {}

  double play(Round, const Covector* features, Memo&) { return features != nullptr ? predict(*features) : 0; }
  double predict(const Covector& features) const;
  void write(std::span<double> x) const;
  void receive(Round, const Feedback&, const Memo&) {}
  void abandon(Round, const Memo&) {}
  void save(ByteWriter& out) const { out.i64(start_.dimension); }
  void load(ByteReader& in);

 private:
  Start start_;
};

static_assert(Learner<Stay>);

LearnerEntry stay_entry();

}  // namespace tarry
