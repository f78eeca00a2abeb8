// The product of sets: each block of the decision is in its own set, and costs what its own structure costs.
#pragma once

#include <optional>
#include <vector>

#include "tarry/sets/any_set.h"

namespace tarry {

struct SetEntry;

class Product {
 public:
  explicit Product(std::vector<AnySet> parts);
  static SetEntry entry();

  Need need() const { return Need::kBlocks; }
  Shape shape() const;
  Atom oracle(const Direction& c) const;
  Start start() const;
  double diameter() const;
  bool contains(std::span<const double> x, double tolerance) const;
  std::optional<Inscribed> inscribed() const;  // where every part has one
  SparseAtom without_cycles(SparseAtom v) const;
  bool can_project() const;
  void project(std::span<double> x) const;
  bool can_separate() const;
  std::optional<HalfSpace> separate(std::span<const double> y) const;  // of the block that is furthest outside
  Start centre() const;
  const std::vector<AnySet>& parts() const { return parts_; }

 private:
  std::vector<AnySet> parts_;
  std::vector<Index> sizes_;
  Index dimension_ = 0;
};

static_assert(DecisionSet<Product>);

}  // namespace tarry
