#include "tarry/learners/leaders/box_ftrl_sc.h"

#include <fmt/format.h>

#include <algorithm>

#include "tarry/base/error.h"
#include "tarry/learners/kept_memo.h"
#include "tarry/learners/registry.h"

namespace tarry {
namespace {

constexpr double kPrior = 10;  // in curvatures of one round with a feature of 1

}  // namespace

LearnerEntry box_ftrl_sc_entry() {
  return {
      .name = "box_ftrl_sc",
      .summary = "Follow the regularised leader per coordinate of a box, for losses curved in the prediction",
      .keys = {{"beta", "a positive number: the losses' curvature (2 for squared); less follows drift", ""},
               {"prior", "a positive number: the curvature that holds a coordinate at its centre", "10 beta"}},
      .make = [](const spec::Node& node, const LearnerSetting& setting) -> AnyLearner {
        setting.refuse_initial(node);
        auto box = setting.set.bounds();
        if (!box) node.fail_whole("needs a box, but this set is not one", Code::kUnsupported);
        const double beta = node.positive("beta");
        return BoxFtrlSc(std::move(*box), beta, node.positive_or("prior", kPrior * beta));
      },
      .examples = {R"({"type": "box_ftrl_sc", "beta": 0.7})", R"({"type": "box_ftrl_sc", "beta": 2, "prior": 0.1})"},
      .cost = [](const spec::Value&, const CostScene& scene) { return touched_cost(scene); },
      .promise = [](const spec::Value&) -> Promise { return {.made = false, .strongly_convex = true}; },
      .revises = "box_ftrl_sc"};
}

BoxFtrlSc::BoxFtrlSc(Bounds box, double beta, double prior)
    : box_(std::move(box)), beta_(beta), prior_(prior), sums_(box_.dimension(), 2) {
  if (!(beta > 0)) throw Error(Code::kBadSpec, fmt::format("box_ftrl_sc: beta must be positive (beta = {})", beta));
  if (!(prior > 0)) throw Error(Code::kBadSpec, fmt::format("box_ftrl_sc: prior must be positive (prior = {})", prior));
}

double BoxFtrlSc::value(Index i) const {
  const double* sums = sums_.find(i);
  if (sums == nullptr) return box_.centre(i);
  const auto [curvature, pull] = std::pair(sums[0], sums[1]);
  const double x = box_.centre(i) + pull / (prior_ + curvature);
  return std::min(box_.upper(i), std::max(box_.lower(i), x));  // in this order NaN, from infinities, becomes a bound
}

// The memo: with features (1), each one's value and where its coordinate stood; without (0), where all of them stood.
double BoxFtrlSc::play(Round, const Covector* features, Memo& memo) {
  memo.push_back(features != nullptr ? 1 : 0);
  if (features == nullptr) {
    memo.resize(1 + full_size(dimension()));
    write(std::span(memo).subspan(1));
    return 0;
  }
  double prediction = 0;
  features->each([&](Index i, double a) {
    const double x = value(i);
    prediction += a * x;
    memo.push_back(a);
    memo.push_back(x);
  });
  return prediction;
}

double BoxFtrlSc::predict(const Covector& features) const {
  double prediction = 0;
  features.each([&](Index i, double a) { prediction += a * value(i); });
  return prediction;
}

void BoxFtrlSc::write(std::span<double> x) const {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = value(static_cast<Index>(i));
}

void BoxFtrlSc::learn(Index i, double feature, double gradient, double at) {
  double* sums = sums_.touch(i);
  const double curvature = beta_ * feature * feature;
  sums[0] += curvature;
  sums[1] += curvature * (at - box_.centre(i)) - gradient;
}

// The memo then has where the gradient was taken: the link and the predictions.
void BoxFtrlSc::settle(Round t, const Feedback& feedback, Memo& memo) {
  const KnownLoss& known = *feedback.known;
  Memo at = {known.now.centre, known.now.scale};
  for (std::size_t k = 0; k < known.outputs(); ++k) at.push_back(predict(known.features.output(k)));
  receive(t, feedback, memo);
  memo = std::move(at);
}

void BoxFtrlSc::revise(const Revision& revision, Memo& memo) {
  sums_.settle();
  KnownLoss before = *revision.before.known, after = *revision.after.known;
  const std::size_t outputs = after.outputs();
  before.now = after.now = {kept_number(memo, 0), kept_number(memo, 1)};
  kept_number(memo, 1 + outputs);
  const auto predictions = std::span<const double>(memo).subspan(2, outputs);
  Vec was(outputs), now(outputs), values;
  before.fresh_slopes(predictions, was);
  after.fresh_slopes(predictions, now);
  for (std::size_t k = 0; k < outputs; ++k) now[k] -= was[k];
  after.gradient(now, values).each([&](Index i, double g) { learn(i, 0, g, 0); });
}

void BoxFtrlSc::receive(Round, const Feedback& feedback, const Memo& memo) {
  sums_.settle();
  const Covector& gradient = feedback.gradient;
  if (feedback.known != nullptr) {
    Vec values;
    const Covector fresh = feedback.known->fresh_gradient([&](const Covector& a) { return predict(a); }, values);
    std::size_t j = 0;
    feedback.known->features.each([&](Index i, double a) { learn(i, a, fresh.values()[j++], value(i)); });
  } else if (kept_number(memo, 0) == 0) {  // a loss over the raw decision is curved in every coordinate
    if (static_cast<Index>(memo.size() - 1) != dimension())
      throw Error(Code::kCorrupt,
                  fmt::format("a round's memo has {} coordinates, and the set {}", memo.size() - 1, dimension()));
    for (std::size_t i = 1; i < memo.size(); ++i) learn(static_cast<Index>(i - 1), 1, 0, memo[i]);
    gradient.each([&](Index i, double g) { learn(i, 0, g, 0); });
  } else if (feedback.slope && memo.size() == 1 + 2 * gradient.stored()) {
    std::size_t j = 1;
    gradient.each([&](Index i, double g) {
      learn(i, memo[j], g, memo[j + 1]);
      j += 2;
    });
  } else {  // a gradient that is not of the features' form says nothing of curvature
    gradient.each([&](Index i, double g) { learn(i, 0, g, 0); });
  }
}

}  // namespace tarry
