#include "tarry/learners/descent/delayed_ogd.h"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>

#include "tarry/model/model_spec.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

// The largest error on harmless numbers: thirty features, labels around 50, known `delay` rounds later.
double largest_error(const std::string& learner, Round delay, bool standardise = true) {
  const std::string spec =
      R"({"set": {"type": "linf_ball", "dimension": 31, "radius": 1e6}, "loss": {"type": "squared"},
    "standardise": )" +
      std::string(standardise ? "true" : "false") + R"(, "learner": )" + learner + "}";
  Model model = make_model(ModelSpec::parse(spec));
  double largest = 0;
  std::uint64_t state = 1;
  const auto draw = [&] {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state >> 40) / static_cast<double>(1 << 24) - 0.5;
  };
  std::deque<double> labels;
  for (Round t = 1; t <= 1500; ++t) {
    Vec x(31, 1.0);
    double y = 50;
    for (std::size_t i = 0; i < 30; ++i) y += 3 * (i % 2 == 0 ? 1 : -1) * (x[i] = 3 * draw());
    const double predicted = model.apply(Play{Features(x)}).prediction;
    largest = std::max(largest, std::fabs(predicted - y));
    labels.push_back(y);
    if (t > delay) model.apply(Label{t - delay, LabelValue(labels[t - delay - 1])});
  }
  return largest;
}

TEST(DelayedOgd, WithFreshGradientsStaysInReachOfTheLabels) {
  for (Round delay : {0, 10, 300})
    EXPECT_LT(largest_error(R"({"type": "delayed_ogd", "eta": 0.01, "gradients": "fresh"})", delay), 300) << delay;
  EXPECT_LT(largest_error(R"({"type": "delayed_ogd", "eta": 10, "gradients": "fresh"})", 20), 1e4);
}

TEST(DelayedOgd, WithPlayedGradientsIsWhatItWas) {
  EXPECT_GT(largest_error(R"({"type": "delayed_ogd", "eta": 0.01})", 10), 1e6);
}

TEST(DelayedOgd, HasTwoWordsForGradients) {
  const Thrown thrown =
      thrown_by([] { largest_error(R"({"type": "delayed_ogd", "eta": 0.01, "gradients": "new"})", 1); });
  EXPECT_EQ(thrown.code, Code::kBadSpec);
  EXPECT_NE(thrown.message.find(R"(gradients must be "played" or "fresh")"), std::string::npos) << thrown.message;
}

}  // namespace
}  // namespace tarry
