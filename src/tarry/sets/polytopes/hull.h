// The convex hull of listed vertices.
#pragma once

#include <vector>

#include "tarry/sets/set.h"

namespace tarry {

struct SetEntry;

class Hull {
 public:
  explicit Hull(std::vector<Vec> vertices);
  static SetEntry entry();

  Need need() const { return Need::kDense; }
  Atom oracle(const Direction& c) const;
  Start start() const;
  double diameter() const { return diameter_; }
  bool contains(std::span<const double> x, double tolerance) const;

 private:
  std::vector<Vec> vertices_;
  double diameter_ = 0;
};

static_assert(DecisionSet<Hull>);

}  // namespace tarry
