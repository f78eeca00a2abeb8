// Every learner on every set as a whole model: saved and loaded at each event of a short game it is the same again,
// bit for bit, and continues as if nothing had happened.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <optional>

#include "conformance/examples.h"
#include "sanitized.h"
#include "tarry/base/error.h"
#include "tarry/base/random.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/reply.h"
#include "tarry/model/snapshot.h"

namespace tarry::conformance {
namespace {

enum class Kind { kGradients, kLabels, kScaled, kNamed, kClasses };
constexpr std::array kKinds = {Kind::kGradients, Kind::kLabels, Kind::kScaled, Kind::kNamed, Kind::kClasses};

// Nothing where the learner, the set and this kind of model do not go together.
std::optional<ModelSpec> spec_of(Kind kind, const Pair& pair) {
  ModelSpec spec{.set = canonical(pair.set.value()), .learner = canonical(pair.learner.value())};
  const auto typed = [](const std::string& type) { return spec::Value{spec::Object{{"type", spec::Value{type}}}}; };
  spec.expiry = Expiry{.rounds = 4};
  const Index dimension = make_set(pair.set).dimension();
  if (kind == Kind::kLabels || kind == Kind::kScaled) spec.loss = typed("squared");
  spec.standardise = kind == Kind::kScaled;  // labels too
  if (kind == Kind::kNamed) {
    if (dimension < 2) return std::nullopt;
    FeatureSpec features;
    features.capacity = dimension;
    spec.loss = typed("logistic");
    spec.standardise = true;
    spec.features = canonical(features.to_value());
    spec.expiry->then_label = LabelValue(false);
  }
  if (kind == Kind::kClasses) {
    if (dimension % 3 != 0) return std::nullopt;
    spec.loss = canonical(spec::Value{spec::Object{{"type", spec::Value{std::string("softmax")}},
                                                   {"classes", spec::Value{std::int64_t{3}}},
                                                   {"names", spec::Value{spec::Array{}}}}});
  }
  try {
    make_model(spec);
  } catch (const Error& error) {
    if (error.code() == Code::kUnsupported) return std::nullopt;
    throw;
  }
  return spec;
}

// Features, or a gradient, of round t.
Features numbers(Index n, RandomSequence& random) {
  if (random.uniform() < 0.5) return SparseVector{{n - 1}, {random.uniform(-2, 2)}};
  Vec x(static_cast<std::size_t>(n));
  for (double& v : x) v = random.uniform(-1, 1);
  return x;
}

// Twelve events: late, sent twice, given up, void, and at least one round that waits at the end.
std::vector<Event> game(Kind kind, Index dimension) {
  RandomSequence random(5);
  const auto play = [&](const std::string& key) -> Event {
    if (kind == Kind::kGradients) return Play{.key = key};
    if (kind != Kind::kNamed) return Play{numbers(kind == Kind::kClasses ? dimension / 3 : dimension, random), key};
    return Play{
        NamedFeatures{{"x", random.uniform(-1, 1)}, {"city", std::string(random.uniform() < 0.5 ? "Oslo" : "Lima")}},
        key};
  };
  const auto answer = [&](RoundName round) -> Event {
    if (kind == Kind::kGradients) return Gradient{round, numbers(dimension, random)};
    if (kind == Kind::kLabels) return Label{round, random.uniform(-1, 1)};
    if (kind == Kind::kScaled) return Label{round, random.uniform(200, 300)};
    if (kind == Kind::kNamed) return Label{round, random.uniform() < 0.5};
    return Label{round, std::string(random.uniform() < 0.5 ? "a" : "b")};
  };
  std::vector<Event> events = {play("a"), play("b"), answer(2), play("")};
  events.push_back(events[1]);  // sent again
  events.push_back(answer(std::string("b")));
  events.push_back(play("d"));
  events.push_back(Void{std::string("d")});
  events.push_back(play(""));  // gives round 1 up
  events.push_back(answer(1));
  events.push_back(answer(3));
  events.push_back(play("f"));
  events.push_back(answer(std::string("f")));
  events.push_back(play(""));
  return events;
}

std::string reply(Model& model, const Event& event) { return reply_json(model, event, model.apply(event)); }

std::string state(const Model& model) {
  ByteWriter out;
  model.save(out);
  return out.take();
}

class ModelOnSet : public testing::TestWithParam<Pair> {};

TEST_P(ModelOnSet, IsTheSameWhereverItIsCut) {
  int played = 0;
  for (const Kind kind : kKinds) {
    const auto spec = spec_of(kind, GetParam());
    if (!spec) continue;
    ++played;
    const std::vector<Event> events = game(kind, make_set(GetParam().set).dimension());
    Model whole = make_model(*spec), twin = make_model(*spec);
    std::vector<std::string> replies, saved;
    for (const Event& event : events) {
      saved.push_back(snapshot_bytes(whole));
      replies.push_back(reply(whole, event));
      ASSERT_EQ(reply(twin, event), replies.back());
    }
    ASSERT_EQ(state(twin), state(whole));
    EXPECT_EQ(whole.ledger().expired(), 1u);
    EXPECT_EQ(whole.ledger().voided(), 1u);
    EXPECT_GT(whole.ledger().outstanding(), 0u);
    EXPECT_EQ(state(whole.clone()), state(whole));
    for (std::size_t cut = 0; cut < events.size(); ++cut) {
      Model again = load_snapshot(saved[cut]);
      ASSERT_EQ(snapshot_bytes(again), saved[cut]) << "kind " << static_cast<int>(kind) << ", event " << cut;
      for (std::size_t i = cut; i < events.size(); ++i)
        ASSERT_EQ(reply(again, events[i]), replies[i]) << "kind " << static_cast<int>(kind) << ", cut " << cut;
      ASSERT_EQ(again.hash(), whole.hash()) << "kind " << static_cast<int>(kind) << ", cut " << cut;
    }
  }
  RecordProperty("kinds_played", played);
  EXPECT_GE(played, 1) << "a learner that takes a set plays gradients there at least";
}

// Rounds that wait before, between and after; a label that is refused after its play, which leaves a void round.
TEST_P(ModelOnSet, LearnsAtOnceWhatItLearnsInTwoEvents) {
  for (const Kind kind : kKinds) {
    const auto spec = kind == Kind::kGradients ? std::nullopt : spec_of(kind, GetParam());
    if (!spec) continue;
    std::vector<Event> events = game(kind, make_set(GetParam().set).dimension());
    std::erase_if(events, [](const Event& e) { return !std::holds_alternative<Play>(e); });
    Model two = make_model(*spec), one = make_model(*spec);
    RandomSequence random(6);
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (i % 3 == 0) {
        ASSERT_EQ(reply(one, events[i]), reply(two, events[i]));
        continue;
      }
      const Features& features = *std::get<Play>(events[i]).features;
      const double number = kind == Kind::kScaled && i == 4 ? 1e60 : random.uniform(-1, 1);
      const LabelValue label = kind == Kind::kClasses ? LabelValue(std::string(number < 0 ? "a" : "b"))
                               : kind == Kind::kNamed ? LabelValue(number < 0)
                                                      : LabelValue(number);
      const Model::Outcome played = two.play(FeaturesView(features));
      if (number == 1e60) {
        EXPECT_THROW(two.label(played.round, label), Error);
        two.declare_void(played.round);
        EXPECT_THROW(one.play_and_label(features, label), Error);
      } else {
        two.label(played.round, label);
        const Model::Outcome at_once = one.play_and_label(features, label);
        ASSERT_EQ(at_once.round, played.round);
        ASSERT_EQ(at_once.prediction, played.prediction);
        ASSERT_EQ(at_once.scores, played.scores);
      }
      ASSERT_EQ(state(one), state(two)) << "kind " << static_cast<int>(kind) << ", play " << i;
      ASSERT_EQ(one.ledger().oldest_outstanding(), two.ledger().oldest_outstanding());
    }
    ASSERT_EQ(one.events(), two.events());
  }
}

INSTANTIATE_TEST_SUITE_P(Every, ModelOnSet, testing::ValuesIn(accepted_pairs(learner_examples())), pair_name);

// How much of the above is left out because a learner refuses it: a change here should be meant.
TEST(ModelOnSets, MostKindsArePlayed) {
  std::map<Kind, int> played, skipped;
  for (const Pair& pair : accepted_pairs(learner_examples()))
    for (const Kind kind : kKinds) ++(spec_of(kind, pair) ? played : skipped)[kind];
  EXPECT_EQ(skipped[Kind::kGradients], 0);
  for (const auto& [kind, count] : skipped) RecordProperty("skipped_" + std::to_string(static_cast<int>(kind)), count);
  const int share = kSanitized ? static_cast<int>(kThinned) : 1;  // of the pairs: one in so many
  EXPECT_GT(played[Kind::kLabels] * share, 1000);
  EXPECT_EQ(played[Kind::kScaled], played[Kind::kLabels]);
  EXPECT_GT(played[Kind::kNamed] * share, 1000);
  EXPECT_GT(played[Kind::kClasses] * share, 400);
}

}  // namespace
}  // namespace tarry::conformance
