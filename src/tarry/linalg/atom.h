// What an oracle answers: an extreme point of the set, stored at the cost of its structure.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "tarry/linalg/covector.h"

namespace tarry {

struct SparseAtom {  // a vertex, a path, a permutation: indices strictly ascending
  std::vector<Index> at;
  Vec value;
};

struct DenseAtom {
  Vec value;
};

struct RankOne {  // scale · u wᵀ, row-major
  double scale;
  Vec u;
  Vec w;
};

struct Atom {
  std::variant<SparseAtom, DenseAtom, RankOne> as;
};

// The atom as a full vector; `out` is overwritten.
void write(const Atom& atom, std::span<double> out);

// ⟨atom, x⟩ for a dense x.
double inner(const Atom& atom, std::span<const double> x);

template <class... F>
struct Overload : F... {
  using F::operator()...;
};
template <class... F>
Overload(F...) -> Overload<F...>;

}  // namespace tarry
