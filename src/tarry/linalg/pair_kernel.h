// The products of a row's numbers, two by two, for every instruction set. A lane is a product: lanes never mix, so that
// all sets give the same bits as plain code.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tarry::kernels {

inline constexpr std::size_t kPairRoom = 8;  // so many numbers behind the last are read, or written, in vain

// Numbers by index, to be multiplied: of (i, j) with i ≤ j the product is at `first` + i · `stride` + j, the share
// `share` of the product itself or, where that is larger in size, of `most`.
struct PairSpec {
  std::int64_t first, stride;
  double share, most;
};
// Writes count · (count + 1)/2 of them, each number with itself and those behind it.
void multiply_pairs(const std::int64_t* indices, const double* values, std::size_t count, const PairSpec& spec,
                    std::int64_t* to, double* products);

}  // namespace tarry::kernels
