#include "tarry/linalg/gaussian.h"

#include "tarry/linalg/dense_kernels.h"
#include "tarry/linalg/parallel.h"
#include "tarry/random.h"

namespace tarry {

double fill_gaussian(std::uint64_t seed, std::uint64_t stream, std::span<double> z) {
  const Random random(seed, stream);
  parallel_chunks(static_cast<Index>(z.size()), 16384, [&](Index, Index begin, Index end) {
    for (Index i = begin; i < end; ++i) z[static_cast<std::size_t>(i)] = random.gaussian(static_cast<std::uint64_t>(i));
  });
  return kernels::sum_of_squares(z);
}

}  // namespace tarry
