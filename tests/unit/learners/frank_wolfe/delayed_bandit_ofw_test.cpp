#include "tarry/learners/frank_wolfe/delayed_bandit_ofw.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tarry/lab/verify/verify.h"
#include "tarry/linalg/norms.h"
#include "tarry/model/model.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

const std::string kSquare = R"({"type": "box", "dimension": 2, "lower": 0, "upper": 1})";

std::string bandit(Round horizon, const std::string& more = "") {
  return R"({"type": "delayed_bandit_ofw", "horizon": )" + std::to_string(horizon) + R"(, "lipschitz": 2)" + more + "}";
}

// That a call is refused, in a line that says this.
template <class Call>
void expect_refusal(Code code, const std::string& says, Call call) {
  const Thrown thrown = thrown_by(call);
  EXPECT_NE(thrown.message.find(says), std::string::npos) << thrown.message;
  EXPECT_EQ(static_cast<int>(thrown.code), static_cast<int>(code));
}

double squared_distance(const Vec& a, const Vec& b) {
  return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
}

// ½‖x − (0.2, 0.9)‖²: values from 0 to 0.725, gradients up to 1.2.
double cost_of(const Vec& x) { return ((x[0] - 0.2) * (x[0] - 0.2) + (x[1] - 0.9) * (x[1] - 0.9)) / 2; }

// The mean cost of the last quarter, each value told `delay` rounds later.
double late_cost(Round rounds, Round delay) {
  Model model = lab::make_model(kSquare, bandit(rounds, R"(, "largest_delay": )" + std::to_string(delay)));
  Vec x(2), costs;
  double last = 0;
  for (Round t = 1; t <= rounds; ++t) {
    model.apply(Play{});
    model.write(x);
    EXPECT_TRUE(model.set().contains(x, 1e-9));
    costs.push_back(cost_of(x));
    if (4 * t > 3 * rounds) last += costs.back();
    if (t >= delay) model.apply(LossValue{t - delay + 1, costs[t - delay]});
  }
  return last / (static_cast<double>(rounds) / 4);
}

TEST(DelayedBanditOfw, FindsALowerPlaceByValuesAlone) {
  const double at_start = cost_of({0.5, 0.5});
  EXPECT_LT(late_cost(40000, 1), 0.75 * at_start);
  EXPECT_LT(late_cost(40000, 200), 0.75 * at_start);
}

// The same with the values at both points.
double late_cost_of_two(Round rounds, Round delay) {
  Model model = lab::make_model(kSquare, bandit(rounds, R"(, "probes": 2, "largest_delay": )" + std::to_string(delay)));
  std::vector<LossValue> told;
  double last = 0;
  for (Round t = 1; t <= rounds; ++t) {
    model.apply(Play{});
    const Vec x = model.decision(), probe = model.probe();
    EXPECT_TRUE(model.set().contains(probe, 1e-9));
    told.push_back({t, cost_of(x), cost_of(probe)});
    if (4 * t > 3 * rounds) last += cost_of(x);
    if (t >= delay) model.apply(told[t - delay]);
  }
  EXPECT_TRUE(model.certificate().has_value());
  return last / (static_cast<double>(rounds) / 4);
}

TEST(DelayedBanditOfw, TwoValuesARoundTeachFarMore) {
  const double at_start = cost_of({0.5, 0.5});
  EXPECT_LT(late_cost_of_two(4000, 1), 0.1 * at_start);
  EXPECT_LT(late_cost_of_two(4000, 50), 0.3 * at_start);
}

TEST(DelayedBanditOfw, PromisesNothingOnceTwoValuesAreTooFarApart) {
  Model model = lab::make_model(kSquare, bandit(100, R"(, "probes": 2)"));
  for (Round t = 1; t <= 2; ++t) {
    model.apply(Play{});
    const double apart = std::sqrt(squared_distance(model.decision(), model.probe()));
    model.apply(LossValue{t, 0.5, 0.5 + (t == 1 ? 1.999 : 2.001) * apart});
    EXPECT_EQ(model.certificate().has_value(), t == 1);
  }
}

TEST(DelayedBanditOfw, PromisesNothingOnceAValueIsOutOfItsRange) {
  Model model = lab::make_model(kSquare, bandit(100));
  model.apply(Play{});
  model.apply(LossValue{1, 0.3});
  EXPECT_TRUE(model.certificate().has_value());
  model.apply(Play{});
  model.apply(LossValue{2, 1.2});
  EXPECT_FALSE(model.certificate().has_value());
}

TEST(DelayedBanditOfw, ARoundThatIsGivenUpCostsWhatItCanAtMost) {
  Model model = lab::make_model(kSquare, bandit(100));
  model.apply(Play{});
  model.apply(Play{});
  model.apply(LossValue{1, 0.3});
  const double before = model.certificate().value();
  model.apply(Expire{2});
  EXPECT_NEAR(model.certificate().value(), before + 2 * std::sqrt(2), 1e-9);
}

TEST(DelayedBanditOfw, ExplainsThePlanForAllOfItsRounds) {
  const theory::BanditScene scene{
      .diameter = std::sqrt(2), .inner_radius = 0.5, .lipschitz = 2, .half_range = 0.5, .dimension = 2};
  const theory::BanditPlan plan = theory::bandit_plan(scene, 1000, 1);
  const double blocks = std::ceil(1000 / static_cast<double>(plan.block));
  const Model fresh = lab::make_model(kSquare, bandit(1000));
  EXPECT_NEAR(fresh.learner().bound({.rounds = 1000}).value(), theory::bandit_ofw(scene, plan, {1000, blocks, 0}),
              1e-9);
}

// Each block's values are of its own share of the loss, whose regrets do not add up.
TEST(DelayedBanditOfw, PromisesNothingForABlockOfACurvedLoss) {
  const std::string both = R"({"type": "product", "parts": [)" + kSquare + ", " + kSquare + "]}",
                    one = bandit(100, R"(, "loss_range": [-9, 9])"),
                    learner = R"({"type": "per_block", "learners": [)" + one + ", " + one + "]}";
  const Vec features = {0.1, 0, 0, 0.1};
  const auto certificate = [&](const char* loss) {
    Model model = lab::make_model(both, learner, {}, loss);
    model.apply(Play{Covector::dense(features)});
    model.apply(Label{1, 1});
    return model.certificate();
  };
  EXPECT_TRUE(certificate("linear"));
  EXPECT_FALSE(certificate("squared"));
}

TEST(DelayedBanditOfw, ALinearLossesGradientSaysItsValue) {
  const std::string wide = R"(, "loss_range": [-3, 3])";
  Model by_value = lab::make_model(kSquare, bandit(30, wide)), by_gradient = lab::make_model(kSquare, bandit(30, wide));
  const Vec g = {1, -1};
  Vec x(2), y(2);
  for (Round t = 1; t <= 30; ++t) {
    for (Model* model : {&by_value, &by_gradient}) model->apply(Play{});
    by_value.write(x);
    by_gradient.write(y);
    EXPECT_EQ(x, y);
    by_value.apply(LossValue{t, x[0] - x[1]});
    by_gradient.apply(Gradient{t, Covector::dense(g)});
  }
}

TEST(LossValues, AreRefusedWhereTheyAreNotEnough) {
  Model other = lab::make_model(kSquare, R"({"type": "delayed_ofw", "eta": 0.1})");
  other.apply(Play{});
  expect_refusal(Code::kBadInput, "a loss value is not enough for delayed_ofw", [&] {
    other.apply(LossValue{1, 0.5});
  });
  Model with_loss = lab::make_model(kSquare, bandit(10), {}, "squared");
  with_loss.apply(Play{});
  expect_refusal(Code::kBadInput, "give the label", [&] { with_loss.apply(LossValue{1, 0.5}); });
  Model model = lab::make_model(kSquare, bandit(10));
  model.apply(Play{});
  expect_refusal(Code::kBadInput, "loss must be a number", [&] { model.apply(LossValue{1, std::nan("")}); });
  EXPECT_EQ(model.apply(LossValue{1, 0.5}).answer, Answer::kApplied);  // nothing was half done
  EXPECT_EQ(model.apply(LossValue{1, 0.5}).answer, Answer::kDuplicate);
  EXPECT_EQ(model.apply(LossValue{9, 0.5}).answer, Answer::kUnknown);
}

TEST(DelayedBanditOfw, RefusesASetWithoutAnInterior) {
  expect_refusal(Code::kUnsupported, "a set with an interior",
                 [] { lab::make_model(R"({"type": "simplex", "dimension": 3})", bandit(10)); });
}

}  // namespace
}  // namespace tarry
