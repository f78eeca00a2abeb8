// Stays where the set starts, whatever comes: a baseline, and the learner of a block that should not learn.
#pragma once

#include <vector>

#include "tarry/geometry/shape.h"
#include "tarry/learners/learner.h"

namespace tarry {

struct LearnerEntry;

class Stay {
 public:
  explicit Stay(const Shape& shape);

  double play(Round, const Covector* features, Memo&) { return features != nullptr ? predict(*features) : 0; }
  double predict(const Covector& features) const;
  void write(std::span<double> x) const;
  void receive(Round, const Feedback&, const Memo&) {}
  void abandon(Round, const Memo&) {}
  bool revises() const { return true; }
  void revise(const Revision&, Memo&) {}
  void save(ByteWriter& out) const { out.i64(dimension()); }
  void load(ByteReader& in);
  Index dimension() const { return begin_.back(); }

 private:
  void add(const Shape& shape);

  std::vector<Start> starts_;  // of a product, one for each block
  std::vector<Index> begin_;   // block k is [begin_[k], begin_[k + 1])
};

static_assert(Learner<Stay>);

LearnerEntry stay_entry();

}  // namespace tarry
