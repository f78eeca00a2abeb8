// A hedge that is saved and loaded goes on as if nothing had happened.
#include <gtest/gtest.h>

#include <map>

#include "tarry/base/random.h"
#include "tarry/learners/combined/hedge.h"
#include "tarry/learners/combined/hedge_bases.h"
#include "tarry/learners/leaders/box_ftrl.h"
#include "tarry/learners/leaders/lp_ftrl.h"
#include "tarry/learners/snapshot.h"

namespace tarry {
namespace {

TEST(Hedge, ContinuesFromASnapshotBitForBit) {
  const auto make = [] {
    std::vector<AnyLearner> bases;
    bases.emplace_back(LpFtrl(3, {2, 1}));
    bases.emplace_back(LpFtrl(3, {1.2, 1}));
    bases.emplace_back(BoxFtrl({Vec(3, -0.5), Vec(3, 0.5)}, 1));
    return Hedge(SeparateBases(std::move(bases)), 3);
  };
  Hedge hedge = make(), copy = make();
  RandomSequence random(13);
  std::map<Round, std::pair<Memo, Vec>> waiting;
  Vec x(3), y(3);
  for (Round t = 1; t <= 100; ++t) {
    auto& [memo, a] = waiting[t];
    a = {random.gaussian(), random.gaussian(), random.gaussian()};
    const Covector features = Covector::dense(a);
    const Covector* shown = t % 3 == 0 ? nullptr : &features;
    const double prediction = hedge.play(t, shown, memo);
    if (t > 50) {
      Memo same;
      EXPECT_EQ(copy.play(t, shown, same), prediction);
      EXPECT_EQ(same, memo);
    }
    if (t > 9) {
      const auto& [old_memo, old] = waiting.at(t - 9);
      const Feedback feedback{.gradient = Covector::dense(old), .slope = 1};
      hedge.receive(t - 9, feedback, old_memo);
      if (t > 50) copy.receive(t - 9, feedback, old_memo);
    }
    if (t == 50) load_learner(copy, save_learner(hedge));
    if (t < 50) continue;
    hedge.write(x);
    copy.write(y);
    ASSERT_EQ(x, y) << "round " << t;
  }
  EXPECT_EQ(save_learner(hedge), save_learner(copy));
}

}  // namespace
}  // namespace tarry
