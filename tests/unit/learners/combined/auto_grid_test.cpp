#include "tarry/learners/combined/auto_grid.h"

#include <gtest/gtest.h>
#include <time.h>

#include <cmath>
#include <map>

#include "tarry/base/random.h"
#include "tarry/lab/verify/verify.h"
#include "tarry/learners/registry.h"
#include "tarry/losses/regression.h"
#include "tarry/model/model.h"
#include "tarry/sets/balls/l1_ball.h"
#include "tarry/sets/balls/linf_ball.h"
#include "tarry/sets/polytopes/simplex.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

std::vector<std::string> sets() {
  std::vector<std::string> all;
  for (const SetEntry& entry : set_registry())
    for (const std::string& example : entry.examples) all.push_back(example);
  for (const char* more :
       {R"({"type": "l1_ball", "dimension": 1, "radius": 2})", R"({"type": "l1_ball", "dimension": 300, "radius": 2})",
        R"({"type": "lp_ball", "dimension": 300, "p": 1.01, "radius": 0.5})",
        R"({"type": "box", "lower": [-1, 0, -3], "upper": [2, 0, 1]})",
        R"({"type": "box", "lower": [1000, -2000], "upper": [1001, -1999]})",
        R"({"type": "scale", "by": 3, "set": {"type": "l1_ball", "dimension": 5, "radius": 1}})"})
    all.push_back(more);
  return all;
}

AnySet set_of(const std::string& json) {
  const spec::Value value = spec::parse_json(json);
  return make_set(spec::Node(value, "set"));
}

AnyLearner make_auto(const AnySet& set) {
  const spec::Value value = spec::parse_json(R"({"type": "auto"})");
  return make_learner(spec::Node(value, "learner"), LearnerSetting{set, {}});
}

// Drives a learner to the edges of its set, in every direction, with gradients of every size.
void expect_inside(AnyLearner learner, const AnySet& set, const std::string& name) {
  RandomSequence random(3);
  const auto n = static_cast<std::size_t>(set.dimension());
  std::map<Round, Memo> memos;
  Vec x(n), direction(n);
  for (Round t = 1; t <= 160; ++t) {
    learner.play(t, nullptr, memos[t]);
    learner.write(x);
    ASSERT_TRUE(set.contains(x, 1e-9)) << name << ", round " << t;
    if (t % 20 == 1)
      for (double& d : direction) d = random.uniform() < 0.5 ? random.gaussian() : t % 40 == 1 ? 1 : 0;
    if (t < 4) continue;
    Vec g = direction;
    for (double& gi : g) gi *= t % 80 < 50 ? 1 : 1e6;
    learner.receive(t - 3, {.gradient = Covector::dense(g)}, memos.at(t - 3));
    memos.erase(t - 3);
  }
}

TEST(Auto, PlaysInsideEverySetAndSoDoItsBases) {
  for (const std::string& json : sets()) {
    const AnySet set = set_of(json);
    ASSERT_NO_FATAL_FAILURE(expect_inside(make_auto(set), set, json));
    std::vector<AnyLearner> bases = auto_bases(LearnerSetting{set, {}});
    EXPECT_GE(bases.size(), 4u) << json;
    EXPECT_EQ(make_auto(set).instances(), bases.size());
    for (std::size_t i = 0; i < bases.size(); ++i)
      ASSERT_NO_FATAL_FAILURE(expect_inside(std::move(bases[i]), set, json + ", base " + std::to_string(i)));
  }
}

// On balls and boxes some base reaches the edge of the set itself: nothing of it is out of reach.
TEST(Auto, ReachesTheEdgeOfTheSet) {
  const auto reach = [](const std::string& json, const Vec& g) {
    const AnySet set = set_of(json);
    double best = 0;
    for (AnyLearner& base : auto_bases(LearnerSetting{set, {}})) {
      Vec x(g.size());
      for (Round t = 1; t <= 20000; ++t) {
        Memo memo;
        base.play(t, nullptr, memo);
        base.receive(t, {.gradient = Covector::dense(g)}, memo);
      }
      base.write(x);
      best = std::min(best, Covector::dense(g).dot(x));
    }
    return best;
  };
  EXPECT_NEAR(reach(R"({"type": "lp_ball", "dimension": 3, "p": 1.3, "radius": 2})", {0, 1, 0}), -2, 1e-6);
  EXPECT_NEAR(reach(R"({"type": "lp_ball", "dimension": 2, "p": 1.5, "radius": 2})", {1, 1}), -2 * std::cbrt(2.0),
              1e-6);
  EXPECT_NEAR(reach(R"({"type": "box", "lower": [-1, -2], "upper": [1, 3]})", {1, -1}), -4, 1e-6);
  EXPECT_NEAR(reach(R"({"type": "l2_ball", "dimension": 2, "radius": 2})", {0.6, 0.8}), -2, 1e-6);
  EXPECT_NEAR(reach(R"({"type": "box", "lower": [-1, -1], "upper": [1, 1]})", {1, -1}), -2, 1e-6);
  // No curved ball fills the l1 ball: its faces are reached, its vertices to within n^{1/p − 1} > 1/e.
  const double share = std::pow(3.0, -1 / (1 + std::log(3.0)));
  EXPECT_NEAR(reach(R"({"type": "l1_ball", "dimension": 3, "radius": 2})", {0, 1, 0}), -2 * share, 1e-6);
  EXPECT_NEAR(reach(R"({"type": "l1_ball", "dimension": 3, "radius": 2})", {1, -1, 1}), -2, 1e-6);
}

TEST(Auto, BeginsWhereItIsTold) {
  const Simplex set(3);
  const spec::Value value = spec::parse_json(R"({"type": "auto"})");
  AnyLearner learner = make_learner(spec::Node(value, "learner"), LearnerSetting{set, {0.2, 0.3, 0.5}});
  Memo memo;
  learner.play(1, nullptr, memo);
  Vec x(3);
  learner.write(x);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(x[i], (Vec{0.2, 0.3, 0.5})[i], 1e-12);
}

// Squared loss, labels 50 rounds late, nothing set: close to the best fixed weights.
TEST(Auto, LearnsFromLateLabels) {
  constexpr Index kDimension = 8;
  const Vec truth = {0.5, -0.3, 0, 0, 0.2, 0, 0, 0};
  Model model(L1Ball(kDimension, 2), make_auto(L1Ball(kDimension, 2)), SquaredLoss{});
  RandomSequence random(5);
  std::map<Round, double> labels;
  double loss = 0, noise = 0;
  for (Round t = 1; t <= 6000; ++t) {
    Vec a(kDimension);
    for (double& ai : a) ai = random.gaussian();
    const double error = 0.1 * random.gaussian();
    labels[t] = Covector::dense(a).dot(truth) + error;
    model.apply(Play{Covector::dense(a)});
    if (t <= 50) continue;
    const double paid = model.apply(Label{t - 50, labels.at(t - 50)}).loss;
    if (t > 3000) {
      loss += paid;
      noise += error * error;
    }
  }
  EXPECT_LT(loss, 1.5 * noise);
}

double processor_seconds() {  // of this thread, so that what else runs does not count
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// A prediction and its label cost the features, whatever n is.
TEST(Auto, DoesNotScanTheDimension) {
  const auto seconds = [](Index n) {
    Model model(L1Ball(n, 10), make_auto(L1Ball(n, 10)), SquaredLoss{});
    const std::vector<Index> at = {3, 17, 900, 4000};
    const Vec a = {1, -0.5, 0.25, 2};
    double best = INFINITY;
    Round t = 0;
    for (int attempt = 0; attempt < 5; ++attempt) {
      const double begin = processor_seconds();
      for (int k = 0; k < 500; ++k) {
        model.apply(Play{Covector::sparse(at, a)});
        ++t;
        model.apply(Label{t, t % 2 == 0 ? 1.0 : -1.0});
      }
      best = std::min(best, processor_seconds() - begin);
    }
    return best;
  };
  EXPECT_LT(seconds(Index{1} << 20), 3 * seconds(Index{1} << 12) + 1e-3);
}

// A dimension for which it cannot have numbers is refused by its reason, before any memory is asked for.
TEST(Auto, SaysWhatDimensionItCanHave) {
  EXPECT_ERROR(make_auto(Simplex(Index{1} << 40)), Code::kUnsupported,
               "auto: keeps numbers for each coordinate of this set, whose dimension can be at most 2^32 (dimension = "
               "1099511627776); delayed_ofw keeps what was touched");
  EXPECT_NO_THROW(make_auto(L1Ball(Index{1} << 40, 1)));
  EXPECT_NO_THROW(make_auto(LinfBall(Index{1} << 40, 1)));
}

}  // namespace
}  // namespace tarry
