#include "tarry/learners/combined/per_block.h"

#include <gtest/gtest.h>

#include "tarry/base/random.h"
#include "tarry/lab/verify/verify.h"
#include "tarry/learners/registry.h"
#include "tarry/losses/regression.h"
#include "tarry/model/model.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

constexpr const char* kSet =
    R"({"type": "product", "parts": [{"type": "l2_ball", "dimension": 2, "radius": 1},)"
    R"( {"type": "box", "lower": [-1, 0, 2], "upper": [1, 3, 2.5]}, {"type": "simplex", "dimension": 2}]})";
constexpr const char* kFirst = R"({"type": "gauge_ftrl", "gradient_bound": 3})";
constexpr const char* kSecond = R"({"type": "box_ftrl"})";
constexpr const char* kThird = R"({"type": "bold", "base": {"type": "delayed_ofw", "eta": 0.1}})";

std::string blocks(const std::string& first, const std::string& second, const std::string& third,
                   const std::string& more = "") {
  return R"({"type": "per_block", "learners": [)" + first + ", " + second + ", " + third + "]" + more + "}";
}

Model made(const std::string& learner, std::optional<AnyLoss> loss = std::nullopt) {
  const spec::Value set = spec::parse_json(kSet), value = spec::parse_json(learner);
  const AnySet made = make_set(spec::Node(set, "set"));
  return Model(made, make_learner(spec::Node(value, "learner"), {.set = made, .initial = {}}), std::move(loss));
}

Vec decision(const Model& model) {
  Vec x(static_cast<std::size_t>(model.set().dimension()));
  model.write(x);
  return x;
}

Vec part(const Vec& x, std::size_t begin, std::size_t end) { return {x.begin() + begin, x.begin() + end}; }

// Each block plays the game of a model of its own that sees the block alone.
TEST(PerBlock, IsItsBlocksSideBySide) {
  Model whole = made(blocks(kFirst, kSecond, kThird));
  const spec::Value set = spec::parse_json(kSet);
  std::vector<Model> alone;
  std::size_t k = 0;
  for (const char* learner : {kFirst, kSecond, kThird})
    alone.push_back(lab::make_model(spec::to_json(std::get<spec::Array>(set.find("parts")->as)[k++]), learner));
  const std::size_t begin[] = {0, 2, 5, 7};
  RandomSequence random(3, 1);
  std::vector<Round> waiting;
  for (Round t = 1; t <= 200; ++t) {
    whole.apply(Play{});
    for (Model& one : alone) one.apply(Play{});
    const Vec x = decision(whole);
    for (std::size_t b = 0; b < 3; ++b)
      ASSERT_EQ(part(x, begin[b], begin[b + 1]), decision(alone[b])) << t << ", " << b;
    waiting.push_back(t);
    while (!waiting.empty() && random.uniform() < 0.5) {
      const std::size_t pick = random.below(waiting.size());
      Vec g(7);
      for (double& gi : g) gi = random.gaussian();
      whole.apply(Gradient{waiting[pick], Covector::dense(g)});
      for (std::size_t b = 0; b < 3; ++b)
        alone[b].apply(Gradient{waiting[pick], Covector::dense(part(g, begin[b], begin[b + 1]))});
      waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(pick));
    }
  }
  EXPECT_GT(whole.learner().instances(), 3u);  // BOLD's copies count
}

TEST(PerBlock, PredictsTheSumOfItsBlocks) {
  Model model = made(blocks(kFirst, kSecond, R"({"type": "delayed_ofw", "eta": 0.1})"), SquaredLoss{});
  const std::vector<Index> indices = {1, 2, 4, 6};
  const Vec values = {1, -2, 0.5, 3};
  const Covector features = Covector::sparse(indices, values);
  for (Round t = 1; t <= 20; ++t) {
    const double prediction = model.apply(Play{features}).prediction;
    EXPECT_NEAR(prediction, features.dot(decision(model)), 1e-12);
    model.apply(Label{t, 1.5});
  }
}

// The squared loss over the features (1, 1), one in each of two intervals: after a burst of the same answer, gradients
// at the played point push as hard as ever, fresh ones stop at the answer.
TEST(PerBlock, FreshGradientsSeeWhatEarlierOnesDid) {
  const std::string set = R"({"type": "product", "parts": [{"type": "box", "lower": [-9], "upper": [9]},)"
                          R"( {"type": "box", "lower": [-9], "upper": [9]}]})";
  const auto after_burst = [&](const std::string& more) {
    const std::string ofw = R"({"type": "delayed_ofw", "eta": 0.1})";
    const spec::Value value =
        spec::parse_json(R"({"type": "per_block", "learners": [)" + ofw + ", " + ofw + "]" + more + "}");
    const spec::Value set_value = spec::parse_json(set);
    const AnySet made = make_set(spec::Node(set_value, "set"));
    Model model(made, make_learner(spec::Node(value, "learner"), {.set = made, .initial = {}}), SquaredLoss{});
    const Vec features = {1, 1};
    for (int t = 0; t < 100; ++t) model.apply(Play{Covector::dense(features)});
    for (Round t = 1; t <= 100; ++t) model.apply(Label{t, 2});
    return model.apply(Play{Covector::dense(features)}).prediction;
  };
  EXPECT_GT(after_burst(""), 10);
  EXPECT_NEAR(after_burst(R"(, "gradients": "fresh")"), 2, 0.1);
}

TEST(PerBlock, CertifiesTheSumOfItsBlocks) {
  const std::string ofw = R"({"type": "delayed_ofw", "eta": 0.05})";
  const auto certificate = [&](const std::string& learner) {
    Model model = made(learner);
    model.apply(Play{});
    model.apply(Gradient{1, Covector::dense(Vec(7, 1.0))});
    return model.certificate();
  };
  EXPECT_TRUE(certificate(blocks(ofw, ofw, ofw)));
  EXPECT_FALSE(certificate(blocks(ofw, ofw, R"({"type": "stay"})")));  // which has no bound
  EXPECT_FALSE(certificate(blocks(ofw, ofw, ofw, R"(, "gradients": "fresh")")));
  const theory::Seen seen{.rounds = 10, .sum_outstanding = 5, .largest_delay = 3, .gradient_bound = 2};
  double sum = 0;
  const spec::Value value = spec::parse_json(ofw), set = spec::parse_json(kSet);
  const AnySet product = make_set(spec::Node(set, "set"));
  for (const AnySet& one : product.parts())
    sum += make_learner(spec::Node(value, "learner"), {.set = one, .initial = {}}).bound(seen).value();
  EXPECT_DOUBLE_EQ(made(blocks(ofw, ofw, ofw)).learner().bound(seen).value(), sum);
}

TEST(PerBlock, RefusesWhatDoesNotFit) {
  EXPECT_ERROR(made(R"({"type": "per_block", "learners": [{"type": "stay"}]})"), Code::kUnsupported,
               "per_block: needs a product with a part for each learner: it has 3 parts, and 1 learners came");
  EXPECT_ERROR(lab::make_model(R"({"type": "simplex", "dimension": 3})",
                               R"({"type": "per_block", "learners": [{"type": "stay"}]})"),
               Code::kUnsupported, "per_block: needs a product, but this set is not one");
  EXPECT_ERROR(made(blocks(kFirst, kSecond, kThird, R"(, "gradients": "stale")")), Code::kBadSpec,
               "per_block: gradients must be \"played\" or \"fresh\" (gradients = \"stale\")");
  EXPECT_ERROR(made(blocks(kSecond, kSecond, kThird)), Code::kUnsupported,
               "box_ftrl: needs a box, but this set is not one");
}

}  // namespace
}  // namespace tarry
