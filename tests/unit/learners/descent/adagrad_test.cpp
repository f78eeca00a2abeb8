#include "tarry/learners/descent/adagrad.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tarry/base/random.h"
#include "tarry/learners/combined/hedge.h"
#include "tarry/learners/combined/hedge_bases.h"
#include "tarry/learners/snapshot.h"
#include "tarry/losses/classification.h"
#include "tarry/losses/regression.h"
#include "tarry/model/model.h"
#include "tarry/sets/polytopes/box.h"
#include "unit/every_target.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

constexpr std::size_t kDimension = 5;
const Bounds kBox{{-1, -1, -0.25, 0, -3}, {1, 1, 0.25, 4, 3}};
const Vec kStart = {0, 0.5, 0, 2, -1};

// The rule, written out for one rate.
struct Plain {
  double rate;
  Vec x = kStart, squares = Vec(kDimension, 0.0);

  double predict(const Vec& a) const {
    double p = 0;
    for (std::size_t i = 0; i < kDimension; ++i) p += a[i] * x[i];
    return p;
  }
  void learn(const Vec& a, double slope) {
    for (std::size_t i = 0; i < kDimension; ++i) {
      const double g = slope * a[i];
      if (g == 0) continue;
      squares[i] += g * g;
      const auto at = static_cast<Index>(i);
      const double unit = std::min(1.0, kBox.width(at) / 2);
      x[i] = std::clamp(x[i] - rate * unit * g / std::sqrt(squares[i]), kBox.lower(at), kBox.upper(at));
    }
  }
};

Vec some_features(RandomSequence& random) {
  Vec a(kDimension, 0.0);
  for (double& ai : a)
    if (random.uniform() < 0.6) ai = random.gaussian();
  return a;
}

// Labels of any delay, in any order, some lost: the gradient is the one where the learner stands when the label comes.
TEST(Adagrad, TakesLateLabelsWhereItStandsByThen) {
  Model model(Box(kBox), Adagrad(kBox, kStart, 0.5), SquaredLoss{});
  Plain plain{0.5};
  RandomSequence random(3);
  std::map<Round, Vec> waiting;
  for (Round t = 1; t <= 800; ++t) {
    const Vec& a = waiting[t] = some_features(random);
    ASSERT_NEAR(model.apply(Play{Covector::dense(a)}).prediction, plain.predict(a), 1e-9) << "round " << t;
    while (!waiting.empty() && random.uniform() < 0.45) {
      auto entry = waiting.begin();
      std::advance(entry, static_cast<long>(random.below(waiting.size())));
      if (random.uniform() < 0.1) {
        model.apply(Expire{entry->first});
      } else {
        const double label = random.gaussian() + 2 * entry->second[0];
        model.apply(Label{entry->first, label});
        plain.learn(entry->second, 2 * (plain.predict(entry->second) - label));
      }
      waiting.erase(entry);
    }
  }
}

TEST(Adagrad, TakesAGradientAsItIsWhereNoLossIsKnown) {
  Model model(Box(kBox), Adagrad(kBox, kStart, 0.5));
  Plain plain{0.5};
  RandomSequence random(5);
  Vec x(kDimension);
  for (Round t = 1; t <= 300; ++t) {
    model.apply(Play{});
    if (t < 8) continue;
    const Vec g = some_features(random);
    model.apply(Gradient{t - 7, Covector::dense(g)});
    plain.learn(g, 1);
    model.write(x);
    for (std::size_t i = 0; i < kDimension; ++i) ASSERT_NEAR(x[i], plain.x[i], 1e-9);
  }
}

// Side by side in memory or one by one: the same decisions, bit for bit, for any number of rates and any instructions.
void expect_bank_is_hedge(const Bounds& box, const Vec& start, std::size_t count, bool sparse) {
  Vec rates;
  std::vector<AnyLearner> separate;
  for (std::size_t k = 0; k < count; ++k) {
    rates.push_back(std::pow(0.5, static_cast<double>(k)));
    separate.emplace_back(Adagrad(box, start, rates.back()));
  }
  const Box set(box);
  const Index n = static_cast<Index>(kDimension);
  Model bank(set, Hedge(AdagradBases(AdagradBank(box, start, rates)), n), LogisticLoss{});
  Model apart(set, Hedge(SeparateBases(std::move(separate)), n), LogisticLoss{});
  RandomSequence random(7);
  for (Round t = 1; t <= 400; ++t) {
    const Vec a = some_features(random);
    std::vector<Index> at;
    Vec values;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (a[i] != 0 || i == 2) {  // a stored zero among them
        at.push_back(static_cast<Index>(i));
        values.push_back(a[i]);
      }
    const Play play{sparse ? Covector::sparse(at, values) : Covector::dense(a)};
    ASSERT_EQ(bank.apply(play).prediction, apart.apply(play).prediction) << "round " << t;
    if (t <= 30) continue;
    const Label label{t - 30, random.uniform() < 0.3 ? 1.0 : -1.0};
    bank.apply(label);
    apart.apply(label);
  }
  EXPECT_EQ(bank.learner().instances(), count);
}

TEST(Adagrad, ABankIsAHedgeOverItsRates) {
  for (std::size_t count : {1u, 3u, 8u, 11u}) expect_bank_is_hedge(kBox, kStart, count, false);
  const Bounds cube{Vec(kDimension, -0.75), Vec(kDimension, 0.75)};
  on_every_target([&](const char*) {
    for (bool sparse : {false, true}) expect_bank_is_hedge(cube, Vec(kDimension, 0.0), 8, sparse);
  });
}

// R ≤ Σ_i (D_i²/(2ρ_i) + ρ_i)√A_i for labels that are not late; with delay, what the decision moved meanwhile is added.
TEST(Adagrad, KeepsItsBound) {
  for (Round delay : {1u, 5u, 60u})
    for (double rate : {1.0, 0.1}) {
      const Bounds box{Vec(3, -1.0), Vec(3, 1.0)};
      Adagrad learner(box, Vec(3, 0.0), rate);
      RandomSequence random(11);
      std::map<Round, std::pair<Vec, Vec>> waiting;  // the point played, and its gradient
      Vec x(3), sum(3, 0.0), squares(3, 0.0);
      double paid = 0, moved = 0;
      for (Round t = 1; t <= 4000; ++t) {
        Memo memo;
        learner.play(t, nullptr, memo);
        learner.write(x);
        Vec g(3);
        for (double& gi : g) gi = (t / 97 % 2 == 0 ? 1 : -1) + random.gaussian();
        for (std::size_t i = 0; i < 3; ++i) {
          paid += g[i] * x[i];
          sum[i] += g[i];
        }
        waiting[t] = {x, g};
        if (t < delay) continue;
        const auto& [played, late] = waiting.at(t + 1 - delay);
        for (std::size_t i = 0; i < 3; ++i) {
          moved += late[i] * (played[i] - x[i]);
          squares[i] += late[i] * late[i];
        }
        learner.receive(t + 1 - delay, {.gradient = Covector::dense(late)}, memo);
        waiting.erase(t + 1 - delay);
      }
      double outstanding = 0;  // what never came costs at most its gradient times the width
      for (const auto& [t, round] : waiting)
        for (double gi : round.second) outstanding += 2 * std::fabs(gi);
      double best = 0, bound = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        best -= std::fabs(sum[i]);
        bound += (2 / rate + rate) * std::sqrt(squares[i]);
      }
      EXPECT_LE(paid - best, bound + moved + outstanding) << "delay " << delay << ", rate " << rate;
    }
}

// Numbers at the edge of what is accepted leave decisions that are numbers, in the box.
TEST(Adagrad, StaysInTheBoxWhateverComes) {
  Model model(Box(Vec(2, -1e100), Vec(2, 1e100)), Adagrad({Vec(2, -1e100), Vec(2, 1e100)}, Vec(2, 0.0), 1e200),
              SquaredLoss{});
  Vec x(2);
  for (Round t = 1; t <= 40; ++t) {
    const double size = t % 3 == 0 ? 1e-90 : 1;
    model.apply(Play{Covector::dense(Vec{size, -size})});
    try {
      model.apply(Label{t, t % 2 == 0 ? 1e99 : -1e99});
    } catch (const Error&) {  // a gradient beyond 1e100: refused, and nothing has changed
    }
    model.write(x);
    for (double xi : x) ASSERT_TRUE(std::fabs(xi) <= 1e100) << xi;
  }
}

TEST(Adagrad, ContinuesFromASnapshotBitForBit) {
  Adagrad learner(kBox, kStart, 0.5), copy(kBox, kStart, 0.5);
  RandomSequence random(13);
  for (Round t = 1; t <= 60; ++t) {
    Memo memo;
    const Vec g = some_features(random);
    learner.play(t, nullptr, memo);
    learner.receive(t, {.gradient = Covector::dense(g)}, memo);
    if (t > 30) {
      Memo same;
      copy.play(t, nullptr, same);
      EXPECT_EQ(same, memo);
      copy.receive(t, {.gradient = Covector::dense(g)}, memo);
    }
    if (t == 30) load_learner(copy, save_learner(learner));
  }
  EXPECT_EQ(save_learner(learner), save_learner(copy));
  Adagrad other({{-1}, {1}}, Vec{0}, 0.5);
  EXPECT_ERROR(load_learner(other, save_learner(learner)), Code::kCorrupt,
               "snapshot: it has 2 numbers for each of 5 coordinates where 2 for each of 1 are wanted");
}

// Coordinates in which every gradient was 0 cost nothing, also where A begins at 1: room for more of them changes no
// bound.
TEST(AdagradBank, RoomThatNothingUsesIsNotInTheBound) {
  const auto bound_of = [](Index dimension) {
    AdagradBank bank(Bounds::everywhere(dimension, -10, 10), Start{dimension, 0, {}}, {1, 0.25}, 1);
    const Index at[] = {0, 2};
    const double values[] = {3, -1}, slopes[] = {0.5, 2}, none[] = {0, 0};
    bank.learn(Covector::sparse(at, values), slopes);
    const Index other[] = {1};
    const double one[] = {1};
    bank.learn(Covector::sparse(other, one), none);  // touched, by nothing
    return Vec{bank.bound(0, 2), bank.bound(1, 2)};
  };
  const Vec small = bound_of(3), large = bound_of(Index{1} << 30);
  for (std::size_t k = 0; k < 2; ++k) {
    const double rate = k == 0 ? 1 : 0.25, slope = k == 0 ? 0.5 : 2;
    const double each = 400 / (2 * rate) + rate;  // the units are 1: half the width is more
    EXPECT_NEAR(small[k], each * (std::sqrt(1 + 9 * slope * slope) + std::sqrt(1 + slope * slope)), 2e-9 * small[k]);
    EXPECT_NEAR(large[k], small[k], 1e-9 * small[k]);
  }
}

// A gradient whose square is lost beside what A begins at is one all the same: its regret is up to its size times the
// width.
TEST(AdagradBank, GradientsThatAreLostInRoundingAreInTheBound) {
  for (const double start : {0.0, 0.25}) {
    AdagradBank bank(Bounds::everywhere(1, -1, 1), Start{1, start, {}}, {1}, 1);
    const Index at[] = {0};
    const double value[] = {1e-9}, slope[] = {1};
    for (int t = 0; t < 3; ++t) bank.learn(Covector::sparse(at, value), slope);
    EXPECT_GE(bank.bound(0, 3), 3 * 1e-9 * 2);
  }
}

}  // namespace
}  // namespace tarry
