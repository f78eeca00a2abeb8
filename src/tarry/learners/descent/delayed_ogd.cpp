#include "tarry/learners/descent/delayed_ogd.h"

#include <fmt/format.h>

#include <algorithm>

#include "tarry/base/error.h"
#include "tarry/base/within.h"
#include "tarry/learners/registry.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/sets/checks.h"
#include "tarry/theory/bounds.h"
#include "tarry/theory/step_size.h"

namespace tarry {
namespace {

void refuse_without_projection(const spec::Node& node, const AnySet& set) {
  if (!set.can_project())
    node.fail_whole("needs a set with a cheap projection, but this one has none", Code::kUnsupported);
}

double read_eta(const spec::Node& node, const AnySet& set) {
  if (node.has("eta")) {
    for (const char* key : {"horizon", "gradient_bound", "mean_delay"})
      if (node.has(key)) node.fail_whole(fmt::format("give either eta or {}, not both", key));
    return node.positive("eta");
  }
  if (!node.has("horizon") && !node.has("gradient_bound")) node.fail_whole("give eta, or horizon and gradient_bound");
  const auto horizon = static_cast<double>(node.count("horizon", 1, Index{1} << 53));
  const double bound = node.positive("gradient_bound"), mean = node.number_or("mean_delay", 1);
  if (mean < 1) node.at("mean_delay").fail("at least 1 (no delay is 1)");
  return set.diameter() > 0 ? theory::ogd_eta(set.diameter(), bound, horizon, mean) : 1;
}

}  // namespace

OgdStep::OgdStep(double eta) : eta_(eta) { check_positive("delayed_ogd", "eta", eta); }
OgdScStep::OgdScStep(double beta) : beta_(beta) { check_positive("delayed_ogd_sc", "beta", beta); }

template <class Step>
DelayedOgd<Step>::DelayedOgd(AnySet set, Step step, Vec start, bool fresh)
    : set_(std::move(set)), step_(step), fresh_(fresh), x_(std::move(start)), arrived_(x_.size(), 0.0) {}

template <class Step>
double DelayedOgd<Step>::play(Round, const Covector* features, Memo&) {
  if (arrivals_ > 0) {
    kernels::blend(x_, 1, arrived_, -step_.next(arrivals_));
    set_.project(x_);
    std::fill(arrived_.begin(), arrived_.end(), 0.0);
    arrivals_ = 0;
  }
  return features != nullptr ? predict(*features) : 0;
}

template <class Step>
void DelayedOgd<Step>::write(std::span<double> x) const {
  std::copy(x_.begin(), x_.end(), x.begin());
}

template <class Step>
void DelayedOgd<Step>::learn_now(const KnownLoss& known) {
  Vec predictions, slopes(known.outputs()), values;
  for (std::size_t k = 0; k < known.outputs(); ++k) predictions.push_back(predict(known.features.output(k)));
  known.fresh_slopes(predictions, slopes);
  const double unit = known.now.scale;
  double step = step_.next(1) / (unit > 0 ? unit * unit : 1);
  if (known.outputs() == 1 && slopes[0] != 0) {
    const double length = known.features.norm();
    const double there = predictions[0] - step * slopes[0] * length * length;
    double slope_there = 0;
    known.fresh_slopes({&there, 1}, {&slope_there, 1});
    // Past the minimum: to where the slope between the two is 0, which for squares is the minimum itself.
    if (slopes[0] * slope_there < 0) step *= slopes[0] / (slopes[0] - slope_there);
  }
  known.gradient(slopes, values).add_to(x_, -step);
  set_.project(x_);
}

template <class Step>
void DelayedOgd<Step>::receive(Round, const Feedback& feedback, const Memo&) {
  if (fresh_ && feedback.known != nullptr) return learn_now(*feedback.known);
  feedback.gradient.add_to(arrived_);
  ++arrivals_;
}

template <class Step>
void DelayedOgd<Step>::save(ByteWriter& out) const {
  step_.save(out);
  out.reals(x_);
  out.reals(arrived_);
  out.u64(arrivals_);
}

template <class Step>
void DelayedOgd<Step>::load(ByteReader& in) {
  step_.load(in);
  for (Vec* x : {&x_, &arrived_}) check_within(*x = in.reals(x->size()));
  arrivals_ = in.u64();
}

template <class Step>
std::optional<double> DelayedOgd<Step>::bound(const theory::Seen& seen) const {
  if (fresh_) return std::nullopt;  // the theorem is about gradients at the points that were played
  if constexpr (requires { step_.eta(); }) {
    const theory::Scene scene{set_.diameter(), seen.gradient_bound, seen.rounds, seen.mean_delay(), seen.largest_delay};
    if (set_.diameter() > 0 && !theory::squares_are_kept(set_.diameter() * set_.diameter())) return std::nullopt;
    return theory::ogd_with_eta(scene, step_.eta());
  }
  return std::nullopt;
}

template class DelayedOgd<OgdStep>;
template class DelayedOgd<OgdScStep>;

namespace {

Cost projection_cost(const spec::Value&, const CostScene& scene) {
  const Index n = scene.set.dimension();
  return full_cost(scene.set, fmt::format("one projection of {} coordinate{}", n, n == 1 ? "" : "s"));
}

VerifyRows ogd_rows() {
  return {
      .drawn = {{"delayed_ogd", R"({"type": "delayed_ogd", "horizon": $T, "gradient_bound": 1, "mean_delay": 20})"}},
      .rates = {{.learner = {"delayed_ogd", R"({"type": "delayed_ogd", "horizon": $T, "gradient_bound": 1})"},
                 .set = R"({"type": "l2_ball", "dimension": 3, "radius": 1})",
                 .theory = 0.5,
                 .exact = true}},
      .planted = {{"delayed_ogd", R"({"type": "delayed_ogd", "eta": 0.5})"}}};
}

}  // namespace

LearnerEntry delayed_ogd_entry() {
  return {.name = "delayed_ogd",
          .summary = "Delayed online gradient descent with projections (a baseline)",
          .keys = {{"eta", "a positive number (or give horizon and gradient_bound)", "optional"},
                   {"horizon", "the number of rounds T", "optional"},
                   {"gradient_bound", "a bound on the gradients' 2-norm, G", "optional"},
                   {"mean_delay", "a number of at least 1", "1"},
                   {"gradients",
                    "\"played\", or \"fresh\": taken where the weights are when a label comes, in units of the labels' "
                    "deviation, and no step goes past its label",
                    "played"}},
          .make = [](const spec::Node& node, const LearnerSetting& setting) -> AnyLearner {
            refuse_without_projection(node, setting.set);
            const std::string at = node.text_or("gradients", "played");
            if (at != "played" && at != "fresh") node.at("gradients").fail("\"played\" or \"fresh\"");
            return DelayedOgd<OgdStep>(setting.set, OgdStep(read_eta(node, setting.set)), start_point(setting.shape()),
                                       at == "fresh");
          },
          .examples = {R"({"type": "delayed_ogd", "eta": 0.1})",
                       R"({"type": "delayed_ogd", "eta": 0.1, "gradients": "fresh"})",
                       R"({"type": "delayed_ogd", "horizon": 100, "gradient_bound": 3, "mean_delay": 5})"},
          .cost = projection_cost,
          .promise = [](const spec::Value& learner) -> Promise {
            return {.made = learner.text_at("gradients") != "fresh", .losses = "convex losses"};
          },
          .verify = ogd_rows,
          .first_file = R"([[learners]]
name = "delayed OGD"
type = "delayed_ogd"
horizon = "rounds"
gradient_bound = "stream"
mean_delay = "delays"
)"};
}

LearnerEntry delayed_ogd_sc_entry() {
  return {.name = "delayed_ogd_sc",
          .summary = "Delayed online gradient descent for strongly convex losses (a baseline)",
          .keys = {{"beta", "a positive number: the losses' strong convexity", ""}},
          .make = [](const spec::Node& node, const LearnerSetting& setting) -> AnyLearner {
            refuse_without_projection(node, setting.set);
            return DelayedOgd<OgdScStep>(setting.set, OgdScStep(node.number("beta")), start_point(setting.shape()));
          },
          .examples = {R"({"type": "delayed_ogd_sc", "beta": 0.7})"},
          .cost = projection_cost,
          .promise = [](const spec::Value& learner) -> Promise {
            return {.made = false, .strongly_convex = true, .curvature = learner.number_at("beta")};
          },
          .verify = []() -> VerifyRows {
            return {.drawn = {{"delayed_ogd_sc", R"({"type": "delayed_ogd_sc", "beta": 0.5})"}}};
          }};
}

}  // namespace tarry
