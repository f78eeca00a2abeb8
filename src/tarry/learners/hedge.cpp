#include "tarry/learners/hedge.h"

#include <algorithm>
#include <cmath>

#include "tarry/error.h"
#include "tarry/learners/registry.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/sets/scale.h"

namespace tarry {
namespace {

// q of DORM+: 2 for up to seven bases, else ln N + √(ln²N − 2 ln N).
double exponent(std::size_t bases) {
  if (bases <= 7) return 2;
  const double log_n = std::log(static_cast<double>(bases));
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
    std::erase_if(std::get<spec::Object>(spec.as), [](const auto& member) { return member.first == "scale"; });
  }
  return make_learner(spec::Node(spec, "learner"), own);
}

AnyLearner read(const spec::Node& node, const LearnerSetting& setting) {
  std::vector<AnyLearner> bases;
  for (const spec::Node& base : node.at("learners", "an array of learners").list("an array of learners"))
    bases.push_back(make_base(base, setting));
  if (bases.empty()) node.at("learners").fail("an array with at least one learner");
  return Hedge(std::move(bases), setting.set.dimension());
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

Hedge::Hedge(std::vector<AnyLearner> bases, Index dimension)
    : bases_(std::move(bases)), dimension_(dimension), power_(exponent(bases_.size()) - 1), lead_(bases_.size(), 0.0) {
  weigh();
}

// w ∝ max(Q, 0)^{q−1}, uniform while no base leads.
void Hedge::weigh() {
  const double most = *std::max_element(lead_.begin(), lead_.end());
  weights_.assign(lead_.size(), 1.0 / static_cast<double>(lead_.size()));
  if (!(most > 0)) return;
  double total = 0;
  for (std::size_t i = 0; i < lead_.size(); ++i) total += weights_[i] = std::pow(lead_[i] / most, power_);
  for (double& w : weights_) w /= total;
}

// Q ← max(0, Q + own loss − the base's loss). While bases agree the difference is rounding, which must not make
// weights.
void Hedge::learn(const Vec& base_losses, double own_loss) {
  constexpr double kRounding = 1e-13;
  double size = std::fabs(own_loss);
  for (double loss : base_losses) size = std::max(size, std::fabs(loss));
  for (std::size_t i = 0; i < lead_.size(); ++i) {
    const double saved = own_loss - base_losses[i];
    if (std::fabs(saved) > kRounding * size) lead_[i] = std::max(0.0, lead_[i] + saved);
  }
}

// The memo: what was predicted (1, then the mean and each base's) or which version holds it (0, version); then each
// base's own memo, with its length in front.
double Hedge::play(Round t, const Covector* features, Memo& memo) {
  const std::size_t kept = features == nullptr ? full_size(dimension_) : 0;
  weigh();
  ++played_;
  Vec predictions(bases_.size());
  std::vector<Memo> own(bases_.size());
  double mean = 0;
  for (std::size_t i = 0; i < bases_.size(); ++i) {
    predictions[i] = bases_[i].play(t, features, own[i]);
    mean += weights_[i] * predictions[i];
  }
  if (features != nullptr) {
    memo.push_back(1);
    memo.push_back(mean);
    memo.insert(memo.end(), predictions.begin(), predictions.end());
  } else {
    memo.push_back(0);
    memo.push_back(static_cast<double>(played_));
    Version& version = versions_[played_];
    version.weights = weights_;
    for (const AnyLearner& base : bases_) {
      version.decisions.emplace_back(kept);
      base.write(version.decisions.back());
    }
  }
  for (const Memo& one : own) {
    memo.push_back(static_cast<double>(one.size()));
    memo.insert(memo.end(), one.begin(), one.end());
  }
  return mean;
}

void Hedge::write(std::span<double> x) const {
  Vec part(x.size());
  std::fill(x.begin(), x.end(), 0.0);
  for (std::size_t i = 0; i < bases_.size(); ++i) {
    bases_[i].write(part);
    kernels::blend(x, 1, part, weights_[i]);
  }
}

std::vector<Memo> Hedge::base_memos(const Memo& memo, std::size_t at) const {
  std::vector<Memo> own;
  for (std::size_t i = 0; i < bases_.size(); ++i) {
    const auto length = static_cast<std::size_t>(memo.at(at++));
    own.emplace_back(memo.begin() + static_cast<std::ptrdiff_t>(at),
                     memo.begin() + static_cast<std::ptrdiff_t>(at + length));
    at += length;
  }
  return own;
}

void Hedge::receive(Round t, const Feedback& feedback, const Memo& memo) {
  const bool predicted = memo.at(0) == 1;
  const std::vector<Memo> own = base_memos(memo, predicted ? 2 + bases_.size() : 2);
  Vec losses(bases_.size());
  double own_loss = 0;
  if (predicted) {
    // A gradient that is no multiple of the features says nothing about the predictions: the weights stay.
    const double slope = feedback.slope.value_or(0);
    own_loss = slope * memo[1];
    for (std::size_t i = 0; i < bases_.size(); ++i) losses[i] = slope * memo[2 + i];
  } else {
    const auto round = static_cast<std::uint64_t>(memo.at(1));
    const Version& version = versions_.at(round);
    for (std::size_t i = 0; i < bases_.size(); ++i) {
      losses[i] = feedback.gradient.dot(version.decisions[i]);
      own_loss += version.weights[i] * losses[i];
    }
    versions_.erase(round);
  }
  learn(losses, own_loss);

  if (!predicted || feedback.elsewhere == nullptr) {
    for (std::size_t i = 0; i < bases_.size(); ++i) bases_[i].receive(t, feedback, own[i]);
    return;
  }
  const Covector& features = feedback.elsewhere->features;
  Vec values(features.stored());
  for (std::size_t i = 0; i < bases_.size(); ++i) {
    const double slope = feedback.elsewhere->slope(memo[2 + i]);
    for (std::size_t j = 0; j < values.size(); ++j) values[j] = slope * features.values()[j];
    const Covector gradient =
        features.is_sparse() ? Covector::sparse(features.indices(), values) : Covector::dense(values);
    bases_[i].receive(t, {.gradient = gradient, .slope = slope, .elsewhere = feedback.elsewhere}, own[i]);
  }
}

void Hedge::abandon(Round t, const Memo& memo) {
  const bool predicted = memo.at(0) == 1;
  const std::vector<Memo> own = base_memos(memo, predicted ? 2 + bases_.size() : 2);
  if (!predicted) versions_.erase(static_cast<std::uint64_t>(memo.at(1)));
  for (std::size_t i = 0; i < bases_.size(); ++i) bases_[i].abandon(t, own[i]);
}

std::size_t Hedge::instances() const {
  std::size_t all = 0;
  for (const AnyLearner& base : bases_) all += base.instances();
  return all;
}

void Hedge::save(ByteWriter& out) const {
  out.reals(lead_);
  out.reals(weights_);
  out.u64(played_);
  out.u64(versions_.size());
  for (const auto& [round, version] : versions_) {
    out.u64(round);
    out.reals(version.weights);
    for (const Vec& decision : version.decisions) out.reals(decision);
  }
  for (const AnyLearner& base : bases_) base.save(out);
}

void Hedge::load(ByteReader& in) {
  const auto sized = [&](std::size_t size) {
    Vec x = in.reals();
    if (x.size() != size) throw Error(Code::kCorrupt, "snapshot: it has another number of learners or coordinates");
    return x;
  };
  lead_ = sized(bases_.size());
  weights_ = sized(bases_.size());
  played_ = in.u64();
  versions_.clear();
  for (std::uint64_t left = in.u64(); left > 0; --left) {
    Version& version = versions_[in.u64()];
    version.weights = sized(bases_.size());
    for (std::size_t i = 0; i < bases_.size(); ++i)
      version.decisions.push_back(sized(static_cast<std::size_t>(dimension_)));
  }
  for (AnyLearner& base : bases_) base.load(in);
}

}  // namespace tarry
