// The group ball: the sum over groups of the groups' p-norms ≤ radius.
#pragma once

#include <optional>
#include <vector>

#include "tarry/sets/half_space.h"
#include "tarry/sets/set.h"

namespace tarry {

struct SetEntry;

class GroupBall {
 public:
  GroupBall(std::vector<std::vector<Index>> groups, double p, double radius);
  static SetEntry entry();

  Need need() const { return Need::kDense; }
  Atom oracle(const Direction& c) const;
  Start start() const { return {dimension_, 0, {}}; }
  double diameter() const;
  bool contains(std::span<const double> x, double tolerance) const;
  Inscribed inscribed() const;
  std::optional<HalfSpace> separate(std::span<const double> y) const;

 private:
  double dual_norm(const std::vector<Index>& group, std::span<const double> c, Vec& scratch) const;

  std::vector<std::vector<Index>> groups_;  // a partition of 0 .. n − 1, each ascending
  double p_;
  double radius_;
  Index dimension_;
};

static_assert(DecisionSet<GroupBall>);

}  // namespace tarry
