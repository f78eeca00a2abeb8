// A quadratic form over part of a symmetric matrix, for every instruction set: lanes are columns and never mix, so that
// all sets give the same bits as plain code.
#pragma once

#include <cstddef>
#include <span>

namespace tarry::kernels {

// sum + Σ_ij values_i · P_ij · values_j, the entries one after the other: each with those before it, then by itself.
// `of` is the matrix from the first entry's diagonal on, in rows of `stride` numbers; `room` may be read from
// there.
struct PartOfMatrix {
  const double* of;
  std::size_t stride, room;
};
inline constexpr std::size_t kMostQuadratic = 128;  // entries
double add_quadratic(double sum, const PartOfMatrix& part, std::span<const double> values);

}  // namespace tarry::kernels
