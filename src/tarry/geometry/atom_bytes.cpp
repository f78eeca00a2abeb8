// Atoms as bytes.
#include <algorithm>

#include "tarry/base/error.h"
#include "tarry/geometry/atom.h"

namespace tarry {
namespace {

void check(bool good) {
  if (!good) throw Error(Code::kCorrupt, "snapshot: an atom does not fit the set's dimension");
}

// Strictly ascending, in [0, end), one for each of `count` values.
void check_places(const std::vector<Index>& at, std::size_t count, Index end) {
  check(at.size() == count);
  for (std::size_t j = 0; j < at.size(); ++j) check(at[j] >= 0 && at[j] < end && (j == 0 || at[j] > at[j - 1]));
}

SparseAtom load_sparse(ByteReader& in, Index dimension) {
  SparseAtom v{in.integers(), in.reals()};
  check_places(v.at, v.value.size(), dimension);
  return v;
}

DenseAtom load_dense(ByteReader& in, Index dimension) {
  DenseAtom v{in.reals()};
  check(static_cast<Index>(v.value.size()) == dimension);
  return v;
}

RankOne load_rank_one(ByteReader& in, Index dimension) {
  RankOne v{in.f64(), in.reals(), in.reals(), in.i64(), in.integers(), in.integers()};
  const auto rows = static_cast<Index>(v.u.size()), cols = static_cast<Index>(v.w.size());
  if (v.is_listed()) {
    check(v.width <= dimension && dimension % v.width == 0);
    check_places(v.rows, v.u.size(), dimension / v.width);
    check_places(v.cols, v.w.size(), v.width);
  } else {
    check(v.width == 0 && cols > 0 && dimension % cols == 0 && rows == dimension / cols);
  }
  return v;
}

BlockAtom load_blocks(ByteReader& in, Index dimension) {
  BlockAtom v{{}, in.integers()};
  for (const Index size : v.size) {
    check(size > 0 && size <= dimension);
    dimension -= size;
    v.part.push_back(load_atom(in, size));
  }
  check(dimension == 0);
  return v;
}

}  // namespace

void save_atom(const Atom& atom, ByteWriter& out) {
  out.u64(atom.as.index());
  std::visit(Overload{[&](const SparseAtom& v) {
                        out.integers(v.at);
                        out.reals(v.value);
                      },
                      [&](const DenseAtom& v) { out.reals(v.value); },
                      [&](const RankOne& v) {
                        out.f64(v.scale);
                        out.reals(v.u);
                        out.reals(v.w);
                        out.i64(v.width);
                        out.integers(v.rows);
                        out.integers(v.cols);
                      },
                      [&](const BlockAtom& v) {
                        out.integers(v.size);
                        for (const Atom& part : v.part) save_atom(part, out);
                      }},
             atom.as);
}

Atom load_atom(ByteReader& in, Index dimension) {
  switch (in.u64()) {
    case 0:
      return {load_sparse(in, dimension)};
    case 1:
      return {load_dense(in, dimension)};
    case 2:
      return {load_rank_one(in, dimension)};
    case 3:
      return {load_blocks(in, dimension)};
    default:
      throw Error(Code::kCorrupt, "snapshot: an atom is of an unknown kind");
  }
}

}  // namespace tarry
