#include "tarry/linalg/quadratic_kernel.h"

#include <gtest/gtest.h>

#include <vector>

#include "tarry/base/random.h"

namespace tarry {
namespace {

// The same sums, entry by entry.
double plainly(const std::vector<double>& matrix, std::size_t stride, std::size_t first,
               const std::vector<double>& values) {
  double sum = 0;
  for (std::size_t j = 0; j < values.size(); ++j) {
    double before = 0;
    for (std::size_t i = 0; i < j; ++i) before += matrix[(first + i) * stride + first + j] * values[i];
    sum += values[j] * (2 * before + matrix[(first + j) * stride + first + j] * values[j]);
  }
  return sum;
}

TEST(QuadraticKernel, GivesTheBitsOfPlainSums) {
  RandomSequence random(3);
  constexpr std::size_t kStride = 32;
  std::vector<double> matrix(kStride * kStride);
  for (double& x : matrix) x = random.gaussian();
  for (std::size_t first : {0u, 1u, 5u})  // with room behind the last entry, and without
    for (std::size_t count = 0; first + count <= kStride; ++count) {
      std::vector<double> values(count);
      for (double& x : values) x = random.gaussian();
      const kernels::PartOfMatrix part{matrix.data() + first * (kStride + 1), kStride, kStride - first};
      EXPECT_EQ(kernels::add_quadratic(0, part, values), plainly(matrix, kStride, first, values))
          << first << ' ' << count;
    }
}

}  // namespace
}  // namespace tarry
