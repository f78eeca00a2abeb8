// Learners keep what was seen, whatever the dimension.
#include <gtest/gtest.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <chrono>

#include "tarry/learners/registry.h"
#include "tarry/learners/snapshot.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"

namespace tarry {
namespace {

std::size_t held() {  // by the whole program; 0 where the C library does not tell
#if defined(__GLIBC__)
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}

AnySet set_from(const std::string& json) {
  const spec::Value spec = spec::parse_json(json);
  return make_set(spec::Node(spec, "set"));
}

AnyLearner learner_from(const std::string& json, const AnySet& set) {
  const spec::Value spec = spec::parse_json(json);
  return make_learner(spec::Node(spec, "learner"), {.set = set, .initial = {}});
}

// Ten features, spread out, in each of `outputs` blocks of the dimension.
void expect_small(const std::string& set_json, const std::string& json, Index outputs = 1) {
  const std::size_t before = held();
  const AnySet set = set_from(set_json);
  AnyLearner learner = learner_from(json, set);
  std::vector<Index> at;
  const Index block = set.dimension() / outputs;
  for (Index c = 0; c < outputs; ++c)
    for (Index k = 0; k < 10; ++k) at.push_back(c * block + block / 10 * k + k);
  const Vec ones(at.size(), 1.0);
  const Covector features = Covector::sparse(at, ones);
  for (Round t = 1; t <= 20; ++t) {
    Memo memo;
    const double prediction = learner.play(t, &features, memo);
    learner.receive(t, {.gradient = features, .slope = 1, .predictions = {&prediction, 1}}, memo);
  }
  EXPECT_LT(held() - before, std::size_t{1} << 20) << json << " on " << set_json;
  EXPECT_EQ(learner.dimension(), set.dimension());
  EXPECT_NE(learner.predict(features), 0);

  const std::string snapshot = save_learner(learner);
  EXPECT_LT(snapshot.size(), at.size() * 2000) << json << " on " << set_json;
  AnyLearner restored = learner_from(json, set);
  load_learner(restored, snapshot);
  EXPECT_EQ(save_learner(restored), snapshot);
  EXPECT_EQ(restored.predict(features), learner.predict(features));
}

const std::vector<std::string> kOnBoxes = {
    R"({"type": "auto"})", R"({"type": "adagrad"})", R"({"type": "box_ftrl"})", R"({"type": "box_ftrl_sc", "beta": 2})",
    R"({"type": "hedge", "learners": [{"type": "box_ftrl", "scale": 0.5}, {"type": "adagrad"}]})"};

TEST(Memory, TenFeaturesOfABoxAreKilobytesWhateverItsDimension) {
  for (const char* dimension : {"262144", "1073741824", "1099511627776"})
    for (const std::string& json : kOnBoxes) {
      const std::string n = std::string(R"(, "dimension": )") + dimension;
      expect_small(R"({"type": "box", "lower": -10, "upper": 10)" + n + "}", json);
      expect_small(R"({"type": "linf_ball", "radius": 3)" + n + "}", json);
      expect_small(R"({"type": "scale", "by": 2, "set": {"type": "linf_ball", "radius": 3)" + n + "}}", json);
    }
}

TEST(Memory, SoAreTenFeaturesOfThirtyTwoClasses) {
  for (const std::string& json : kOnBoxes)
    expect_small(R"({"type": "box", "lower": -10, "upper": 10, "dimension": 8388608})", json, 32);
}

TEST(Memory, SoAreTenFeaturesOfABall) {
  for (const char* dimension : {"262144", "1073741824", "1099511627776"}) {
    const std::string n = std::string(R"(, "dimension": )") + dimension;
    expect_small(R"({"type": "l2_ball", "radius": 2)" + n + "}", R"({"type": "gauge_ftrl", "light": true})");
    expect_small(R"({"type": "l2_ball", "radius": 2)" + n + "}", R"({"type": "auto"})");
    expect_small(R"({"type": "l1_ball", "radius": 2)" + n + "}", R"({"type": "auto"})");
  }
}

// The model of a site's ratings: users × items, each user's and each item's own number, and one for all.
TEST(Memory, ARatingsModelIsMadeAtOnce) {
  const std::string hedge = R"({"type": "hedge", "learners": [{"type": "box_ftrl_sc", "beta": 2},)"
                            R"( {"type": "box_ftrl_sc", "beta": 2, "prior": 1, "scale": 0.5}]})";
  const std::size_t before = held();
  const auto begin = std::chrono::steady_clock::now();
  const AnySet set = set_from(
      R"({"type": "product", "parts": [{"type": "nuclear_ball", "rows": 524288, "cols": 524288, "radius": 100},)"
      R"( {"type": "box", "dimension": 524288, "lower": -2, "upper": 2},)"
      R"( {"type": "box", "dimension": 524288, "lower": -2, "upper": 2},)"
      R"( {"type": "box", "dimension": 1, "lower": 1, "upper": 5}]})");
  const AnyLearner learner =
      learner_from(R"({"type": "per_block", "gradients": "fresh", "learners": [{"type": "delayed_ofw", "eta": 0.05},)" +
                       hedge + "," + hedge + R"(, {"type": "box_ftrl_sc", "beta": 2}]})",
                   set);
  const AnyLearner still = learner_from(R"({"type": "stay"})", set);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_LT(held() - before, std::size_t{1} << 20);
  EXPECT_LT(seconds, 0.25);
  EXPECT_EQ(learner.dimension(), set.dimension());
  const std::vector<Index> last = {set.dimension() - 1};
  const Vec one = {1};
  EXPECT_EQ(learner.predict(Covector::sparse(last, one)), 3);
  EXPECT_EQ(still.predict(Covector::sparse(last, one)), 3);
  EXPECT_GT(set.diameter(), 200);
}

}  // namespace
}  // namespace tarry
