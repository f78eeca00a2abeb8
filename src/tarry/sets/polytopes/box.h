// The box: lower_i ≤ x_i ≤ upper_i.
#pragma once

#include "tarry/sets/set.h"

namespace tarry {

struct SetEntry;

class Box {
 public:
  Box(Vec lower, Vec upper);
  static SetEntry entry();

  Need need() const { return Need::kDense; }
  Atom oracle(const Direction& c) const;
  Start start() const;
  double diameter() const;
  bool contains(std::span<const double> x, double tolerance) const;
  void project(std::span<double> x) const;
  Bounds bounds() const { return {lower_, upper_}; }

 private:
  Vec lower_;
  Vec upper_;
};

static_assert(DecisionSet<Box>);

}  // namespace tarry
