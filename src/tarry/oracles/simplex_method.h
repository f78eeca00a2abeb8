// Vertices of linear programs by the simplex method of CLP, from one stored basis.
//
// Each question starts at the same feasible basis, found once, in a copy of the same prepared solver: the answer
// depends on the direction alone, not on what was asked before or by which thread. The vertex is computed from the
// final basis anew, so that its digits are not those of a solver's running sums.
#pragma once

#include <memory>
#include <span>

#include "tarry/oracles/linear_program.h"

namespace tarry::oracles {

class SimplexMethod {
 public:
  // Throws Error{kBadSpec}, in the name of `who`, where no x satisfies the program.
  SimplexMethod(std::shared_ptr<const LinearProgram> program, const std::string& who);

  struct Answer {
    bool bounded;
    Vec vertex;  // where bounded
    int steps;
  };
  // A vertex where ⟨c, x⟩ is least. Any thread may ask.
  Answer least(std::span<const double> c) const;
  // The same without the stored basis: what starting anew would cost.
  Answer least_from_scratch(std::span<const double> c) const;

 private:
  struct Prepared;
  Answer solve(std::span<const double> c, const Prepared& from) const;

  std::shared_ptr<const LinearProgram> program_;
  std::shared_ptr<const Prepared> blank_, feasible_;
};

}  // namespace tarry::oracles
