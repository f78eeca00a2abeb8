#include "tarry/learners/leaders/box_ftrl_sc.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tarry/base/random.h"
#include "tarry/losses/regression.h"
#include "tarry/model/model.h"
#include "tarry/sets/polytopes/box.h"

namespace tarry {
namespace {

const Bounds kFlatBox = {{-1, 0, -3, 2}, {1, 0.5, 1, 2}};  // the last coordinate has no width

// The lowest point in the box of prior/2 (x − c)² + Σ g x + (β a²/2)(x − x_k)², by a search.
double lowest(double lower, double upper, double prior, const std::vector<std::array<double, 3>>& parabolas) {
  const double centre = (lower + upper) / 2;
  const auto slope = [&](double x) {
    double s = prior * (x - centre);
    for (const auto& [g, h, at] : parabolas) s += g + h * (x - at);
    return s;
  };
  for (int i = 0; i < 100; ++i) (slope((lower + upper) / 2) > 0 ? upper : lower) = (lower + upper) / 2;
  return lower;
}

TEST(BoxFtrlSc, PlaysTheLowestPointOfItsParabolas) {
  constexpr double kBeta = 0.7, kPrior = 1.3;
  BoxFtrlSc learner(kFlatBox, kBeta, kPrior);
  std::vector<std::array<double, 3>> parabolas[4];
  RandomSequence random(5, 1);
  std::vector<std::pair<Vec, Memo>> outstanding;  // features or none, memo
  for (Round t = 1; t <= 300; ++t) {
    Vec x(4);
    learner.write(x);
    for (std::size_t i = 0; i < 4; ++i)
      ASSERT_NEAR(
          x[i],
          lowest(kFlatBox.lower(static_cast<Index>(i)), kFlatBox.upper(static_cast<Index>(i)), kPrior, parabolas[i]),
          1e-9)
          << t << ", " << i;
    Vec features;
    if (t % 3 != 0)
      for (int i = 0; i < 4; ++i) features.push_back(random.gaussian());
    Memo memo;
    const Covector view = Covector::dense(features);
    learner.play(t, features.empty() ? nullptr : &view, memo);
    outstanding.push_back({features, memo});
    for (std::size_t i = 0; i < 4; ++i)
      outstanding.back().first.push_back(x[i]);  // where it stood, behind the features
    if (outstanding.size() < 5) continue;
    const std::size_t pick = random.below(outstanding.size());
    auto [kept, its_memo] = outstanding[pick];
    outstanding.erase(outstanding.begin() + static_cast<std::ptrdiff_t>(pick));
    const bool with_features = kept.size() == 8;
    const double slope = random.gaussian();
    Vec gradient(4);
    for (std::size_t i = 0; i < 4; ++i) {
      const double a = with_features ? kept[i] : 1;
      gradient[i] = with_features ? slope * a : random.gaussian();
      parabolas[i].push_back({gradient[i], kBeta * a * a, kept[kept.size() - 4 + i]});
    }
    learner.receive(
        t, {.gradient = Covector::dense(gradient), .slope = with_features ? std::optional(slope) : std::nullopt},
        its_memo);
  }
}

// One feature a round and the squared loss: a mean of the labels, drawn to the centre by prior/β more of them.
TEST(BoxFtrlSc, IsAShrunkenMeanOfTheLabels) {
  const AnySet box(Box({-10}, {10}));
  for (const bool late : {false, true}) {
    Model model(box, BoxFtrlSc({{-10}, {10}}, 2, 4), SquaredLoss{});
    const Vec one = {1};
    double sum = 0;
    for (Round t = 1; t <= 30; ++t) {
      model.apply(Play{Covector::dense(one)});
      const double label = static_cast<double>(t % 7);
      sum += label;
      if (!late) model.apply(Label{t, label});
    }
    for (Round t = 1; late && t <= 30; ++t) model.apply(Label{t, static_cast<double>(t % 7)});
    EXPECT_NEAR(model.apply(Play{Covector::dense(one)}).prediction, sum / (30 + 2), 1e-12) << late;
  }
}

TEST(BoxFtrlSc, KeepsOnlyWhatWasTouched) {
  BoxFtrlSc learner({Vec(1'000'000, -1.0), Vec(1'000'000, 1.0)}, 2, 4);
  const std::vector<Index> indices = {7};
  const Vec ones = {1};
  const Covector features = Covector::sparse(indices, ones);
  Memo memo;
  EXPECT_EQ(learner.play(1, &features, memo), 0);
  learner.receive(1, {.gradient = features, .slope = 1}, memo);
  ByteWriter out;
  learner.save(out);
  EXPECT_LT(out.bytes().size(), 200u);
  EXPECT_EQ(learner.predict(features), -1.0 / 6);
}

}  // namespace
}  // namespace tarry
