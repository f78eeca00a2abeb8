#include "tarry/evaluation/lower_sequence.h"

#include <gtest/gtest.h>

#include "tarry/base/random.h"

namespace tarry::evaluation {
namespace {

// Also where terms are just what was guessed: a bet that could have lost all is gone all the same.
TEST(LowerSequence, InATenthOfTheTimeIsNeverHigher) {
  for (int game = 0; game < 20; ++game) {
    LowerSequence exact, quick(Effort::kQuick);
    RandomSequence draw(static_cast<std::uint64_t>(game));
    for (int t = 0; t < 60; ++t) {
      const double term = game == 0 || draw.uniform() < 0.9 ? 0.5 : draw.uniform();
      exact.add(term, 0);
      quick.add(term, 0);
      EXPECT_LE(quick.bound(0.025), exact.bound(0.025) + 1e-12) << game << ", " << t;
    }
  }
}

}  // namespace
}  // namespace tarry::evaluation
