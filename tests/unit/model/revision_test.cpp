// Labels that take the place of others: what is learnt of them, what counts as a repeat, and for how long.
#include <gtest/gtest.h>

#include <cmath>

#include "tarry/base/random.h"
#include "tarry/model/codec.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/snapshot.h"
#include "tarry/model/told.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

constexpr Round kLength = 600;
constexpr std::size_t kFeatures = 4;
constexpr Round kUntilLabel = 7, kUntilReversed = 40;  // when labels come, and when a tenth of them is reversed

Model made(const std::string& spec) { return make_model(ModelSpec::parse(spec)); }

std::string linear(const std::string& learner,
                   const std::string& set = R"({"type": "l2_ball", "dimension": 4, "radius": 1})",
                   const std::string& more = R"(, "revisable": 100)") {
  return R"({"set": )" + set + R"(, "learner": )" + learner + R"(, "loss": "logistic")" + more + "}";
}

struct Example {
  Vec features;
  double first, last;  // labels, as the loss reads them
};

std::vector<Example> examples(std::uint64_t seed) {
  RandomSequence random(seed);
  std::vector<Example> all(kLength);
  for (Example& one : all) {
    for (std::size_t i = 0; i < kFeatures; ++i) one.features.push_back(2 * random.uniform() - 1);
    const double margin = one.features[0] - 2 * one.features[1];
    one.last = random.uniform() < 1 / (1 + std::exp(-margin)) ? 1 : -1;
    one.first = random.uniform() < 0.1 ? -one.last : one.last;
  }
  return all;
}

// Each round's gradient at the prediction that was made, with its final label.
Vec direct_sum(const std::vector<Example>& stream, const Vec& predictions) {
  Vec sum(kFeatures);
  for (std::size_t t = 0; t < stream.size(); ++t) {
    const double slope = -stream[t].last / (1 + std::exp(stream[t].last * predictions[t]));
    for (std::size_t i = 0; i < kFeatures; ++i) sum[i] += slope * stream[t].features[i];
  }
  return sum;
}

// Plays all of a stream, labels and revisions as they come; gives the predictions.
Vec play_all(Model& model, const std::vector<Example>& stream, bool revised = true) {
  Vec predictions;
  for (Round t = 1; t <= kLength + kUntilReversed; ++t) {
    if (t <= kLength)
      predictions.push_back(model.play(FeaturesView(Covector::dense(stream[t - 1].features))).prediction);
    if (t > kUntilLabel && t - kUntilLabel <= kLength) model.label(t - kUntilLabel, stream[t - kUntilLabel - 1].first);
    if (t <= kUntilReversed) continue;
    const Example& old = stream[t - kUntilReversed - 1];
    if (!revised || old.first == old.last) continue;
    EXPECT_EQ(model.label(t - kUntilReversed, old.last, std::nullopt, {.revise = true}).answer, Answer::kApplied);
  }
  return predictions;
}

std::string state_of(const Model& model) {
  ByteWriter out;
  model.learner().save(out);
  return out.take();
}

Vec numbers_of(ByteReader& in) {
  Vec five(5);
  for (double& number : five) number = in.f64();
  return five;
}

void expect_near(const Vec& a, const Vec& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-9);
}

// ---- what is learnt

TEST(Revision, LeavesTheSumOfTheFinalGradientsInALeader) {
  const auto stream = examples(1);
  for (const char* learner : {R"({"type": "gauge_ftrl", "eta": 0.3})", R"({"type": "gauge_ftrl"})"}) {
    Model model = made(linear(learner));
    const Vec predictions = play_all(model, stream);
    const std::string state = state_of(model);
    ByteReader in(state);
    expect_near(in.reals(), direct_sum(stream, predictions));  // ĝ comes first
  }
}

TEST(Revision, LeavesTheSumsOfABoxThatItsFinalLabelsHave) {
  const auto stream = examples(2);
  Model model = made(linear(R"({"type": "box_ftrl"})", R"({"type": "box", "dimension": 4, "lower": -3, "upper": 3})"));
  const Vec predictions = play_all(model, stream), sum = direct_sum(stream, predictions);
  Vec sizes(kFeatures);
  for (std::size_t t = 0; t < stream.size(); ++t)
    for (std::size_t i = 0; i < kFeatures; ++i)
      sizes[i] += std::fabs(stream[t].features[i]) / (1 + std::exp(stream[t].last * predictions[t]));
  const std::string state = state_of(model);
  ByteReader in(state);
  in.i64();  // the dimension
  in.u64();  // numbers of each coordinate
  ASSERT_EQ(in.u64(), kFeatures);
  for (std::size_t i = 0; i < kFeatures; ++i) {
    in.i64();
    const Vec numbers = numbers_of(in);
    EXPECT_NEAR(numbers[0], sum[i], 1e-9);
    EXPECT_NEAR(numbers[1], sizes[i], 1e-9);
  }
}

TEST(Revision, LeavesTheSumInFrankWolfe) {
  const auto stream = examples(3);
  Model model = made(linear(R"({"type": "delayed_ofw", "eta": 0.05, "storage": "dense"})"));
  const Vec predictions = play_all(model, stream);
  Vec expected = direct_sum(stream, predictions);
  for (double& x : expected) x *= 0.05;  // p = η ḡ − 2 y₁, and y₁ = 0
  const std::string state = state_of(model);
  ByteReader in(state);
  for (int i = 0; i < 2; ++i) in.f64();  // the rule
  in.i64();
  in.u64();
  for (int i = 0; i < 2; ++i) in.f64();
  in.reals();
  expect_near(in.reals(), expected);
}

// The gradient of a label is taken where the learner stands when it comes: the new one is taken at the same place.
TEST(Revision, OfALabelThatIsTakenBackAtOnceLeavesNoTrace) {
  const auto stream = examples(4);
  const std::string box = R"({"type": "box", "dimension": 4, "lower": -3, "upper": 3})";
  for (const char* learner : {R"({"type": "box_ftrl_sc", "beta": 0.5})", R"({"type": "box_ftrl"})"}) {
    Model model = made(linear(learner, box)), other = made(linear(learner, box));
    for (Round t = 1; t <= 50; ++t) {
      const Example& one = stream[t - 1];
      const FeaturesView features(Covector::dense(one.features));
      EXPECT_NEAR(model.play(features).prediction, other.play(features).prediction, 1e-9);
      model.label(t, -one.last);
      model.label(t, one.last, std::nullopt, {.revise = true});
      other.label(t, one.last);
    }
  }
}

double mean_loss(const Model& model, const std::vector<Example>& stream) {
  double sum = 0;
  for (const Example& one : stream)
    sum += std::log1p(std::exp(-one.last * model.predict(FeaturesView(Covector::dense(one.features))).prediction));
  return sum / static_cast<double>(stream.size());
}

TEST(Revision, BringsAHedgeToWhereItWouldBe) {
  const std::string spec =
      R"({"set": {"type": "box", "dimension": 4, "lower": -10, "upper": 10}, "learner": "auto", "loss": "logistic",
          "standardise": true, "numbers": 4, "revisable": 100})";
  std::string text = spec;
  text.replace(text.find("\"auto\""), 6, R"({"type": "auto"})");
  double revised = 0, told_first = 0, told_last = 0;
  for (std::uint64_t seed = 10; seed < 14; ++seed) {
    auto stream = examples(seed);
    for (Example& one : stream)  // all reversals in one direction: they move the base rate
      if (one.first != one.last && one.last < 0) one.first = one.last;
    Model model = made(text), never = made(text), final_only = made(text);
    play_all(model, stream);
    play_all(never, stream, false);
    for (Example& one : stream) one.first = one.last;
    play_all(final_only, stream);
    revised += mean_loss(model, stream) / 4;
    told_first += mean_loss(never, stream) / 4;
    told_last += mean_loss(final_only, stream) / 4;
  }
  EXPECT_LT(revised, told_last + 0.2 * (told_first - told_last));
  EXPECT_LT(told_last, told_first);
}

// ---- what counts as a repeat

const std::string kAny = linear(R"({"type": "gauge_ftrl", "eta": 0.3})");

Answer told(Model& model, Round round, const LabelValue& label, const Revising& revising = {}) {
  return model.label(round, label, std::nullopt, revising).answer;
}

void play_rows(Model& model, Round rounds) {
  for (Round t = 0; t < rounds; ++t) model.play(FeaturesView(Covector::dense(Vec{1, 0, 0.5, -1})));
}

TEST(Revision, NeedsToBeCalledOne) {
  Model model = made(kAny);
  play_rows(model, 1);
  EXPECT_EQ(told(model, 1, true, {.revise = true}), Answer::kApplied);  // the first label is only that
  EXPECT_EQ(told(model, 1, 1.0), Answer::kDuplicate);                   // in other words
  EXPECT_EQ(told(model, 1, false), Answer::kConflict);
  EXPECT_EQ(told(model, 1, false, {.revise = true}), Answer::kApplied);
  EXPECT_EQ(told(model, 1, true), Answer::kDuplicate);  // the first one, sent again
  EXPECT_EQ(told(model, 1, false, {.revise = true}), Answer::kDuplicate);
  EXPECT_EQ(told(model, 1, true, {.revise = true}), Answer::kDuplicate);  // without a number it never comes back
  EXPECT_EQ(model.events(), 3u);
}

TEST(Revision, OfTwoTheLaterOneCounts) {
  Model model = made(linear(R"({"type": "gauge_ftrl", "eta": 0.3})",
                            R"({"type": "l2_ball", "dimension": 4, "radius": 1})", R"(, "labels": "last")"));
  play_rows(model, 1);
  EXPECT_EQ(told(model, 1, true, {.sequence = 1}), Answer::kApplied);
  EXPECT_EQ(told(model, 1, true, {.sequence = 3}), Answer::kApplied);  // as before, but later
  EXPECT_EQ(told(model, 1, false, {.sequence = 2}), Answer::kDuplicate);
  EXPECT_EQ(told(model, 1, true, {.sequence = 3}), Answer::kDuplicate);
  EXPECT_EQ(told(model, 1, false, {.sequence = 3}), Answer::kConflict);
  EXPECT_EQ(told(model, 1, false, {.sequence = 4}), Answer::kApplied);
  EXPECT_EQ(told(model, 1, true, {.sequence = 5}), Answer::kApplied);
  EXPECT_EQ(told(model, 1, true), Answer::kDuplicate);
  EXPECT_ERROR(told(model, 1, false), Code::kBadInput, "sequence must come with this label: one before it had one");
}

TEST(Revision, AddsUpPartsOnceEach) {
  const std::string spec =
      R"({"set": {"type": "l2_ball", "dimension": 4, "radius": 1}, "learner": {"type": "gauge_ftrl", "eta": 0.3},
                               "loss": "squared", "labels": "sum"})";
  Model model = made(spec), whole = made(spec);
  play_rows(model, 1);
  play_rows(whole, 1);
  EXPECT_EQ(told(model, 1, 2.0, {.part = "sale"}), Answer::kApplied);
  EXPECT_EQ(told(model, 1, 2.0, {.part = "sale"}), Answer::kDuplicate);
  EXPECT_EQ(told(model, 1, 3.0, {.part = "sale"}), Answer::kConflict);
  EXPECT_EQ(told(model, 1, 3.0, {.part = "upgrade"}), Answer::kApplied);
  EXPECT_EQ(told(model, 1, -1.0, {.part = "refund"}), Answer::kApplied);
  EXPECT_EQ(told(model, 1, 3.0, {.part = "upgrade"}), Answer::kDuplicate);
  told(whole, 1, 4.0, {.part = "all"});
  play_rows(model, 1);
  play_rows(whole, 1);
  const Vec a = model.decision(), b = whole.decision();
  expect_near(a, b);
  EXPECT_ERROR(told(model, 2, 1.0), Code::kBadInput,
               "part must come with a label: this model adds up the labels of a round, and each counts once");
}

TEST(Revision, IsRefusedOnceItsRoundIsForgotten) {
  Model model = made(linear(R"({"type": "gauge_ftrl", "eta": 0.3})",
                            R"({"type": "l2_ball", "dimension": 4, "radius": 1})", R"(, "revisable": {"rounds": 3})"));
  play_rows(model, 2);
  told(model, 1, true);
  play_rows(model, 2);
  EXPECT_EQ(model.settled().size(), 1u);
  EXPECT_EQ(told(model, 1, false, {.revise = true}), Answer::kApplied);
  play_rows(model, 1);
  EXPECT_EQ(model.settled().size(), 0u);
  EXPECT_EQ(told(model, 1, true, {.revise = true}), Answer::kConflict);
  EXPECT_EQ(told(model, 1, true), Answer::kDuplicate);  // the model alone does not know better; see Told
}

TEST(Revision, CountsSecondsByTheTimesOfEvents) {
  Model model =
      made(linear(R"({"type": "gauge_ftrl", "eta": 0.3})", R"({"type": "l2_ball", "dimension": 4, "radius": 1})",
                  R"(, "revisable": {"seconds": 60})"));
  const Vec row = {1, 0, 0.5, -1};
  const FeaturesView features(Covector::dense(row));
  EXPECT_ERROR(model.play(features), Code::kBadInput, "now must come with the play: this model counts seconds");
  model.play(features, "", {.now = 1000.0});
  told(model, 1, true, {.now = 1010});
  model.play(features, "", {.now = 1060.0});
  EXPECT_EQ(told(model, 1, false, {.revise = true, .now = 1071}), Answer::kConflict);
  EXPECT_EQ(told(model, 1, false, {.revise = true, .now = 1069}), Answer::kApplied);
  model.play(features, "", {.now = 1071.0});
  EXPECT_EQ(model.settled().size(), 0u);
}

TEST(Revision, EndsCertificates) {
  Model model = made(kAny);
  play_rows(model, 1);
  told(model, 1, true);
  EXPECT_TRUE(model.certificate());
  told(model, 1, false, {.revise = true});
  EXPECT_FALSE(model.certificate());
}

TEST(Revision, IsForLearnersThatCanTakeLabelsBack) {
  const Thrown thrown = thrown_by(
      [] { made(linear(R"({"type": "adagrad"})", R"({"type": "box", "dimension": 4, "lower": -1, "upper": 1})")); });
  EXPECT_EQ(static_cast<int>(thrown.code), static_cast<int>(Code::kUnsupported));
  EXPECT_TRUE(thrown.message.starts_with("revisable: adagrad cannot take a label back. These can: ")) << thrown.message;
  for (const char* name : {"gauge_ftrl", "box_ftrl", "delayed_ofw", "auto over a box", "patient"})
    EXPECT_NE(thrown.message.find(name), std::string::npos) << name;
}

// ---- state

TEST(Revision, GoesOnFromASnapshotAndAFrozenCopy) {
  const auto stream = examples(5);
  for (const std::string& spec :
       {kAny, std::string(R"({"task": "classes", "classes": ["no", "yes", "perhaps"], "revisable": 50})"),
        std::string(R"({"task": "regression", "labels": "sum"})")}) {
    Model model = made(spec);
    const bool numbered = spec == kAny, sum = spec.find("sum") != std::string::npos;
    const auto label = [&](Round t) {
      return sum        ? LabelValue(stream[t].last)
             : numbered ? LabelValue(stream[t].last > 0)
                        : LabelValue(std::string("yes"));
    };
    for (Round t = 1; t <= 120; ++t) {
      const NamedFeatures named{{"a", stream[t].features[0]}, {"b", stream[t].features[1]}};
      if (numbered)
        model.play(FeaturesView(Covector::dense(stream[t].features)));
      else
        model.play(FeaturesView(named));
      if (t > 5) told(model, t - 5, label(t), {.part = sum ? "a" : ""});
      if (t > 9 && t % 3 == 0) {
        if (sum)
          told(model, t - 9, 1.5, {.part = "b"});
        else
          told(model, t - 9, numbered ? LabelValue(stream[t].last < 0) : LabelValue(std::string("no")),
               {.revise = true});
      }
    }
    EXPECT_GT(model.settled().size(), 20u);
    Model again = load_snapshot(snapshot_bytes(model.freeze()));
    EXPECT_EQ(again.hash(), model.hash());
    EXPECT_EQ(model.freeze().hash(), model.hash());
    for (Model* each : {&model, &again}) {
      EXPECT_EQ(told(*each, 113,
                     sum        ? LabelValue(2.5)
                     : numbered ? LabelValue(stream[1].last > 0)
                                : LabelValue("perhaps"),
                     {.revise = !sum, .sequence = sum ? std::nullopt : std::optional(9.0), .part = sum ? "late" : ""}),
                Answer::kApplied);
    }
    EXPECT_EQ(again.hash(), model.hash());
  }
}

TEST(Revision, StandsInEventsAsJsonAndAsBytes) {
  const std::string line = R"({"label": 7, "value": false, "revise": true, "sequence": 3.5, "part": "b", "now": 12.0})";
  const Event event = read_event(spec::Node(spec::parse_json(line), "event"));
  EXPECT_EQ(std::get<Label>(event).revising, (Revising{.revise = true, .sequence = 3.5, .part = "b", .now = 12.0}));
  EXPECT_EQ(event_from_bytes(event_bytes(event)), event);
  EXPECT_EQ(read_event(spec::Node(spec::parse_json(event_json(event)), "event")), event);
  const Event play = read_event(spec::Node(spec::parse_json(R"({"play": true, "now": 5, "due": 90})"), "event"));
  EXPECT_EQ(event_from_bytes(event_bytes(play)), play);
  EXPECT_EQ(read_event(spec::Node(spec::parse_json(event_json(play)), "event")), play);
  EXPECT_EQ(event_bytes(Label{Round{7}, true})[0], 1);  // as older programs read it
  EXPECT_EQ(event_bytes(event)[0], 2);
}

TEST(Told, SaysWhatAModelAloneDoesNotKnow) {
  Model model =
      made(linear(R"({"type": "gauge_ftrl", "eta": 0.3})", R"({"type": "l2_ball", "dimension": 4, "radius": 1})", ""));
  play_rows(model, 1);
  Told beside;
  const auto fed = [&](const Event& event) {
    const Model::Outcome outcome = model.apply(event);
    beside.note(model, event, outcome);
    return beside.answer(model, event, outcome);
  };
  EXPECT_EQ(fed(Label{Round{1}, true}), Answer::kApplied);
  EXPECT_EQ(fed(Label{Round{1}, 1.0}), Answer::kDuplicate);
  EXPECT_EQ(fed(Label{Round{1}, false}), Answer::kConflict);
  EXPECT_EQ(fed(Label{Round{1}, false, std::nullopt, {.revise = true}}), Answer::kConflict);  // it keeps no rounds
  EXPECT_EQ(fed(Label{Round{2}, false}), Answer::kUnknown);
}

}  // namespace
}  // namespace tarry
