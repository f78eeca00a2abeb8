// A bounded polytope: row_lower ≤ A x ≤ row_upper and lower ≤ x ≤ upper; its oracle is a linear program.
#pragma once

#include <memory>

#include "tarry/oracles/simplex_method.h"
#include "tarry/sets/set.h"

namespace tarry {
struct SetEntry;
}

namespace tarry::oracles {

class Polytope {
 public:
  // Throws Error{kBadSpec} for a program that is empty, unbounded or malformed, with the reason.
  explicit Polytope(LinearProgram program);
  static SetEntry entry();

  Need need() const { return Need::kDense; }
  Atom oracle(const Direction& c) const;
  Start start() const { return {static_cast<Index>(start_.size()), 0, start_}; }
  double diameter() const { return diameter_; }
  bool contains(std::span<const double> x, double tolerance) const;

  const SimplexMethod& method() const { return method_; }

 private:
  void measure();
  Vec bounded_vertex(std::span<const double> c, const std::string& what) const;

  std::shared_ptr<const LinearProgram> program_;
  SimplexMethod method_;
  Vec low_, high_;  // no coordinate is beyond them
  Vec row_size_;    // Σ_j |a_ij| · the largest |x_j|: what an error of row i is measured against
  Vec start_;
  double diameter_ = 0;
};

static_assert(DecisionSet<Polytope>);

}  // namespace tarry::oracles
