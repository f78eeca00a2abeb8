// The kernels give the same bits on every instruction set.
#include <gtest/gtest.h>

#include <optional>

#include "tarry/base/random.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/linalg/gaussian.h"
#include "unit/every_target.h"

namespace tarry::kernels {
namespace {

Vec random_entries(std::size_t n, std::uint64_t seed) {
  const Random random(seed);
  Vec x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = random.gaussian(i);
  return x;
}

// Everything that one run of all the kernels gives.
Vec all_results(std::size_t n) {
  const Vec z = random_entries(n, 1), g = random_entries(n, 2), v = random_entries(n, 3);
  Vec results = {dot(z, g), sum_of_squares(v)};
  const auto keep = [&](const Extreme& e) {
    results.push_back(static_cast<double>(e.at));
    results.push_back(e.value);
  };
  for (Need need : {Need::kMaxAbs, Need::kMin, Need::kDense}) {
    Vec p = random_entries(n, 4), c(need == Need::kDense ? n : 0);
    const SweepSums sums = sweep({.p = p, .z = z, .g = g, .c = c, .a = 0.3, .gamma_s = -0.7, .b_s = 1.1, .need = need});
    results.insert(results.end(), p.begin(), p.end());
    results.insert(results.end(), c.begin(), c.end());
    results.push_back(sums.cz);
    results.push_back(sums.zz);
    if (need == Need::kDense) continue;
    keep(sums.extreme);
    keep(extreme(g, need));
  }
  const Vec p = random_entries(n, 5);
  const SegmentSums sums = segment({p.data(), z.data(), v.data(), 0.6, 1.7}, n);
  results.push_back(sums.gap);
  results.push_back(sums.width);
  Vec blended = z;
  blend(blended, 0.4, v, 0.6);
  results.insert(results.end(), blended.begin(), blended.end());
  std::vector<float> noise(n);
  fill_gaussian(6, 0, noise);
  const Perturbed perturbed{g, noise, 0.37};
  keep(extreme(perturbed, Need::kMaxAbs));
  keep(extreme(perturbed, Need::kMin));
  Vec written(n);
  write(perturbed, written);
  results.insert(results.end(), written.begin(), written.end());
  return results;
}

TEST(Kernels, GiveTheSameBitsOnEveryInstructionSet) {
  for (std::size_t n : {1u, 7u, 8u, 9u, 33u, 1000u, 16385u}) {
    const Vec expected = all_results(n);
    on_every_target([&](const char* name) { EXPECT_TRUE(all_results(n) == expected) << name << ", n = " << n; });
  }
}

TEST(Kernels, APerturbedExtremeIsThatOfTheWrittenDirection) {
  for (std::size_t n : {1u, 7u, 8u, 9u, 100u, 16384u, 40001u})
    for (Need need : {Need::kMaxAbs, Need::kMin}) {
      const Vec g = random_entries(n, 7);
      std::vector<float> noise(n);
      fill_gaussian(8, 0, noise);
      const Perturbed perturbed{g, noise, 2.5};
      Vec c(n);
      write(perturbed, c);
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(c[i], g[i] - 2.5 * static_cast<double>(noise[i]));
      const Extreme found = extreme(perturbed, need), expected = extreme(c, need);
      EXPECT_EQ(found.at, expected.at);
      EXPECT_EQ(found.value, expected.value);
    }
}

}  // namespace
}  // namespace tarry::kernels
