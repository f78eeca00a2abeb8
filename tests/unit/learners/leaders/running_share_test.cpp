#include "tarry/learners/leaders/running_share.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tarry/losses/classification.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/snapshot.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

Model model_of(const std::string& task) {
  return make_model(ModelSpec::parse(R"({"task": ")" + task + R"(", "learner": {"type": "running_share"}})"));
}

// What is shown for a row with features of any kind: they do not matter.
Model::Outcome played(Model& model, double x) {
  const NamedFeatures features{{"x", x}, {"city", std::string(x > 0 ? "Oslo" : "Rom")}};
  return model.play(FeaturesView(features));
}

void told(Model& model, Round round, const LabelValue& label) {
  ASSERT_EQ(model.label(round, label).answer, Answer::kApplied);
}

TEST(RunningShare, IsTheShareOfLabelsThatHaveCome) {
  Model model = model_of("binary");
  EXPECT_DOUBLE_EQ(model.shown(played(model, 3).prediction), 0.5);  // none has come
  double yes = 0, labels = 0;
  for (Round t = 1; t <= 40; ++t) {
    const bool label = t % 3 == 0;
    if (t % 5 != 0) {  // the others never come
      told(model, t, label);
      yes += label ? 1 : 0;
      labels += 1;
    }
    const Model::Outcome next = played(model, t % 2 == 0 ? -7.0 : 50.0);
    EXPECT_NEAR(model.shown(next.prediction), (yes + 0.5) / (labels + 1), 1e-12);
  }
}

TEST(RunningShare, IsTheShareOfEachOfSeveralClasses) {
  Model model = model_of("classes");
  const std::vector<std::string> labels = {"a", "b", "a", "c", "a", "a", "b"};
  played(model, 1);
  for (Round t = 1; t <= labels.size(); ++t) {
    told(model, t, labels[t - 1]);
    played(model, -1);
  }
  const Model::Judged judged = model.judge(played(model, 2), std::string("b"));
  EXPECT_NEAR(judged.shown, -std::log(2.5 / (7 + 1.5)), 1e-12);
}

TEST(RunningShare, IsTheMeanOfNumbers) {
  Model model = model_of("regression");
  played(model, 1);
  double sum = 0;
  for (Round t = 1; t <= 60; ++t) {
    const double label = 1000 + 10.0 * static_cast<double>(t % 7);
    told(model, t, label);
    sum += label;
    const Model::Outcome next = played(model, t % 2 == 0 ? -7.0 : 50.0);
    EXPECT_NEAR(model.shown(next.prediction), sum / static_cast<double>(t), 1e-6) << t;
  }
  EXPECT_EQ(load_snapshot(snapshot_bytes(model)).hash(), model.hash());
}

TEST(RunningShare, RefusesASnapshotOfAnotherDimension) {
  const RunningShare small(Bounds::everywhere(3, -10, 10), 0);
  ByteWriter out;
  small.save(out);
  RunningShare large(Bounds::everywhere(5, -10, 10), 0);
  ByteReader in(out.bytes());
  EXPECT_ERROR(large.load(in), Code::kCorrupt, "snapshot: its decision does not have the set's dimension");
}

TEST(RunningShare, SaysItInTheWeightOfTheConstantFeature) {
  RunningShare learner(Bounds::everywhere(3, -10, 10), 2);
  const LogisticLoss logistic;
  const AnyLoss loss(logistic);
  const Vec row = {4, -3, 1};
  const KnownLoss known{Covector::dense(row), loss, 1};
  learner.receive(1, {.gradient = Covector::dense(row), .known = &known}, {});
  Vec x(3);
  learner.write(x);
  EXPECT_EQ(x, (Vec{0, 0, std::log(3.0)}));
  learner.receive(2, {.gradient = Covector::dense(row)}, {});  // no loss: it says nothing of a label
  EXPECT_NEAR(learner.predict(Covector::dense(row)), std::log(3.0), 1e-15);
}

}  // namespace
}  // namespace tarry
