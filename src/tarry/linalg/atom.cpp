#include "tarry/linalg/atom.h"

#include <algorithm>

#include "tarry/linalg/dense_kernels.h"

namespace tarry {

void write(const Atom& atom, std::span<double> out) {
  std::visit(Overload{[&](const SparseAtom& v) {
                        std::fill(out.begin(), out.end(), 0.0);
                        for (std::size_t j = 0; j < v.at.size(); ++j)
                          out[static_cast<std::size_t>(v.at[j])] = v.value[j];
                      },
                      [&](const DenseAtom& v) { std::copy(v.value.begin(), v.value.end(), out.begin()); },
                      [&](const RankOne& v) {
                        std::size_t k = 0;
                        for (double u : v.u)
                          for (double w : v.w) out[k++] = v.scale * u * w;
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
                               for (std::size_t i = 0; i < v.u.size(); ++i)
                                 sum += v.u[i] * kernels::dot(v.w, x.subspan(i * v.w.size(), v.w.size()));
                               return v.scale * sum;
                             }},
                    atom.as);
}

}  // namespace tarry
