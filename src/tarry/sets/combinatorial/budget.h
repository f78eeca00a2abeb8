// The budget: Σ x_i = total, floor_i ≤ x_i ≤ cap_i.
#pragma once

#include <optional>

#include "tarry/sets/half_space.h"
#include "tarry/sets/set.h"

namespace tarry {

struct SetEntry;

class Budget {
 public:
  Budget(double total, Vec floor, Vec cap);
  static SetEntry entry();

  Need need() const { return Need::kDense; }
  Atom oracle(const Direction& c) const;
  Start start() const;
  double diameter() const;
  bool contains(std::span<const double> x, double tolerance) const;
  std::optional<HalfSpace> separate(std::span<const double> y) const;
  void project(std::span<double> x) const;

 private:
  double total_;
  Vec floor_;
  Vec cap_;       // none above what the other floors leave of the total
  double spare_;  // total − Σ floor
};

static_assert(DecisionSet<Budget>);

}  // namespace tarry
