#include "tarry/geometry/atom.h"

#include <algorithm>
#include <iterator>

#include "tarry/base/contract.h"
#include "tarry/linalg/dense_kernels.h"

namespace tarry {
namespace {

constexpr std::size_t kFewNonZeros = 1024;

std::vector<Index> non_zeros(std::span<const double> x) {
  std::vector<Index> at;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i] != 0) at.push_back(static_cast<Index>(i));
  return at;
}

// Calls f(part, begin, size) for each block.
template <class F>
void each_block(const BlockAtom& atom, F f) {
  std::size_t begin = 0;
  for (std::size_t k = 0; k < atom.part.size(); ++k) {
    const auto size = static_cast<std::size_t>(atom.size[k]);
    f(atom.part[k], begin, size);
    begin += size;
  }
}

// Calls f(index, value) for each listed entry of the matrix.
template <class F>
void each_listed(const RankOne& v, F f) {
  for (std::size_t i = 0; i < v.u.size(); ++i)
    for (std::size_t j = 0; j < v.w.size(); ++j)
      f(static_cast<std::size_t>(v.rows[i] * v.width + v.cols[j]), v.scale * v.u[i] * v.w[j]);
}

// u, or w, of a rank-one matrix at one index.
double at(const RankOne& v, const Vec& x, const std::vector<Index>& where, std::size_t i) {
  if (!v.is_listed()) return x[i];
  const auto found = std::find(where.begin(), where.end(), static_cast<Index>(i));
  return found == where.end() ? 0 : x[static_cast<std::size_t>(found - where.begin())];
}

double at(const SparseAtom& v, Index i) {
  const auto found = std::lower_bound(v.at.begin(), v.at.end(), i);
  return found != v.at.end() && *found == i ? v.value[static_cast<std::size_t>(found - v.at.begin())] : 0;
}

}  // namespace

void write(const Atom& atom, std::span<double> out) {
  std::visit(Overload{[&](const SparseAtom& v) {
                        ensure(v.at.size() == v.value.size() &&
                                   (v.at.empty() || static_cast<std::size_t>(v.at.back()) < out.size()),
                               "an atom's coordinates are the decision's");
                        std::fill(out.begin(), out.end(), 0.0);
                        for (std::size_t j = 0; j < v.at.size(); ++j)
                          out[static_cast<std::size_t>(v.at[j])] = v.value[j];
                      },
                      [&](const DenseAtom& v) { std::copy(v.value.begin(), v.value.end(), out.begin()); },
                      [&](const RankOne& v) {
                        if (v.is_listed()) {
                          std::fill(out.begin(), out.end(), 0.0);
                          return each_listed(v, [&](std::size_t k, double x) { out[k] = x; });
                        }
                        std::size_t k = 0;
                        for (double u : v.u)
                          for (double w : v.w) out[k++] = v.scale * u * w;
                      },
                      [&](const BlockAtom& v) {
                        each_block(v, [&](const Atom& part, std::size_t begin, std::size_t size) {
                          write(part, out.subspan(begin, size));
                        });
                      }},
             atom.as);
}

double inner(const Atom& atom, std::span<const double> x) {
  return std::visit(Overload{[&](const SparseAtom& v) {
                               double sum = 0;
                               for (std::size_t j = 0; j < v.at.size(); ++j)
                                 sum += v.value[j] * x[static_cast<std::size_t>(v.at[j])];
                               return sum;
                             },
                             [&](const DenseAtom& v) { return kernels::dot(v.value, x); },
                             [&](const RankOne& v) {
                               double sum = 0;
                               if (v.is_listed()) {
                                 each_listed(v, [&](std::size_t k, double value) { sum += value * x[k]; });
                                 return sum;
                               }
                               for (std::size_t i = 0; i < v.u.size(); ++i)
                                 sum += v.u[i] * kernels::dot(v.w, x.subspan(i * v.w.size(), v.w.size()));
                               return v.scale * sum;
                             },
                             [&](const BlockAtom& v) {
                               double sum = 0;
                               each_block(v, [&](const Atom& part, std::size_t begin, std::size_t size) {
                                 sum += inner(part, x.subspan(begin, size));
                               });
                               return sum;
                             }},
                    atom.as);
}

double inner(const Atom& atom, const Covector& x) {
  if (!x.is_sparse()) return inner(atom, x.values());
  double sum = 0;
  std::visit(Overload{[&](const SparseAtom& v) { x.each([&](Index i, double a) { sum += a * at(v, i); }); },
                      [&](const DenseAtom& v) {
                        x.each([&](Index i, double a) { sum += a * v.value[static_cast<std::size_t>(i)]; });
                      },
                      [&](const RankOne& v) {
                        const std::size_t cols = v.matrix_cols();
                        x.each([&](Index i, double a) {
                          const auto k = static_cast<std::size_t>(i);
                          sum += a * v.scale * at(v, v.u, v.rows, k / cols) * at(v, v.w, v.cols, k % cols);
                        });
                      },
                      [&](const BlockAtom& v) {
                        each_block(v, [&](const Atom& part, std::size_t begin, std::size_t size) {
                          sum += inner(part, x.slice(static_cast<Index>(begin), static_cast<Index>(begin + size)));
                        });
                      }},
             atom.as);
  return sum;
}

void accumulate(const Atom& atom, double weight, std::span<double> x) {
  std::visit(Overload{[&](const SparseAtom& v) {
                        for (std::size_t j = 0; j < v.at.size(); ++j)
                          x[static_cast<std::size_t>(v.at[j])] += weight * v.value[j];
                      },
                      [&](const DenseAtom& v) { kernels::blend(x, 1, v.value, weight); },
                      [&](const RankOne& v) {
                        if (v.is_listed())
                          return each_listed(v, [&](std::size_t k, double value) { x[k] += weight * value; });
                        for (std::size_t i = 0; i < v.u.size(); ++i)
                          kernels::blend(x.subspan(i * v.w.size(), v.w.size()), 1, v.w, weight * v.scale * v.u[i]);
                      },
                      [&](const BlockAtom& v) {
                        each_block(v, [&](const Atom& part, std::size_t begin, std::size_t size) {
                          accumulate(part, weight, x.subspan(begin, size));
                        });
                      }},
             atom.as);
}

Atom scaled(Atom atom, double factor) {
  const auto scale = [&](Vec& x) {
    for (double& xi : x) xi *= factor;
  };
  std::visit(Overload{[&](SparseAtom& v) { scale(v.value); }, [&](DenseAtom& v) { scale(v.value); },
                      [&](RankOne& v) { v.scale *= factor; },
                      [&](BlockAtom& v) {
                        for (Atom& part : v.part) part = scaled(std::move(part), factor);
                      }},
             atom.as);
  return atom;
}

Atom shifted(const Atom& atom, std::span<const double> by) {
  if (const auto* blocks = std::get_if<BlockAtom>(&atom.as)) {
    BlockAtom moved{{}, blocks->size};
    each_block(*blocks, [&](const Atom& part, std::size_t begin, std::size_t size) {
      moved.part.push_back(shifted(part, by.subspan(begin, size)));
    });
    return {std::move(moved)};
  }
  const auto* sparse = std::get_if<SparseAtom>(&atom.as);
  std::vector<Index> support = sparse != nullptr ? non_zeros(by) : std::vector<Index>();
  if (sparse != nullptr && support.size() <= kFewNonZeros) {
    SparseAtom moved;
    std::set_union(support.begin(), support.end(), sparse->at.begin(), sparse->at.end(), std::back_inserter(moved.at));
    for (Index i : moved.at) moved.value.push_back(by[static_cast<std::size_t>(i)] + at(*sparse, i));
    return {std::move(moved)};
  }
  DenseAtom moved{Vec(by.size())};
  write(atom, moved.value);
  kernels::blend(moved.value, 1, by, 1);
  return {std::move(moved)};
}

SparseAtom as_sparse(const Atom& atom, Index dimension) {
  if (const auto* sparse = std::get_if<SparseAtom>(&atom.as)) return *sparse;
  Vec full(static_cast<std::size_t>(dimension));
  write(atom, full);
  SparseAtom listed{non_zeros(full), {}};
  for (Index i : listed.at) listed.value.push_back(full[static_cast<std::size_t>(i)]);
  return listed;
}

}  // namespace tarry
