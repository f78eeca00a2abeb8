#include "tarry/learners/descent/implicit_searches.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "tarry/base/random.h"
#include "tarry/losses/classification.h"
#include "unit/every_target.h"

namespace tarry {
namespace {

constexpr double kLittle = 0.03;

// One step at a time, by the general search.
double searched(const LogisticLoss& loss, double prediction, double reach, double label, double first) {
  ImplicitSearches<1> search({first}, {std::fabs(first * reach) <= kLittle ? 0.0 : 1.0});
  search.run([&](const std::array<double, 1>& asked) {
    return std::array<double, 1>{loss.slope(prediction - asked[0] * reach, label)};
  });
  return search.found()[0];
}

TEST(ImplicitSearches, LogisticStepsFoundTogetherHaveTheBitsOfOneByOne) {
  RandomSequence random(7);
  on_every_target([&](const char* name) {
    for (int round = 0; round < 400; ++round) {
      const LogisticLoss loss{round % 3 == 0 ? 2.5 : 1};
      const double label = round % 2 == 0 ? 1 : -1;
      std::vector<double> predictions, reach, slopes;
      for (int k = 0; k < 1 + round % 19; ++k) {
        predictions.push_back(random.uniform(-6, 6) * (k % 7 == 6 ? 1e3 : 1));
        reach.push_back(std::exp(random.uniform(-7, 7)));
        if (k % 11 == 10) reach.back() = std::numeric_limits<double>::infinity();
        slopes.push_back(k % 13 == 12 ? 0 : loss.slope(predictions.back(), label));
      }
      const std::vector<double> first = slopes;
      loss.implicit_each({predictions, reach, kLittle}, label, slopes);
      for (std::size_t k = 0; k < slopes.size(); ++k) {
        const double alone = searched(loss, predictions[k], reach[k], label, first[k]);
        ASSERT_EQ(std::bit_cast<std::uint64_t>(slopes[k]), std::bit_cast<std::uint64_t>(alone))
            << name << ": " << predictions[k] << ", reach " << reach[k] << ", label " << label;
      }
    }
  });
}

// Any slope from that of the whole step to the first is covered by the theorem: none overshoots.
TEST(ImplicitSearches, FindASlopeNoSmallerThanTheTrueOne) {
  const LogisticLoss loss;
  for (const double reach : {0.5, 4.0, 60.0}) {
    std::vector<double> slopes = {loss.slope(-1, 1)}, predictions = {-1}, reaches = {reach};
    loss.implicit_each({predictions, reaches, kLittle}, 1, slopes);
    const double at_its_end = loss.slope(-1 - slopes[0] * reach, 1);
    EXPECT_GE(std::fabs(slopes[0]) * (1 + 1e-12), std::fabs(at_its_end)) << reach;
    EXPECT_LT(std::fabs(slopes[0]), std::fabs(loss.slope(-1, 1))) << reach;
  }
}

}  // namespace
}  // namespace tarry
