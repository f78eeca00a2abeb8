// What an oracle answers: an extreme point of the set, stored at the cost of its structure.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "tarry/base/bytes.h"
#include "tarry/base/overload.h"
#include "tarry/linalg/covector.h"

namespace tarry {

struct SparseAtom {  // a vertex, a path, a permutation: indices strictly ascending
  std::vector<Index> at;
  Vec value;

  bool operator==(const SparseAtom&) const = default;
};

struct DenseAtom {
  Vec value;

  bool operator==(const DenseAtom&) const = default;
};

struct RankOne {  // scale · u wᵀ, row-major
  double scale;
  Vec u;
  Vec w;
  Index width = 0;                    // the matrix's columns, where u and w are listed; 0: they are whole
  std::vector<Index> rows{}, cols{};  // where the listed entries are; zero elsewhere

  bool is_listed() const { return width > 0; }
  bool operator==(const RankOne&) const = default;
  std::size_t matrix_cols() const { return is_listed() ? static_cast<std::size_t>(width) : w.size(); }
};

struct Atom;

struct BlockAtom {  // one atom for each block of a product, in order
  std::vector<Atom> part;
  std::vector<Index> size;  // the blocks' dimensions

  bool operator==(const BlockAtom&) const = default;
};

// Owns all its numbers: it may be kept for as long as anybody likes.
struct Atom {
  std::variant<SparseAtom, DenseAtom, RankOne, BlockAtom> as;

  bool operator==(const Atom&) const = default;  // stored alike, number by number
};

// The atom as a full vector; `out` is overwritten.
void write(const Atom& atom, std::span<double> out);

// ⟨atom, x⟩.
double inner(const Atom& atom, const Covector& x);
double inner(const Atom& atom, std::span<const double> x);

// x += weight · atom.
void accumulate(const Atom& atom, double weight, std::span<double> x);
// factor · atom, of the same structure.
Atom scaled(Atom atom, double factor);
// atom + by: sparse stays sparse while `by` has few non-zeros.
Atom shifted(const Atom& atom, std::span<const double> by);
// The same point with its non-zeros listed.
SparseAtom as_sparse(const Atom& atom, Index dimension);

// The same structure, and so the same bits in every product. Loading throws Error{kCorrupt} where it does not fit.
void save_atom(const Atom& atom, ByteWriter& out);
Atom load_atom(ByteReader& in, Index dimension);

}  // namespace tarry
