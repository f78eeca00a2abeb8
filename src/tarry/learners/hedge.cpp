#include "tarry/learners/hedge.h"

#include <algorithm>
#include <cmath>

#include "tarry/elementary.h"
#include "tarry/error.h"
#include "tarry/learners/adagrad.h"
#include "tarry/learners/hedge_bases.h"
#include "tarry/learners/registry.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/sets/scale.h"

namespace tarry {
namespace {

// q of DORM+: 2 for up to seven bases, else ln N + √(ln²N − 2 ln N).
double exponent(std::size_t bases) {
  if (bases <= 7) return 2;
  const double log_n = tarry::log(static_cast<double>(bases));
  return log_n + std::sqrt(log_n * log_n - 2 * log_n);
}

// A base may play on a smaller copy of the set: `scale` in (0, 1], for sets that contain the origin.
AnyLearner make_base(const spec::Node& node, const LearnerSetting& setting) {
  LearnerSetting own = setting;
  spec::Value spec = node.value();
  if (const auto scale = node.find("scale")) {
    const double by = scale->number();
    if (!(by > 0 && by <= 1)) scale->fail("more than 0 and at most 1");
    const Vec origin = full_vector(setting.set.dimension());
    if (by < 1 && !setting.set.contains(origin, 0))
      node.fail_whole("scale needs a set that contains the origin", Code::kUnsupported);
    own.set = Scale(setting.set, by);
    if (!setting.initial.empty() && setting.set.contains(setting.initial, 1e-9) &&
        !own.set.contains(setting.initial, 1e-9))
      node.fail_whole("initial must lie in the smaller copy of the set that scale makes");
    std::erase_if(std::get<spec::Object>(spec.as), [](const auto& member) { return member.first == "scale"; });
  }
  return make_learner(spec::Node(spec, "learner"), own);
}

AnyLearner read(const spec::Node& node, const LearnerSetting& setting) {
  std::vector<AnyLearner> bases;
  for (const spec::Node& base : node.at("learners", "an array of learners").list("an array of learners"))
    bases.push_back(make_base(base, setting));
  if (bases.empty()) node.at("learners").fail("an array with at least one learner");
  return Hedge(SeparateBases(std::move(bases)), setting.set.dimension());
}

}  // namespace

LearnerEntry hedge_entry() {
  return {.name = "hedge",
          .summary = "A weighted mean of other learners, the weights learnt without a step size (DORM+)",
          .keys = {{"learners", "an array of learners, each perhaps with `scale`: a smaller copy of the set", ""}},
          .make = read,
          .examples = {R"({"type": "hedge", "learners": [{"type": "delayed_ofw", "eta": 0.02},)"
                       R"( {"type": "delayed_ofw", "eta": 0.2}, {"type": "delayed_ofw_sc", "beta": 0.7}]})"}};
}

Dorm::Dorm(std::size_t bases) : power_(exponent(bases) - 1), lead_(bases, 0.0) { weigh(); }

// w ∝ max(Q, 0)^{q−1}, uniform while no base leads.
const Vec& Dorm::weigh() {
  const double most = *std::max_element(lead_.begin(), lead_.end());
  weights_.assign(lead_.size(), 1.0 / static_cast<double>(lead_.size()));
  if (!(most > 0)) return weights_;
  double total = 0;
  for (std::size_t i = 0; i < lead_.size(); ++i) total += weights_[i] = tarry::pow(lead_[i] / most, power_);
  for (double& w : weights_) w /= total;
  return weights_;
}

// Q ← max(0, Q + own loss − the base's loss). While bases agree the difference is rounding, which must not make
// weights.
void Dorm::learn(std::span<const double> base_losses, double own_loss) {
  constexpr double kRounding = 1e-13;
  double size = std::fabs(own_loss);
  for (double loss : base_losses) size = std::max(size, std::fabs(loss));
  for (std::size_t i = 0; i < lead_.size(); ++i) {
    const double saved = own_loss - base_losses[i];
    if (std::fabs(saved) > kRounding * size) lead_[i] = std::max(0.0, lead_[i] + saved);
  }
}

void Dorm::save(ByteWriter& out) const {
  out.reals(lead_);
  out.reals(weights_);
}

void Dorm::load(ByteReader& in) {
  for (Vec* x : {&lead_, &weights_}) {
    const std::size_t size = x->size();
    *x = in.reals();
    if (x->size() != size) throw Error(Code::kCorrupt, "snapshot: it has another number of learners");
  }
}

template <HedgeBases Bases>
double Hedge<Bases>::play(Round t, const Covector* features, Memo& memo) {
  const std::size_t kept_size = features == nullptr ? full_size(dimension_) : 0;  // refused before anything changes
  dorm_.weigh();
  ++played_;
  const std::size_t n = bases_.size(), k = features != nullptr ? features->outputs() : 0;
  memo.assign(k > 0 ? 1 + k * (1 + n) : 2, 0.0);
  memo[0] = static_cast<double>(k);
  bases_.play(t, features, predictions_, memo);
  if (k > 1) {
    remember_predictions(*features, memo);
    return 0;
  }
  if (k == 1) {
    for (std::size_t i = 0; i < n; ++i) memo[1] += weights()[i] * predictions_[i];
    std::copy(predictions_.begin(), predictions_.end(), memo.begin() + 2);
    return memo[1];
  }
  memo[1] = static_cast<double>(played_);
  Version& version = versions_[played_];
  version.weights = weights();
  for (std::size_t i = 0; i < n; ++i) {
    version.decisions.emplace_back(kept_size);
    bases_.write(i, version.decisions.back());
  }
  return 0;
}

template <HedgeBases Bases>
void Hedge<Bases>::remember_predictions(const Covector& features, Memo& memo) const {
  const std::size_t n = bases_.size(), k = features.outputs();
  Vec of_output(n);
  for (std::size_t c = 0; c < k; ++c) {
    bases_.predict(features.output(c), of_output);
    for (std::size_t i = 0; i < n; ++i) {
      memo[1 + c] += weights()[i] * of_output[i];
      memo[1 + k + i * k + c] = of_output[i];
    }
  }
}

template <HedgeBases Bases>
double Hedge<Bases>::predict(const Covector& features) const {
  Vec each(bases_.size());
  bases_.predict(features, each);
  double mean = 0;
  for (std::size_t i = 0; i < each.size(); ++i) mean += weights()[i] * each[i];
  return mean;
}

template <HedgeBases Bases>
void Hedge<Bases>::write(std::span<double> x) const {
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
template <HedgeBases Bases>
double Hedge<Bases>::judge_by(const KnownLoss& known, std::span<const double> of_bases,
                              std::span<const double> of_mean) {
  const std::size_t k = of_mean.size();
  for (std::size_t i = 0; i < losses_.size(); ++i) losses_[i] = known.value(of_bases.subspan(i * k, k));
  return std::max(known.value(of_mean), *std::min_element(losses_.begin(), losses_.end()));
}

// What each base's decision cost (losses_) and what the played one did, for the weights.
template <HedgeBases Bases>
double Hedge<Bases>::judge(const Feedback& feedback, const Memo& memo) {
  const std::size_t n = bases_.size(), k = outputs(memo);
  if (k > 0) {
    const auto played = predictions(memo);
    if (feedback.known != nullptr) return judge_by(*feedback.known, played, mean(memo));
    // A gradient that is no multiple of the features says nothing about the predictions: the weights stay.
    const double slope = feedback.slope.value_or(0);
    for (std::size_t i = 0; i < n; ++i) losses_[i] = slope * played[i * k];
    return slope * memo[1];
  }
  const auto version = versions_.extract(static_cast<std::uint64_t>(memo.at(1)));
  if (version.empty()) throw Error(Code::kCorrupt, "hedge: what was played in this round is not in the snapshot");
  const auto& [weights, decisions] = version.mapped();
  if (feedback.known != nullptr && feedback.known->outputs() == 1) {  // the features came with the label
    double played = 0;
    for (std::size_t i = 0; i < n; ++i)
      played += weights[i] * (predictions_[i] = feedback.known->features.dot(decisions[i]));
    return judge_by(*feedback.known, predictions_, {&played, 1});
  }
  double own_loss = 0;
  for (std::size_t i = 0; i < n; ++i) {
    losses_[i] = feedback.gradient.dot(decisions[i]);
    own_loss += weights[i] * losses_[i];
  }
  return own_loss;
}

template <HedgeBases Bases>
void Hedge<Bases>::receive(Round t, const Feedback& feedback, const Memo& memo) {
  const double own_loss = judge(feedback, memo);
  dorm_.learn(losses_, own_loss);
  bases_.receive(t, feedback, predictions(memo), kept(memo));
}

template <HedgeBases Bases>
void Hedge<Bases>::abandon(Round t, const Memo& memo) {
  if (outputs(memo) == 0) versions_.erase(static_cast<std::uint64_t>(memo.at(1)));
  bases_.abandon(t, kept(memo));
}

template <HedgeBases Bases>
void Hedge<Bases>::save(ByteWriter& out) const {
  dorm_.save(out);
  out.u64(played_);
  out.u64(versions_.size());
  for (const auto& [round, version] : versions_) {
    out.u64(round);
    out.reals(version.weights);
    for (const Vec& decision : version.decisions) out.reals(decision);
  }
  bases_.save(out);
}

template <HedgeBases Bases>
void Hedge<Bases>::load(ByteReader& in) {
  const auto sized = [&](std::size_t size) {
    Vec x = in.reals();
    if (x.size() != size) throw Error(Code::kCorrupt, "snapshot: it has another number of learners or coordinates");
    return x;
  };
  dorm_.load(in);
  played_ = in.u64();
  versions_.clear();
  for (std::uint64_t left = in.u64(); left > 0; --left) {
    Version& version = versions_[in.u64()];
    version.weights = sized(bases_.size());
    for (std::size_t i = 0; i < bases_.size(); ++i)
      version.decisions.push_back(sized(static_cast<std::size_t>(dimension_)));
  }
  bases_.load(in);
}

template class Hedge<SeparateBases>;
template class Hedge<AdagradBases>;

}  // namespace tarry
