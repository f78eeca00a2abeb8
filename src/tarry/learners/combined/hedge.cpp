#include "tarry/learners/combined/hedge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"
#include "tarry/learners/combined/banked_bases.h"
#include "tarry/learners/combined/crossed_bases.h"
#include "tarry/learners/combined/forgetting_bases.h"
#include "tarry/learners/combined/hedge_bases.h"
#include "tarry/learners/combined/hedge_targets.h"
#include "tarry/learners/combined/loss_weights.h"
#include "tarry/learners/combined/treed_bases.h"
#include "tarry/learners/descent/adagrad.h"
#include "tarry/learners/descent/implicit_adagrad.h"
#include "tarry/learners/registry.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/sets/wrappers/scale.h"

namespace tarry {
namespace {

// In full only where nothing shorter will do.
bool contains_origin(const AnySet& set) {
  if (const auto box = set.bounds()) {
    for (Index i = 0; i < (box->uniform() ? 1 : box->dimension()); ++i)
      if (!(box->lower(i) <= 0 && box->upper(i) >= 0)) return false;
    return true;
  }
  const std::vector<AnySet> parts = set.parts();
  if (!parts.empty()) return std::all_of(parts.begin(), parts.end(), contains_origin);
  const Shape shape = set.shape();
  if (shape.blocks.empty() && shape.start.values.empty() && shape.start.everywhere == 0)
    return true;  // it starts there
  return set.contains(full_vector(set.dimension()), 0);
}

// A base may play on a smaller copy of the set: `scale` in (0, 1], for sets that contain the origin.
AnyLearner make_base(const spec::Node& node, const LearnerSetting& setting) {
  LearnerSetting own = setting;
  spec::Value spec = node.value();
  if (const auto scale = node.find("scale")) {
    const double by = scale->number();
    if (!(by > 0 && by <= 1)) scale->fail("more than 0 and at most 1");
    if (by < 1 && !contains_origin(setting.set))
      node.fail_whole("scale needs a set that contains the origin", Code::kUnsupported);
    own.set = Scale(setting.set, by);
    if (!setting.initial.empty() && setting.set.contains(setting.initial, 1e-9) &&
        !own.set.contains(setting.initial, 1e-9))
      node.fail_whole("initial must lie in the smaller copy of the set that scale makes");
    std::erase_if(std::get<spec::Object>(spec.as), [](const auto& member) { return member.first == "scale"; });
  }
  return make_learner(spec::Node(spec, "learner"), own);
}

AnyLearner read_hedge(const spec::Node& node, const LearnerSetting& setting) {
  std::vector<AnyLearner> bases;
  std::vector<bool> whole;
  for (const spec::Node& base : node.at("learners", "an array of learners").list("an array of learners")) {
    bases.push_back(make_base(base, setting.part(bases.size())));
    whole.push_back(!base.has("scale") || base.number("scale") == 1);
  }
  if (bases.empty()) node.at("learners").fail("an array with at least one learner");
  return Hedge(SeparateBases(std::move(bases), std::move(whole)), setting.set.dimension(), setting.set.diameter());
}

Cost hedge_cost(const spec::Value& learner, const CostScene& scene) {
  return cost_of_all(learner, std::vector<AnySet>(learners_in(learner).size(), scene.set), scene.touched);
}

std::vector<AnyLearner> bases_of(const spec::Value& learner, const LearnerSetting& setting) {
  std::vector<AnyLearner> bases;
  for (const spec::Value& base : learners_in(learner))
    bases.push_back(make_learner(spec::Node(base, "learner"), setting));
  return bases;
}

VerifyRows hedge_rows() {
  return {.climbed = {{"hedge gauge_ftrl", R"({"type": "hedge", "learners": [{"type": "gauge_ftrl"},)"
                                           R"( {"type": "delayed_ogd", "eta": 2}]})"},
                      {"hedge delayed_eg", R"({"type": "hedge", "learners": [{"type": "delayed_eg", "eta": 0.05},)"
                                           R"( {"type": "delayed_eg", "eta": 5}]})"},
                      {"hedge box", R"({"type": "hedge", "learners": [{"type": "box_ftrl"}, {"type": "adagrad"},)"
                                    R"( {"type": "box_ftrl_sc", "beta": 2}]})"}}};
}

}  // namespace

LearnerEntry hedge_entry() {
  return {.name = "hedge",
          .summary = "A weighted mean of other learners, the weights learnt without a step size (DORM+)",
          .keys = {{"learners", "an array of learners, each perhaps with `scale`: a smaller copy of the set", ""}},
          .make = read_hedge,
          .examples = {R"({"type": "hedge", "learners": [{"type": "delayed_ofw", "eta": 0.02},)"
                       R"( {"type": "delayed_ofw", "eta": 0.2}, {"type": "delayed_ofw_sc", "beta": 0.7}]})"},
          .cost = hedge_cost,
          .bases = bases_of,
          .verify = hedge_rows};
}

template <HedgeBases Bases, class Weights>
double Hedge<Bases, Weights>::play(Round t, const Covector* features, Memo& memo) {
  const std::size_t kept_size = features == nullptr ? full_size(dimension_) : 0;  // refused before anything changes
  weights_.weigh();
  if constexpr (FollowsWeights<Bases>) bases_.follow(weights_.weights_of_others(), weights_.trees_awake());
  ++played_;
  ++outstanding_;
  const std::size_t n = bases_.size(), k = features != nullptr ? features->outputs() : 0;
  memo.assign(2 + k * (1 + n), 0.0);
  memo[0] = static_cast<double>(k);
  memo_size_ = memo.size();
  memo[1] = weights_.spread();
  bases_.play(t, features, predictions_, memo);
  if constexpr (KeepsRows<Bases>) memo_size_ = memo.size();
  if (k > 1) remember_predictions(*features, memo);
  if (k == 1) {
    for (std::size_t i = 0; i < n; ++i) memo[2] += weights()[i] * predictions_[i];
    std::copy(predictions_.begin(), predictions_.end(), memo.begin() + 3);
  }
  if (k == 0) keep_version(kept_size, memo);
  if constexpr (KnowsWaiting<Weights>) weights_.play(k > 0 ? shown(memo) : 0);
  return k == 1 ? memo[2] : 0;
}

template <HedgeBases Bases, class Weights>
double Hedge<Bases, Weights>::shown(const Memo& memo) const {
  const auto outputs = mean(memo);
  if (outputs.size() <= 1) return outputs.empty() ? 0 : outputs[0];
  return static_cast<double>(std::max_element(outputs.begin(), outputs.end()) - outputs.begin());
}

// Bases may change by a play alone, so what was played before is compared with what is played now.
template <HedgeBases Bases, class Weights>
void Hedge<Bases, Weights>::keep_version(std::size_t size, Memo& memo) {
  Version version{weights(), {}, weights_.spread()};
  for (std::size_t i = 0; i < bases_.size(); ++i) {
    version.decisions.emplace_back(size);
    bases_.write(i, version.decisions.back());
  }
  const Version* last = versions_.newest();
  const std::uint64_t number = last != nullptr && *last == version ? versions_.newest_number() : played_;
  versions_.take(number, [&] { return std::move(version); });
  memo[1] = static_cast<double>(number);
}

template <HedgeBases Bases, class Weights>
std::size_t Hedge<Bases, Weights>::played_size(const Memo& memo) const {
  const std::size_t predicted = predicted_size(memo);
  if constexpr (KeepsRows<Bases>) {
    if (memo.size() <= predicted) return predicted;
    const std::uint64_t more = kept_count(memo, predicted);
    if (more >= memo.size() - predicted || more % 2 == 0)
      throw Error(Code::kCorrupt, "a round's memo does not have the row that it should");
    return predicted + 1 + static_cast<std::size_t>(more);
  }
  return predicted;
}

template <HedgeBases Bases, class Weights>
void Hedge<Bases, Weights>::remember_predictions(const Covector& features, Memo& memo) const {
  const std::size_t n = bases_.size(), k = features.outputs();
  Vec of_output(n);
  for (std::size_t c = 0; c < k; ++c) {
    bases_.predict(features.output(c), of_output);
    for (std::size_t i = 0; i < n; ++i) {
      memo[2 + c] += weights()[i] * of_output[i];
      memo[2 + k + i * k + c] = of_output[i];
    }
  }
}

template <HedgeBases Bases, class Weights>
double Hedge<Bases, Weights>::predict(const Covector& features) const {
  std::array<double, 16> few;
  Vec many(bases_.size() > few.size() ? bases_.size() : 0);
  const std::span<double> each = many.empty() ? std::span(few).first(bases_.size()) : std::span(many);
  bases_.predict(features, each);
  double mean = 0;
  for (std::size_t i = 0; i < each.size(); ++i) mean += weights()[i] * each[i];
  return mean;
}

template <HedgeBases Bases, class Weights>
double Hedge<Bases, Weights>::predict_linear(const Covector& features) const
  requires LinearInPart<Bases>
{
  Vec each(bases_.size());
  bases_.predict_linear(features, each);
  double mean = 0;
  for (std::size_t i = 0; i < each.size(); ++i) mean += weights()[i] * each[i];
  return mean;
}

template <HedgeBases Bases, class Weights>
void Hedge<Bases, Weights>::write(std::span<double> x) const {
  Vec part(x.size());
  std::fill(x.begin(), x.end(), 0.0);
  for (std::size_t i = 0; i < bases_.size(); ++i) {
    bases_.write(i, part);
    kernels::blend(x, 1, part, weights()[i]);
  }
}

// What each base's prediction cost (losses_) and what the mean did. The loss of the mean is no more than the mean of
// the losses, by convexity: all that the proof needs. A mean that is better than every base counts as the best of them:
// no |own − base| is then above their spread.
template <HedgeBases Bases, class Weights>
double Hedge<Bases, Weights>::judge_by(const KnownLoss& known, std::span<const double> of_bases,
                                       std::span<const double> of_mean) {
  const std::size_t k = of_mean.size();
  if (k == 1)
    known.value_each(of_bases, losses_);
  else
    for (std::size_t i = 0; i < losses_.size(); ++i) losses_[i] = known.value(of_bases.subspan(i * k, k));
  return std::max(known.value(of_mean), *std::min_element(losses_.begin(), losses_.end()));
}

// A memo may come from a snapshot that was changed: what is read of it must be there.
template <HedgeBases Bases, class Weights>
void Hedge<Bases, Weights>::check(const Memo& memo) const {
  const std::size_t k = std::min<std::size_t>(outputs(memo), memo.size());  // so that the product is a number
  kept_number(memo, 1 + k * (1 + bases_.size()));
  played_size(memo);
}

template <HedgeBases Bases, class Weights>
void Hedge<Bases, Weights>::check(const Memo& memo, const Feedback& feedback) const {
  check(memo);
  const std::size_t k = outputs(memo), wanted = feedback.known != nullptr ? feedback.known->outputs() : k;
  if (k == 0) versions_.at(kept_count(memo, 1));
  if constexpr (KnowsWaiting<Weights> && MovesTargets<Bases>)
    if (k > 0 && feedback.known != nullptr) target(memo, feedback.known->loss);
  if (std::max<std::size_t>(k, 1) != std::max<std::size_t>(wanted, 1))
    throw Error(Code::kCorrupt,
                fmt::format("a round's memo has {} predictions of each learner, and {} are wanted", k, wanted));
}

template <HedgeBases Bases, class Weights>
void Hedge<Bases, Weights>::receive(Round t, const Feedback& feedback, const Memo& memo) {
  check(memo, feedback);  // before anything changes
  --outstanding_;
  by_loss_ = by_loss_ || feedback.known != nullptr;
  if constexpr (KnowsWaiting<Weights>) weights_.came(t, feedback, shown(memo));
  if (outputs(memo) > 0)
    receive_with_features(t, feedback, memo);
  else
    receive_without(t, feedback, memo);
}

template <HedgeBases Bases, class Weights>
void Hedge<Bases, Weights>::receive_with_features(Round t, const Feedback& feedback, const Memo& memo,
                                                  Contribution* contribution) {
  const std::size_t k = outputs(memo);
  const auto played = predictions(memo);
  double own_loss = 0;
  if (feedback.known != nullptr) {
    own_loss = judge_by(*feedback.known, played, mean(memo));
  } else if (feedback.slope) {
    for (std::size_t i = 0; i < losses_.size(); ++i) losses_[i] = *feedback.slope * played[i * k];
    own_loss = *feedback.slope * mean(memo)[0];
  } else {  // it is no multiple of the features and says nothing about the predictions: the weights stay
    unjudged_ += feedback.gradient.norm();
    return bases_.receive(t, feedback, {played, {}, {}, {}, {}}, kept_for_bases(memo));
  }
  if constexpr (KnowsWaiting<Weights>)
    if (contribution != nullptr) contribution->losses = as_counted();
  weights_.learn(losses_, own_loss, memo[1]);
  BasesPlayed bases{played, losses_, {}, {}, {}};
  Vec taken(contribution != nullptr ? played.size() : 0);
  bases.taken = taken;
  std::optional<Target> before;
  if constexpr (KnowsWaiting<Weights> && MovesTargets<Bases>) {
    if (feedback.known != nullptr) before = target(memo, feedback.known->loss);
    if (before) {
      for (std::size_t i = 0; i < losses_.size(); ++i)
        weights_.judge_again(i, -lost_while_open(*feedback.known, played.subspan(i * k, k), mean(memo), before->says));
      bases.given = before->given;
      count_open(-1, *before, *feedback.known, memo);
    }
  }
  bases_.receive(t, feedback, bases, kept_for_bases(memo));
  if (contribution == nullptr) return;
  for (std::size_t i = 0; i < taken.size(); ++i) taken[i] += before ? before->given[i] : 0;
  contribution->given = std::move(taken);
}

// The decisions that were kept say what the bases would have predicted, where the features came with the label, and
// what each cost by the gradient otherwise.
template <HedgeBases Bases, class Weights>
void Hedge<Bases, Weights>::receive_without(Round t, const Feedback& feedback, const Memo& memo) {
  const Version& version = versions_.at(kept_count(memo, 1));
  const bool known = feedback.known != nullptr;
  const Covector& features = known ? feedback.known->features : feedback.gradient;
  double mean = 0;
  for (std::size_t i = 0; i < predictions_.size(); ++i)
    mean += version.weights[i] * (predictions_[i] = features.dot(version.decisions[i]));
  const double own_loss = known ? judge_by(*feedback.known, predictions_, {&mean, 1}) : mean;
  if (!known) losses_ = predictions_;
  weights_.learn(losses_, own_loss, version.spread);
  const auto played = known ? std::span<const double>(predictions_) : std::span<const double>();
  bases_.receive(t, feedback, {played, losses_, version.decisions, {}, {}}, kept_for_bases(memo));
  versions_.release(kept_count(memo, 1));
}

template <HedgeBases Bases, class Weights>
void Hedge<Bases, Weights>::abandon(Round t, const Memo& memo) {
  check(memo);
  if (outputs(memo) == 0) versions_.release(kept_count(memo, 1));
  if constexpr (FollowsWeights<Bases>) weights_.gone(t, !kept(memo).empty());
  --outstanding_;
  bases_.abandon(t, kept_for_bases(memo));
}

// By Theorem 12, or by what was summed up: then for each base its own.
template <HedgeBases Bases, class Weights>
std::optional<double> Hedge<Bases, Weights>::least_bound(const theory::Seen& seen) const {
  if constexpr (requires { weights_.bound(); }) {
    const auto base = bases_.bound(seen);
    return base ? std::optional(*base + weights_.bound()) : std::nullopt;
  } else if constexpr (requires { bases_.bound(std::size_t{}, seen); }) {
    std::optional<double> least;
    for (std::size_t i = 0; i < bases_.size(); ++i)
      if (const auto one = bases_.bound(i, seen)) {
        const double sum = *one + weights_.regret(i);
        least = least ? std::min(*least, sum) : sum;
      }
    return least;
  } else {  // the least bound of a base, and the regret to whichever that is
    const auto base = bases_.bound(seen);
    double most = 0;
    for (std::size_t i = 0; i < bases_.size(); ++i) most = std::max(most, weights_.regret(i));
    return base ? std::optional(*base + most) : std::nullopt;
  }
}

// Over the answered rounds a base's regret and Theorem 12; a round that still waits costs at most GD, and so does one
// whose gradient said nothing about the weights. Of linear losses nothing is known where the loss itself was used.
template <HedgeBases Bases, class Weights>
std::optional<double> Hedge<Bases, Weights>::bound(const theory::Seen& seen) const {
  if (!diameter_ || (seen.linear && by_loss_)) return std::nullopt;
  theory::Seen of_bases = seen;
  of_bases.hedged = true;
  const auto answered = least_bound(of_bases);
  if (!answered) return std::nullopt;
  const double waiting = seen.hedged ? 0 : seen.gradient_bound * static_cast<double>(outstanding_);
  const double bound = *answered + (unjudged_ + waiting) * *diameter_;
  return std::isfinite(bound) ? std::optional(bound) : std::nullopt;
}

template <HedgeBases Bases, class Weights>
void Hedge<Bases, Weights>::save(ByteWriter& out) const {
  weights_.save(out);
  out.u64(played_);
  out.u64(outstanding_);
  out.f64(unjudged_);
  out.u64(by_loss_ ? 1 : 0);
  versions_.save(out, [&](const Version& version) {
    out.reals(version.weights);
    out.f64(version.spread);
    for (const Vec& decision : version.decisions) out.reals(decision);
  });
  bases_.save(out);
}

template <HedgeBases Bases, class Weights>
void Hedge<Bases, Weights>::load(ByteReader& in) {
  weights_.load(in);
  played_ = in.u64();
  outstanding_ = in.u64();
  unjudged_ = in.f64();
  by_loss_ = in.flag();
  versions_.load(in, [&] {
    Version version{in.reals(bases_.size()), {}, in.f64()};
    for (std::size_t i = 0; i < bases_.size(); ++i)
      version.decisions.push_back(in.reals(static_cast<std::size_t>(dimension_)));
    return version;
  });
  bases_.load(in);
  if constexpr (FollowsWeights<Bases>) bases_.follow(weights_.weights_of_others(), weights_.trees_awake());
}

template class Hedge<SeparateBases>;
template class Hedge<AdagradBases>;
template class Hedge<SeparateBases, LossWeights>;
template class Hedge<ImplicitBases, LossWeights>;
template class Hedge<BankedBases, LossWeights>;
template class Hedge<CrossedBases, LossWeights>;
template class Hedge<ForgettingBases, LossWeights>;
template class Hedge<TreedBases, LossWeights>;

}  // namespace tarry
