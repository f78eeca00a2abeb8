// Vertices of linear programs by the simplex method of CLP. An answer depends on the direction alone, to the bit: not
// on what was asked before, nor by which thread.
//
// A search starts at the same feasible basis, found once, in a copy of the same prepared solver, and the vertex is
// recomputed from the last basis. The last few bases are remembered: one of them answers, or a search from the
// latest does, when that is provably where the other search would end: its basis is best by a margin, and none else
// describes its vertex.
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
    int steps;   // of the simplex method; 0 for one of the last answers again
  };
  // A vertex where ⟨c, x⟩ is least. Any thread may ask.
  Answer least(std::span<const double> c) const;
  // The same by searches only, from the stored basis or from none: to measure what each saves. The vertex that is
  // found from nowhere may be another one, where several are best.
  Answer least_by_search(std::span<const double> c) const;
  Answer least_from_nowhere(std::span<const double> c) const;

 private:
  struct Prepared;
  struct Found;
  struct Recent;
  Found search(std::span<const double> costs, const Prepared& from) const;

  std::shared_ptr<const LinearProgram> program_;
  std::shared_ptr<const Prepared> blank_, feasible_;
  std::shared_ptr<Recent> recent_;
};

}  // namespace tarry::oracles
