// Labels of several classes: one block of weights each in one decision, whatever the set and the learner.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tarry/base/random.h"
#include "tarry/learners/descent/adagrad.h"
#include "tarry/learners/frank_wolfe/delayed_ofw.h"
#include "tarry/learners/registry.h"
#include "tarry/losses/softmax.h"
#include "tarry/model/model.h"
#include "tarry/sets/balls/l2_ball.h"
#include "tarry/sets/polytopes/box.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

constexpr std::size_t kFeatures = 3, kClasses = 4;

AnySet set_of(const std::string& json) {
  const spec::Value value = spec::parse_json(json);
  return make_set(spec::Node(value, "set"));
}

AnyLearner learner_of(const std::string& json, const AnySet& set) {
  const spec::Value value = spec::parse_json(json);
  return make_learner(spec::Node(value, "learner"), {.set = set, .initial = {}});
}

// The class is that of the largest of four fixed scores.
std::pair<Vec, double> draw(RandomSequence& random) {
  const Vec row = {random.gaussian(), random.gaussian(), 1};
  const Vec scores = {2 * row[0], -2 * row[0], 2 * row[1], 0.5};
  return {row, static_cast<double>(std::max_element(scores.begin(), scores.end()) - scores.begin())};
}

// The share of the last thousand labels, each 20 rounds late, that were predicted.
double accuracy(Model model) {
  RandomSequence random(3);
  std::map<Round, double> labels;
  double hits = 0;
  for (Round t = 1; t <= 4000; ++t) {
    const auto [row, label] = draw(random);
    labels[t] = label;
    const Model::Outcome outcome = model.apply(Play{Covector::dense(row)});
    EXPECT_EQ(outcome.scores.size(), kClasses);
    EXPECT_EQ(outcome.prediction,
              std::max_element(outcome.scores.begin(), outcome.scores.end()) - outcome.scores.begin());
    if (t > 3000) hits += outcome.prediction == label ? 1 : 0;
    if (t > 20) model.apply(Label{t - 20, labels[t - 20]});
  }
  return hits / 1000;
}

TEST(Classes, AreLearntOverEverySetThatHasBlocks) {
  const std::string box = R"({"type": "box", "dimension": 12, "lower": -8, "upper": 8})";
  std::string blocks, groups;
  for (std::size_t c = 0; c < kClasses; ++c) {
    blocks += std::string(c > 0 ? ", " : "") + R"({"type": "l2_ball", "dimension": 3, "radius": 8})";
    groups += (c > 0 ? ", [" : "[") + std::to_string(3 * c) + ", " + std::to_string(3 * c + 1) + ", " +
              std::to_string(3 * c + 2) + "]";
  }
  const std::string product = R"({"type": "product", "parts": [)" + blocks + "]}";
  const std::string group = R"({"type": "group_ball", "groups": [)" + groups + R"(], "p": 1, "radius": 20})";
  const std::string ofw = R"({"type": "delayed_ofw", "eta": 0.05})";
  for (const auto& [set_json, learner] :
       {std::pair{box, std::string(R"({"type": "auto"})")},
        {box, R"({"type": "adagrad"})"},
        {box, R"({"type": "box_ftrl", "rate": 0.2})"},
        {product, ofw},
        {group, ofw},
        {R"({"type": "l2_ball", "dimension": 12, "radius": 15})", R"({"type": "auto"})"},
        {R"({"type": "l2_ball", "dimension": 12, "radius": 15})", R"({"type": "gauge_ftrl", "light": true})"}}) {
    const AnySet set = set_of(set_json);
    EXPECT_GT(accuracy(Model(set, learner_of(learner, set), SoftmaxLoss(kClasses, 0, {}))), 0.85)
        << learner << " over " << set_json;
  }
}

// AdaGrad written out for classes: every slope at the predictions of the moment.
TEST(Classes, AdagradTakesLateLabelsWhereItStands) {
  const Bounds box{Vec(12, -2.0), Vec(12, 2.0)};
  Model model(Box(box), Adagrad(box, Vec(12, 0.0), 0.5), SoftmaxLoss(kClasses, 0, {1, 2, 1, 1}));
  const SoftmaxLoss loss(kClasses, 0, {1, 2, 1, 1});
  Vec x(12, 0.0), squares(12, 0.0);
  const auto scores = [&](const Vec& row) {
    Vec p(kClasses, 0.0);
    for (std::size_t c = 0; c < kClasses; ++c)
      for (std::size_t i = 0; i < kFeatures; ++i) p[c] += x[c * kFeatures + i] * row[i];
    return p;
  };
  RandomSequence random(5);
  std::vector<std::pair<Vec, double>> rows;
  for (Round t = 1; t <= 300; ++t) {
    rows.push_back(draw(random));
    const Model::Outcome outcome = model.apply(Play{Covector::dense(rows.back().first)});
    const Vec expected = scores(rows.back().first);
    for (std::size_t c = 0; c < kClasses; ++c) ASSERT_NEAR(outcome.scores[c], expected[c], 1e-9) << "round " << t;
    if (t <= 7) continue;
    const auto& [row, label] = rows[t - 8];
    if (t % 10 == 0) {
      model.apply(Expire{t - 7});
      continue;
    }
    model.apply(Label{t - 7, label});
    Vec slopes(kClasses);
    loss.slopes(scores(row), label, slopes);
    for (std::size_t c = 0; c < kClasses; ++c)
      for (std::size_t i = 0; i < kFeatures; ++i) {
        const std::size_t at = c * kFeatures + i;
        const double g = slopes[c] * row[i];
        squares[at] += g * g;
        x[at] = std::clamp(x[at] - 0.5 * g / std::sqrt(squares[at]), -2.0, 2.0);
      }
  }
}

// Whatever a learner said of a round's features when it played, it says again when asked.
TEST(Classes, EveryLearnerPredictsWhatItPlayed) {
  int asked = 0;
  for (const char* json :
       {R"({"type": "box", "lower": [-1, -1, -2], "upper": [1, 1, 2]})",
        R"({"type": "l2_ball", "dimension": 3, "radius": 2})", R"({"type": "simplex", "dimension": 3})"})
    for (const LearnerEntry& entry : learner_registry())
      for (const std::string& example : entry.examples) {
        const AnySet set = set_of(json);
        std::optional<AnyLearner> learner;
        try {
          learner.emplace(learner_of(example, set));
        } catch (const Error&) {
          continue;  // not on this set
        }
        RandomSequence random(7);
        for (Round t = 1; t <= 30; ++t) {
          const Vec a = {random.gaussian(), random.gaussian(), random.gaussian()};
          const Covector features = Covector::dense(a);
          Memo memo;
          const double played = learner->play(t, &features, memo);
          ASSERT_NEAR(learner->predict(features), played, 1e-12 * (1 + std::fabs(played))) << example << ", " << json;
          ++asked;
          learner->receive(t, {.gradient = features, .slope = 1}, memo);
        }
      }
  EXPECT_GT(asked, 1000);
}

TEST(Classes, SayWhatIsWrong) {
  EXPECT_ERROR(Model(L2Ball(10, 1), DelayedOfw<L2Ball>(L2Ball(10, 1), OfwRule(0.1)), SoftmaxLoss(4, 0, {})),
               Code::kBadSpec,
               "a loss over 4 classes needs a set whose dimension is a multiple of that (dimension = 10)");
  const std::string blocks = R"({"type": "per_block", "learners": [{"type": "delayed_ofw", "eta": 0.1},)"
                             R"( {"type": "delayed_ofw", "eta": 0.1}]})";
  const AnySet product = set_of(R"({"type": "product", "parts": [{"type": "l2_ball", "dimension": 6, "radius": 1},)"
                                R"( {"type": "l2_ball", "dimension": 6, "radius": 1}]})");
  for (const std::string& json : {blocks, R"({"type": "hedge", "learners": [)" + blocks + "]}"})
    EXPECT_ERROR(Model(product, learner_of(json, product), SoftmaxLoss(4, 0, {})), Code::kUnsupported,
                 "the learner cannot tell the classes of a round apart; take another");
  Model model(L2Ball(12, 1), DelayedOfw<L2Ball>(L2Ball(12, 1), OfwRule(0.1)), SoftmaxLoss(4, 0, {}));
  EXPECT_ERROR(model.apply(Play{}), Code::kBadInput, "features must come with the play: this model predicts classes");
  EXPECT_ERROR(model.apply(Play{Covector::dense(Vec(12, 1.0))}), Code::kBadInput,
               "features must have 3 entries, one for each weight (12 came)");
  const Vec row = {1, 2, 3};
  model.apply(Play{Covector::dense(row)});
  EXPECT_ERROR(model.apply(Gradient{1, Covector::dense(Vec(12, 1.0))}), Code::kBadInput,
               "a gradient does not fit a model that predicts classes: give the label");
  EXPECT_ERROR(model.apply(Label{1, 4}), Code::kBadInput, "label must be a whole number from 0 to 3 (4 came)");
  EXPECT_EQ(model.ledger().outstanding(), 1u);
  EXPECT_EQ(model.apply(Label{1, 3}).answer, Answer::kApplied);
  EXPECT_EQ(model.apply(Label{1, 3}).answer, Answer::kDuplicate);
}

}  // namespace
}  // namespace tarry
