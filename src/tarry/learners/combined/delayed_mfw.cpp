#include "tarry/learners/combined/delayed_mfw.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/error.h"
#include "tarry/base/random.h"
#include "tarry/learners/combined/nested_memo.h"
#include "tarry/learners/frank_wolfe/delayed_ospf.h"
#include "tarry/learners/kept_memo.h"
#include "tarry/learners/leaders/gauge_ftrl.h"
#include "tarry/learners/registry.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/theory/bounds.h"

namespace tarry {
namespace {

constexpr Index kMostCalls = Index{1} << 20;
constexpr Index kMostSeed = Index{1} << 53;
constexpr double kLargestGradient = 1e100;  // as models take them

bool is_perturbed(const spec::Node& node, const AnySet& set) {
  const std::string copies = node.text_or("copies", set.gauge_curvature() ? "gauge" : "perturbed");
  if (copies != "gauge" && copies != "perturbed") node.at("copies").fail("\"gauge\" or \"perturbed\"");
  if (copies == "gauge" && !set.gauge_curvature())
    node.fail_whole(
        "needs a strongly convex set that contains the origin for copies = \"gauge\", but this set is not one",
        Code::kUnsupported);
  return copies == "perturbed";
}

// By round, copy and coordinate; each copy takes its own.
std::vector<OspfOptions> read_perturbations(const spec::Node& node, Index dimension, std::vector<OspfOptions> all) {
  for (const spec::Node& of_round : node.list()) {
    const auto of_copies = of_round.list();
    if (of_copies.size() != all.size()) of_round.fail(fmt::format("{} arrays, one for each oracle call", all.size()));
    for (std::size_t k = 0; k < all.size(); ++k) {
      Vec drawn = of_copies[k].numbers();
      if (static_cast<Index>(drawn.size()) != dimension)
        of_copies[k].fail(fmt::format("{} numbers, the set's dimension", dimension));
      all[k].perturbations.push_back({std::move(drawn)});
    }
  }
  if (all[0].perturbations.empty()) node.fail("an array with an entry for each round");
  return all;
}

DelayedMfw::Copies perturbed_copies(const spec::Node& node, const LearnerSetting& setting, std::size_t calls) {
  if (!node.has("gradient_bound")) node.fail_whole("copies = \"perturbed\" needs gradient_bound");
  const auto seed = node.has("seed") ? static_cast<std::uint64_t>(node.count("seed", 0, kMostSeed)) : 0;
  std::vector<OspfOptions> options;
  for (std::size_t k = 0; k < calls; ++k)
    options.push_back({.delta = 0,
                       .block = 1,
                       .seed = Random(seed, setting.part(k).instance).bits(0)[0],
                       .gradient_bound = node.positive("gradient_bound"),
                       .setting = OspfSetting::kLinear});
  if (const auto given = node.find("perturbations"))
    options = read_perturbations(*given, setting.set.dimension(), std::move(options));
  DelayedMfw::Copies copies{.learners = {}, .draws = true, .most_rounds = options[0].perturbations.size()};
  for (OspfOptions& each : options) copies.learners.emplace_back(DelayedOspf(setting.set, std::move(each)));
  return copies;
}

DelayedMfw::Copies gauge_copies(const spec::Node& node, const AnySet& set, std::size_t calls) {
  // A seed is allowed even if the set chooses the copies, in case they draw.
  if (node.has("perturbations") || (node.has("seed") && node.has("copies")))
    node.fail_whole("seed and perturbations are read only with copies = \"perturbed\"");
  const bool bounded = node.has("gradient_bound");
  const double bound = bounded ? node.positive("gradient_bound") : 0;
  DelayedMfw::Copies copies;
  for (std::size_t k = 0; k < calls; ++k)
    copies.learners.emplace_back(GaugeFtrl(set, bounded ? GaugeStep::kAnytime : GaugeStep::kLight, bound));
  return copies;
}

AnyLearner read_mfw(const spec::Node& node, const LearnerSetting& setting) {
  const auto calls = static_cast<std::size_t>(node.count("oracle_calls", 1, kMostCalls));
  auto copies =
      is_perturbed(node, setting.set) ? perturbed_copies(node, setting, calls) : gauge_copies(node, setting.set, calls);
  return DelayedMfw(setting.set, start_point(setting.shape()), std::move(copies));
}

// Before the set is known: where it decides, what holds for both is said.
bool may_be_perturbed(const spec::Value& learner) { return learner.text_at("copies") != "gauge"; }

Promise mfw_promise(const spec::Value& learner) {
  if (!may_be_perturbed(learner)) return {};
  return {.oblivious = true, .in_the_mean = true};
}

VerifyRows mfw_rows() {
  const NamedSpec perturbed{
      "delayed_mfw perturbed",
      R"({"type": "delayed_mfw", "oracle_calls": 4, "copies": "perturbed", "gradient_bound": 1})"},
      gauge{"delayed_mfw gauge", R"({"type": "delayed_mfw", "oracle_calls": 4, "copies": "gauge"})"},
      anytime{"delayed_mfw gauge anytime",
              R"({"type": "delayed_mfw", "oracle_calls": 3, "copies": "gauge", "gradient_bound": 1})"};
  const std::string ball = R"({"type": "l2_ball", "dimension": 3, "radius": 1})";
  return {.drawn = {perturbed, gauge, anytime},
          .climbed = {anytime},
          .rates = {{.learner = gauge, .set = ball, .instance = Instance::kSigns, .theory = 0.5, .seeds = 64},
                    {.learner = perturbed, .set = ball, .instance = Instance::kSigns, .theory = 0.5, .seeds = 64}}};
}

// Every number that a step asks of the loss is there.
bool is_defined(const KnownLoss& known, std::span<const double> predictions) {
  return known.outputs() > 1 || known.loss.defined(known.at_play(predictions[0]));
}

}  // namespace

LearnerEntry delayed_mfw_entry() {
  return {.name = "delayed_mfw",
          .summary = "Delayed Meta-Frank-Wolfe: several oracle calls a round, for losses known later: O(√(d̄T))",
          .keys = {{"oracle_calls", "a whole number of at least 1: K, the steps of a round", ""},
                   {"copies", "\"gauge\" (strongly convex sets around the origin) or \"perturbed\"",
                    "\"gauge\" where it can be"},
                   {"gradient_bound", "a positive number, G; needed by perturbed copies", "optional"},
                   {"seed", "a whole number, for perturbed copies", "0"},
                   {"perturbations", "arrays by round, copy, coordinate that replace the draws", "optional"}},
          .make = read_mfw,
          .examples = {R"({"type": "delayed_mfw", "oracle_calls": 3, "copies": "gauge"})",
                       R"({"type": "delayed_mfw", "oracle_calls": 4, "copies": "perturbed", "gradient_bound": 3,)"
                       R"( "seed": 7})"},
          .cost = [](const spec::Value& learner, const CostScene& scene) -> Cost {
            const spec::Node node(learner, "learner");
            const Index calls = node.has("oracle_calls") ? node.count("oracle_calls", 1, kMostCalls) : 1;
            Cost cost = full_cost(scene.set, "");
            cost.parts = {{"one oracle call and " + pass_over(scene.set.dimension()), calls}};
            return cost;
          },
          .promise = mfw_promise,
          .draws = may_be_perturbed,
          .verify = mfw_rows};
}

DelayedMfw::DelayedMfw(const AnySet& set, Vec start, Copies copies)
    : dimension_(set.dimension()),
      diameter_(set.diameter()),
      start_(std::move(start)),
      copies_(std::move(copies)),
      largest_(copies_.learners.size(), 0.0) {
  if (copies_.learners.empty()) throw Error(Code::kBadSpec, "delayed_mfw: oracle_calls must be at least 1");
}

double DelayedMfw::weight(std::size_t k) const {
  const auto n = static_cast<double>(calls());
  return 2 * static_cast<double>(k + 1) / (n * (n + 1));
}

double DelayedMfw::play(Round t, const Covector* features, Memo& memo) {
  const std::size_t size = features == nullptr ? full_size(dimension_) : 0;  // refused before anything changes
  if (copies_.most_rounds > 0 && played_ >= copies_.most_rounds)
    throw Error(Code::kBadInput,
                fmt::format("delayed_mfw: perturbations has {} rounds and the game needs more", copies_.most_rounds));
  ++played_;
  ++outstanding_;
  const std::size_t outputs = features != nullptr ? features->outputs() : 0;
  memo.assign(outputs == 0 ? 2 : 1 + calls() * outputs, 0.0);
  memo[0] = static_cast<double>(outputs);
  double prediction = 0;
  for (std::size_t k = 0; k < calls(); ++k) {
    Memo own;
    const double of_copy = copies_.learners[k].play(t, features, own);
    put_memo(memo, own);
    if (outputs == 1) prediction += weight(k) * (memo[1 + k] = of_copy);
    for (std::size_t c = 0; outputs > 1 && c < outputs; ++c)
      memo[1 + k * outputs + c] = copies_.learners[k].predict(features->output(c));
  }
  if (outputs == 0) keep_version(size, memo);
  return prediction;
}

// Copies may change by a play alone, so what was played before is compared with what is played now.
void DelayedMfw::keep_version(std::size_t size, Memo& memo) {
  std::vector<Vec> version(calls(), Vec(size));
  for (std::size_t k = 0; k < calls(); ++k) copies_.learners[k].write(version[k]);
  const std::vector<Vec>* last = versions_.newest();
  const std::uint64_t number = last != nullptr && *last == version ? versions_.newest_number() : played_;
  versions_.take(number, [&] { return std::move(version); });
  memo[1] = static_cast<double>(number);
}

double DelayedMfw::predict(const Covector& features) const {
  double mean = 0;
  for (std::size_t k = 0; k < calls(); ++k) mean += weight(k) * copies_.learners[k].predict(features);
  return mean;
}

void DelayedMfw::write(std::span<double> x) const {
  Vec part(x.size());
  std::fill(x.begin(), x.end(), 0.0);
  for (std::size_t k = 0; k < calls(); ++k) {
    copies_.learners[k].write(part);
    kernels::blend(x, 1, part, weight(k));
  }
}

// A memo may come from a snapshot that was changed: what is read of it must be there.
void DelayedMfw::check(const Memo& memo, const Feedback* feedback) const {
  const std::size_t outputs = kept_count(memo, 0);
  if (outputs == 0) versions_.at(kept_count(memo, 1));
  if (outputs > memo.size()) kept_number(memo, outputs);
  kept_number(memo, outputs == 0 ? 1 : outputs * calls());
  if (feedback == nullptr || feedback->known == nullptr || outputs == 0) return;
  if (feedback->known->outputs() != outputs)
    throw Error(Code::kCorrupt, fmt::format("a round's memo has {} predictions of each learner, and {} are wanted",
                                            outputs, feedback->known->outputs()));
}

std::vector<Memo> DelayedMfw::kept_of_copies(const Memo& memo) const {
  const std::size_t outputs = kept_count(memo, 0);
  std::span<const double> rest = std::span(memo).subspan(outputs == 0 ? 2 : 1 + calls() * outputs);
  std::vector<Memo> kept;
  for (std::size_t k = 0; k < calls(); ++k) kept.push_back(take_memo(rest));
  return kept;
}

// Copy by copy, each output's: those made at the play or, where the features came with the label, those of what the
// copies played.
Vec DelayedMfw::predictions_of_copies(const KnownLoss& known, const Memo& memo) const {
  const std::size_t outputs = known.outputs();
  if (kept_count(memo, 0) > 0)
    return {memo.begin() + 1, memo.begin() + 1 + static_cast<std::ptrdiff_t>(calls() * outputs)};
  Vec predictions;
  for (const Vec& played : versions_.at(kept_count(memo, 1)))
    for (std::size_t c = 0; c < outputs; ++c) predictions.push_back(known.features.output(c).dot(played));
  return predictions;
}

void DelayedMfw::tell(std::size_t k, Round t, const Feedback& feedback, const Memo& kept) {
  largest_[k] = std::max(largest_[k], feedback.gradient.norm());
  copies_.learners[k].receive(t, feedback, kept);
}

// Copy k gets the gradient at x_{t,k}. False, and nothing has changed, where the loss has none there that models
// would take.
bool DelayedMfw::learn_by_loss(Round t, const KnownLoss& known, const Vec& predictions, const std::vector<Memo>& kept) {
  const std::size_t outputs = known.outputs();
  std::vector<Vec> at(1), slopes(calls(), Vec(outputs));  // the predictions at x_{t,1}, x_{t,2}, …, and slopes there
  for (std::size_t c = 0; c < outputs; ++c) at[0].push_back(known.features.output(c).dot(start_));
  double curved = 0;
  Vec values;
  for (std::size_t k = 0; k < calls(); ++k) {
    const double eta = step(k);
    Vec next(outputs);
    for (std::size_t c = 0; c < outputs; ++c) next[c] = (1 - eta) * at[k][c] + eta * predictions[k * outputs + c];
    if (!is_defined(known, at[k]) || !is_defined(known, next)) return false;
    known.slopes(at[k], slopes[k]);
    if (!(known.gradient(slopes[k], values).norm() <= kLargestGradient)) return false;
    double missed = known.value(next) - known.value(at[k]);
    for (std::size_t c = 0; c < outputs; ++c) missed -= slopes[k][c] * (next[c] - at[k][c]);
    curved += weight(k) / eta * std::max(0.0, missed);  // by convexity it is not negative
    at.push_back(std::move(next));
  }
  for (std::size_t k = 0; k < calls(); ++k) {
    Feedback of_copy{.gradient = known.gradient(slopes[k], values)};
    if (outputs == 1) of_copy.slope = slopes[k][0];
    tell(k, t, of_copy, kept[k]);
  }
  curved_ += curved;
  by_loss_ = true;
  return true;
}

void DelayedMfw::receive(Round t, const Feedback& feedback, const Memo& memo) {
  check(memo, &feedback);
  const std::vector<Memo> kept = kept_of_copies(memo);  // before anything changes
  --outstanding_;
  const KnownLoss* known = feedback.known;
  if (known == nullptr || !learn_by_loss(t, *known, predictions_of_copies(*known, memo), kept)) {
    spoilt_ = spoilt_ || (known != nullptr && copies_.draws);
    for (std::size_t k = 0; k < calls(); ++k)
      tell(k, t, {.gradient = feedback.gradient, .slope = feedback.slope}, kept[k]);
  }
  if (kept_count(memo, 0) == 0) versions_.release(kept_count(memo, 1));
}

void DelayedMfw::abandon(Round t, const Memo& memo) {
  check(memo, nullptr);
  const std::vector<Memo> kept = kept_of_copies(memo);
  --outstanding_;
  for (std::size_t k = 0; k < calls(); ++k) copies_.learners[k].abandon(t, kept[k]);
  if (kept_count(memo, 0) == 0) versions_.release(kept_count(memo, 1));
}

void DelayedMfw::save(ByteWriter& out) const {
  out.u64(played_);
  out.u64(outstanding_);
  out.f64(curved_);
  out.u64(by_loss_ ? 1 : 0);
  out.u64(spoilt_ ? 1 : 0);
  out.reals(largest_);
  versions_.save(out, [&](const std::vector<Vec>& version) {
    for (const Vec& played : version) out.reals(played);
  });
  for (const AnyLearner& copy : copies_.learners) copy.save(out);
}

void DelayedMfw::load(ByteReader& in) {
  played_ = in.u64();
  outstanding_ = in.u64();
  curved_ = in.size();
  by_loss_ = in.flag();
  spoilt_ = in.flag();
  largest_ = in.finites(calls());
  versions_.load(in, [&] {
    std::vector<Vec> version;
    for (std::size_t k = 0; k < calls(); ++k) version.push_back(in.reals(static_cast<std::size_t>(dimension_)));
    return version;
  });
  for (AnyLearner& copy : copies_.learners) copy.load(in);
}

// Each copy's regret over the answered rounds is at most its bound, in which rounds that wait may have any gradient:
// here 0. Of linear losses nothing is known where the loss itself was asked elsewhere.
std::optional<double> DelayedMfw::bound(const theory::Seen& seen) const {
  if (spoilt_ || (seen.linear && by_loss_)) return std::nullopt;
  double of_copies = 0;
  for (std::size_t k = 0; k < calls(); ++k) {
    if (largest_[k] == 0) continue;  // nothing that it played made a difference
    theory::Seen by_copy = seen;
    by_copy.gradient_bound = largest_[k];
    by_copy.linear = true;
    by_copy.curved = false;  // g_{t,k} is a gradient at x_{t,k}, which copy k has no part in
    const auto bound = copies_.learners[k].bound(by_copy);
    if (!bound) return std::nullopt;
    of_copies += weight(k) * *bound;
  }
  const double waiting = seen.hedged ? 0 : seen.gradient_bound * static_cast<double>(outstanding_);
  const double bound = theory::mfw(of_copies, curved_, waiting * diameter_);
  return std::isfinite(bound) ? std::optional(bound) : std::nullopt;
}

}  // namespace tarry
