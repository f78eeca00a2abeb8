// Planted streams of numbers whose labels come late, with the truth of every row known: the task `regression` beside
// the same learner that does not care whether rounds are open.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "sanitized.h"
#include "tarry/base/random.h"
#include "tarry/model/model.h"
#include "tarry/model/model_spec.h"

namespace tarry {
namespace {

constexpr Round kNumberRounds = 8000;
constexpr double kLostLabel = 1e18;

struct DrawnNumber {
  double label, delay;
};

struct NumberStory {
  std::string name;
  std::function<DrawnNumber(RandomSequence&, double x, bool a, Round t)> row;
  double least, most;  // of the error of not caring
};

double after(RandomSequence& random, double mean) { return -mean * std::log(1 - random.uniform()); }

std::vector<NumberStory> stories() {
  const auto usual = [](RandomSequence& random, double x, bool a) { return x + (a ? 1 : 0) + random.gaussian(); };
  const double harmless = 1.005;
  return {
      {"independent",
       [=](RandomSequence& r, double x, bool a, Round) {
         return DrawnNumber{usual(r, x, a), after(r, 1000)};
       },
       0.99, harmless},
      {"by a feature",
       [=](RandomSequence& r, double x, bool a, Round) {
         return DrawnNumber{usual(r, x, a), after(r, a ? 2000 : 100)};
       },
       0.99, harmless},
      {"by another feature",
       [=](RandomSequence& r, double x, bool a, Round) {
         return DrawnNumber{usual(r, x, a), after(r, 300 * std::exp(x))};
       },
       0.99, harmless},
      {"lost at random",
       [=](RandomSequence& r, double x, bool a, Round) {
         return DrawnNumber{usual(r, x, a), r.uniform() < 0.1 ? kLostLabel : after(r, 300)};
       },
       0.99, harmless},
      {"an outage",
       [=](RandomSequence& r, double x, bool a, Round t) {
         return DrawnNumber{usual(r, x, a), t >= 3000 && t < 4000 ? kLostLabel : after(r, 200)};
       },
       0.99, harmless},
      {"the large ones come late",
       [](RandomSequence& r, double x, bool a, Round) {
         const double more = r.gaussian();
         return DrawnNumber{x + (a ? 1 : 0) + more, after(r, 2000 * std::exp(1.5 * more))};
       },
       0.8, 0.985},
      {"the small ones come late",
       [](RandomSequence& r, double x, bool a, Round) {
         const double less = r.gaussian();
         return DrawnNumber{x + (a ? 1 : 0) + less, after(r, 2000 * std::exp(-1.5 * less))};
       },
       0.8, 0.985},
      {"the label is the logarithm of the wait",
       [](RandomSequence& r, double x, bool a, Round) {
         const double label = 6 + x + (a ? 1 : 0) + 1.5 * r.gaussian();
         return DrawnNumber{label, std::exp(label)};
       },
       0.8, 0.95},
      {"the label is the wait",
       [](RandomSequence& r, double x, bool a, Round) {
         const double label = std::exp(6 + 0.5 * x + (a ? 0.5 : 0) + 0.8 * r.gaussian());
         return DrawnNumber{label, label};
       },
       0.8, 0.99},
      {"a tenth of the waits never ends",
       [](RandomSequence& r, double x, bool a, Round) {
         const double label = 5 + x + (a ? 1 : 0) + 1.5 * r.gaussian();
         return DrawnNumber{label, r.uniform() < 0.1 ? kLostLabel : std::exp(label)};
       },
       0.8, 1},
  };
}

// The sum of squared errors over all rows, those without a label included.
double lost_by(Model& model, const NumberStory& story, Round rounds = kNumberRounds,
               const std::function<void(Round)>& then = {}) {
  RandomSequence random(3);
  std::multimap<double, std::pair<Round, double>> due;
  double lost = 0;
  for (Round t = 1; t <= rounds; ++t) {
    const auto now = static_cast<double>(t);
    for (; !due.empty() && due.begin()->first < now; due.erase(due.begin()))
      model.apply(Label{due.begin()->second.first, due.begin()->second.second});
    const double x = random.gaussian();
    const bool a = random.uniform() < 0.4;
    const NamedFeatures features{{"x", x}, {"z", std::string(a ? "a" : "b")}};
    const double prediction = model.play(FeaturesView(features)).prediction;
    const DrawnNumber drawn = story.row(random, x, a, t);
    lost += (prediction - drawn.label) * (prediction - drawn.label);
    if (drawn.delay < kLostLabel) due.emplace(now + drawn.delay, std::pair(t, drawn.label));
    if (then) then(t);
  }
  return lost;
}

double lost_by(const std::string& spec, const NumberStory& story) {
  Model model = make_model(ModelSpec::parse(spec));
  return lost_by(model, story);
}

// Half the square of every error, which is the same to the learner, but of that loss it knows nothing while rounds are
// open.
constexpr const char* kCares = R"({"task": "regression", "products": 0})";
constexpr const char* kDoesNot =
    R"({"task": "regression", "products": 0, "loss": {"type": "huber", "threshold": 1e12}})";

TEST(LateNumbers, OpenRoundsHelpWhereTheySaySomethingAndDoNoHarmElsewhere) {
  if (kSanitized) GTEST_SKIP() << "long, and nothing in it is new to the sanitizers";
  for (const NumberStory& story : stories()) {
    const double ratio = std::sqrt(lost_by(kCares, story) / lost_by(kDoesNot, story));
    EXPECT_LE(ratio, story.most) << story.name;
    EXPECT_GE(ratio, story.least) << story.name;
    RecordProperty(story.name, std::to_string(ratio));
  }
}

// Targets half-way: of open rounds, what has been learnt so far is kept.
TEST(LateNumbers, GoOnBitForBitFromASnapshotWhileTargetsAreMoving) {
  const auto all = stories();
  for (const std::string name : {"the large ones come late", "the label is the wait"}) {
    const auto story = std::find_if(all.begin(), all.end(), [&](const NumberStory& one) { return one.name == name; });
    Model whole = make_model(ModelSpec::parse(kCares)), parts = make_model(ModelSpec::parse(kCares));
    lost_by(whole, *story, 1500);
    lost_by(parts, *story, 1500, [&](Round t) {
      if (t == 700 || t == 1100) parts = parts.clone();
    });
    EXPECT_EQ(parts.hash(), whole.hash()) << name;
  }
}

// A round that is declared void takes back what its being open had said.
TEST(LateNumbers, RoundsThatAreVoidTakeBackWhatTheySaid) {
  const auto all = stories();
  const auto story =
      std::find_if(all.begin(), all.end(), [](const NumberStory& one) { return one.name == "the label is the wait"; });
  Model model = make_model(ModelSpec::parse(kCares));
  lost_by(model, *story, 3000);
  const NamedFeatures features{{"x", 0.5}, {"z", std::string("b")}};
  const double with = model.predict(FeaturesView(features)).prediction;
  for (const Round round : model.ledger().waiting()) model.apply(Void{round});
  const double without = model.predict(FeaturesView(features)).prediction;
  EXPECT_LT(without, with);  // open rounds had said that waits are longer
}

}  // namespace
}  // namespace tarry
