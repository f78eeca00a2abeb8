// Features that come with the label: the learners inside others learn as if they had been there at play.
#include <gtest/gtest.h>

#include <cmath>

#include "tarry/base/random.h"
#include "tarry/learners/registry.h"
#include "tarry/losses/registry.h"
#include "tarry/model/model.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"

namespace tarry {
namespace {

Model made(const std::string& set, const std::string& learner, const std::string& loss) {
  const spec::Value set_spec = spec::parse_json(set), learner_spec = spec::parse_json(learner),
                    loss_spec = spec::parse_json(loss);
  const AnySet k = make_set(spec::Node(set_spec, "set"));
  return Model(k, make_learner(spec::Node(learner_spec, "learner"), {.set = k, .initial = {}}),
               make_loss(spec::Node(loss_spec, "loss")));
}

// The same game twice, features at play and with the label: one and the same decisions, up to rounding.
void play_both(const std::string& set, const std::string& learner, const std::string& loss, Round delay) {
  Model early = made(set, learner, loss), late = made(set, learner, loss);
  const auto n = static_cast<std::size_t>(early.set().dimension());
  RandomSequence random(11);
  std::vector<Vec> rows(1);
  Vec x(n), y(n);
  for (Round t = 1; t <= 300; ++t) {
    rows.emplace_back(n);
    for (double& a : rows.back()) a = 0.2 + random.uniform();
    early.apply(Play{Covector::dense(rows[t])});
    late.apply(Play{});
    early.write(x);
    late.write(y);
    for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(x[i], y[i], 1e-9) << "round " << t;
    if (t < delay) continue;
    const Round k = t + 1 - delay;
    const double label = k % 3 == 0 ? 0.8 : 0.1;
    early.apply(Label{k, label});
    late.apply(Label{k, label, Covector::dense(rows[k])});
  }
}

constexpr const char* kSimplex3 = R"({"type": "simplex", "dimension": 3})";
constexpr const char* kBases =
    R"({"type": "hedge", "learners": [{"type": "stay"}, {"type": "delayed_ogd", "eta": 0.4}]})";

TEST(LateFeatures, HedgeTrainsItsBasesWhereTheyPlayed) {
  for (Round delay : {1u, 7u})
    for (const char* loss : {R"({"type": "log_wealth"})", R"({"type": "squared"})"}) {
      ASSERT_NO_FATAL_FAILURE(play_both(kSimplex3, kBases, loss, delay)) << delay << " " << loss;
      ASSERT_NO_FATAL_FAILURE(play_both(kSimplex3, R"({"type": "auto"})", loss, delay)) << delay << " " << loss;
    }
}

TEST(LateFeatures, BlocksKnowWhatTheyPredicted) {
  const std::string set = R"({"type": "product", "parts": [{"type": "box", "dimension": 2, "lower": -1, "upper": 1},)"
                          R"( {"type": "simplex", "dimension": 2}]})";
  for (Round delay : {1u, 7u})
    for (const char* block : {kBases, R"({"type": "auto"})"}) {
      const std::string learner =
          R"({"type": "per_block", "learners": [)" + std::string(block) + ", " + std::string(block) + "]}";
      ASSERT_NO_FATAL_FAILURE(play_both(set, learner, R"({"type": "squared"})", delay)) << delay << " " << block;
      const std::string over = R"({"type": "hedge", "learners": [)" + learner + "]}";  // blocks under a hedge
      ASSERT_NO_FATAL_FAILURE(play_both(set, over, R"({"type": "squared"})", delay)) << delay << " " << block;
    }
}

// The label is always on the side where the mean is not. A base that is told the gradient at the mean goes wherever the
// mean should, and is judged where it stands.
TEST(LateFeatures, RegretOfAHedgeIsThatOfABaseAndTheTheorem) {
  const std::string box = R"({"type": "box", "dimension": 1, "lower": -1, "upper": 1})";
  const std::string descent = R"({"type": "delayed_ogd", "eta": 0.01})";
  Model whole =
      made(box, R"({"type": "hedge", "learners": [{"type": "stay"}, )" + descent + "]}", R"({"type": "absolute"})");
  Model alone = made(box, descent, R"({"type": "absolute"})");
  const Vec one = {1};
  double whole_loss = 0, alone_loss = 0, spread = 0;
  Vec x(1), y(1);
  constexpr Round kRounds = 20000;
  for (Round t = 1; t <= kRounds; ++t) {
    whole.apply(Play{});
    alone.apply(Play{});
    whole.write(x);
    alone.write(y);
    const double label = x[0] < 0.3 ? 0.3 : -0.3;  // always a little away from the mean
    whole_loss += whole.apply(Label{t, label, Covector::dense(one)}).loss;
    alone_loss += alone.apply(Label{t, label, Covector::dense(one)}).loss;
    spread += std::pow(std::fabs(y[0] - label) - std::fabs(label), 2);
  }
  EXPECT_LE(whole_loss, alone_loss + std::sqrt(2 * spread) + 1e-6);
}

}  // namespace
}  // namespace tarry
