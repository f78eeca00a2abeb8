#include "tarry/linalg/power_sum.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tarry/base/random.h"
#include "tarry/linalg/norms.h"

namespace tarry {
namespace {

constexpr Index kDimension = 5000;  // several blocks, the last one short

void expect_norm(const PowerSum& sum, const Vec& x, double q) {
  const double expected = norm(x, q);
  ASSERT_NEAR(sum.norm(), expected, 1e-9 * expected);
  if (expected == 0) {
    ASSERT_EQ(sum.power_factor(), 0);
    return;
  }
  for (Index i : {Index{0}, Index{1023}, Index{1024}, kDimension - 1}) {
    const double xi = x[static_cast<std::size_t>(i)];
    const double power = std::copysign(std::pow(std::fabs(xi) / expected, q - 1), xi);
    ASSERT_NEAR(sum.power(i) * sum.power_factor(), power, 1e-9);
  }
}

// Random coordinates rise, fall and vanish, over many orders of magnitude.
TEST(PowerSum, KeepsTheNormOfWhatIsLeft) {
  for (double q : {2.0, 3.0, 21.0, 300.0}) {
    RandomSequence random(3);
    PowerSum sum(kDimension, q);
    Vec x(kDimension, 0.0);
    for (int step = 0; step < 3000; ++step) {
      std::vector<Index> at;
      Vec change;
      Index i = static_cast<Index>(random.below(2)) * 1023;
      for (; i < kDimension; i += 1 + static_cast<Index>(random.below(2000))) {
        const double xi = x[static_cast<std::size_t>(i)];
        const double kind = random.uniform();
        const double size = std::pow(10.0, random.uniform(-12, 6));
        at.push_back(i);
        change.push_back(kind < 0.3 ? -xi : kind < 0.5 ? -0.9 * xi : size * random.gaussian());
        x[static_cast<std::size_t>(i)] += change.back();
      }
      sum.add(Covector::sparse(at, change));
      if (step % 100 == 99) {  // all but nothing is left
        Vec all = x;
        for (double& a : all) a *= -1 + 1e-9;
        for (std::size_t j = 0; j < x.size(); ++j) x[j] += all[j];
        sum.add(Covector::dense(all));
      }
      SCOPED_TRACE(testing::Message() << "q " << q << ", step " << step);
      ASSERT_NO_FATAL_FAILURE(expect_norm(sum, x, q));
    }
  }
}

TEST(PowerSum, ForgetsALargePast) {
  for (double q : {2.0, 21.0, 2000.0})
    for (double peak : {1e3, 1e60, 1e150}) {
      PowerSum sum(kDimension, q);
      const std::vector<Index> one = {7}, other = {4097};
      sum.add(Covector::sparse(one, Vec{peak}));
      sum.add(Covector::sparse(other, Vec{0.5}));
      EXPECT_NEAR(sum.norm(), norm(Vec{peak, 0.5}, q), 1e-9 * peak);
      sum.add(Covector::sparse(one, Vec{-peak}));
      EXPECT_NEAR(sum.norm(), 0.5, 1e-10) << "q " << q << ", peak " << peak;
      sum.add(Covector::sparse(other, Vec{-0.5}));
      EXPECT_EQ(sum.power_factor(), 0);
    }
}

}  // namespace
}  // namespace tarry
