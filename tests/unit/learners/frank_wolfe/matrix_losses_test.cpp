// Every loss on observed entries of a matrix, one or many a round: the factored matrix predicts as the dense one.
#include <gtest/gtest.h>

#include "tarry/base/random.h"
#include "tarry/learners/registry.h"
#include "tarry/losses/registry.h"
#include "tarry/model/model.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"

namespace tarry {
namespace {

constexpr Index kRows = 6, kCols = 5;

Model made(const std::string& storage, const std::string& loss) {
  const spec::Value set = spec::parse_json(R"({"type": "nuclear_ball", "rows": 6, "cols": 5, "radius": 4})");
  const spec::Value learner =
      spec::parse_json(R"({"type": "delayed_ofw", "eta": 0.3, "oracle_error": 0, "storage": ")" + storage + "\"}");
  const spec::Value loss_value = spec::parse_json(loss);
  const AnySet ball = make_set(spec::Node(set, "set"));
  return Model(ball, make_learner(spec::Node(learner, "learner"), {.set = ball, .initial = {}}),
               make_loss(spec::Node(loss_value, "loss")));
}

TEST(MatrixLosses, OnOneEntryOrManyAreLearntFactoredAsDense) {
  for (const std::string loss : {R"({"type": "squared"})", R"({"type": "logistic"})", R"({"type": "absolute"})",
                                 R"({"type": "huber", "threshold": 0.5})"})
    for (const std::size_t entries : {1, 3}) {
      Model dense = made("dense", loss), factored = made("factored", loss);
      RandomSequence random(7, 1);
      double first = 0, last = 0;
      for (Round t = 1; t <= 40; ++t) {
        std::vector<Index> at;
        for (Index i = static_cast<Index>(random.below(4)); at.size() < entries;
             i += 1 + static_cast<Index>(random.below(8)))
          at.push_back(i);
        ASSERT_LT(at.back(), kRows * kCols);
        Vec weights(entries);  // different ones: equal singular values would leave the choice open
        for (double& w : weights) w = random.uniform(0.5, 1.5);
        const Covector features = Covector::sparse(at, weights);
        const double prediction = dense.apply(Play{features}).prediction;
        ASSERT_NEAR(factored.apply(Play{features}).prediction, prediction, 1e-8)
            << loss << ", " << entries << ", " << t;
        Vec x(static_cast<std::size_t>(kRows * kCols));
        factored.write(x);
        ASSERT_NEAR(features.dot(x), prediction, 1e-8);
        const auto outcome = dense.apply(Label{t, 1});  // what everybody likes
        factored.apply(Label{t, 1});
        (t <= 10 ? first : last) += t <= 10 || t > 30 ? outcome.loss : 0;
      }
      EXPECT_LT(last, first) << loss << ", " << entries;
    }
}

}  // namespace
}  // namespace tarry
