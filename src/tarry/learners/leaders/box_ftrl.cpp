#include "tarry/learners/leaders/box_ftrl.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tarry/base/error.h"
#include "tarry/learners/registry.h"
#include "tarry/theory/bounds.h"

namespace tarry {
namespace {

constexpr double kNoFeatures = -1;  // the first number of such a round's memo; others begin with their non-zeros

}  // namespace

LearnerEntry box_ftrl_entry() {
  return {.name = "box_ftrl",
          .summary = "Follow the regularised leader per coordinate of a box, nothing to tune",
          .keys = {{"rate", "a positive number: the step in half-widths of the box", "1"}},
          .make = [](const spec::Node& node, const LearnerSetting& setting) -> AnyLearner {
            setting.refuse_initial(node);
            const auto box = setting.set.bounds();
            if (!box) node.fail_whole("needs a box, and this set is none", Code::kUnsupported);
            return BoxFtrl(*box, node.positive_or("rate", 1));
          },
          .examples = {R"({"type": "box_ftrl"})", R"({"type": "box_ftrl", "rate": 0.5})"}};
}

BoxFtrl::BoxFtrl(const Bounds& box, double rate) : rate_(rate) {
  if (!(rate > 0)) throw Error(Code::kBadSpec, fmt::format("box_ftrl: rate must be positive (rate = {})", rate));
  at_.reserve(box.lower.size());
  for (std::size_t i = 0; i < box.lower.size(); ++i) {
    const double half = (box.upper[i] - box.lower[i]) / 2;
    at_.push_back({box.lower[i] + half, half});
  }
}

double BoxFtrl::Coordinate::lambda() const { return std::max(a, std::min(s, w * w)); }

double BoxFtrl::Coordinate::value(double rate) const {
  const double root = std::sqrt(lambda());
  if (!(root > 0)) return centre;
  return centre - std::clamp(rate * half * (sum / root) / 2, -half, half);
}

// With features the memo is: their number, then N and ĝ of each; without, a mark and a version.
double BoxFtrl::play(Round, const Covector* features, Memo& memo) {
  if (features == nullptr) {
    memo = {kNoFeatures, static_cast<double>(received_)};
    auto [version, is_new] = versions_.try_emplace(received_);
    ++version->second.rounds;
    if (is_new)
      for (const Coordinate& x : at_) version->second.all.push_back({x.sum, x.n});
    return 0;
  }
  memo.reserve(1 + 2 * features->stored());
  memo.push_back(static_cast<double>(features->stored()));
  double prediction = 0;
  features->each([&](Index i, double a) {
    const Coordinate& x = at_[static_cast<std::size_t>(i)];
    prediction += a * x.value(rate_);
    memo.push_back(x.sum);
    memo.push_back(x.n);
  });
  return prediction;
}

double BoxFtrl::predict(const Covector& features) const {
  double prediction = 0;
  features.each([&](Index i, double a) { prediction += a * at_[static_cast<std::size_t>(i)].value(rate_); });
  return prediction;
}

void BoxFtrl::write(std::span<double> x) const {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = at_[i].value(rate_);
}

void BoxFtrl::arrive(Coordinate& x, double g, const Before& before) {
  if (g == 0) return;  // not in the gradient's support
  const double size = std::fabs(g), b = x.n - before.n;
  x.a += std::max(0.0, g * (g + x.sum - before.sum));
  x.s += size * (size + b);
  x.w = std::max(x.w, size + b);
  x.n += size;
  x.sum += g;
}

void BoxFtrl::receive(Round, const Feedback& feedback, const Memo& memo) {
  if (memo.at(0) == kNoFeatures) {
    const auto version = static_cast<std::uint64_t>(memo.at(1));
    const std::vector<Before>& all = versions_.at(version).all;
    feedback.gradient.each(
        [&](Index i, double g) { arrive(at_[static_cast<std::size_t>(i)], g, all[static_cast<std::size_t>(i)]); });
    forget(version);
  } else if ((feedback.slope || feedback.known != nullptr) &&
             static_cast<std::size_t>(memo[0]) == feedback.gradient.stored()) {
    std::size_t j = 1;
    feedback.gradient.each([&](Index i, double g) {
      arrive(at_[static_cast<std::size_t>(i)], g, {memo[j], memo[j + 1]});
      j += 2;
    });
  } else {  // a gradient that is not of the features' form: as if its round had been played before everything
    feedback.gradient.each([&](Index i, double g) {
      Coordinate& x = at_[static_cast<std::size_t>(i)];
      const double worst = std::copysign(x.n, g);  // no ĝ − ĝ_k is larger
      arrive(x, g, {x.sum - worst, 0});
    });
  }
  ++received_;
}

void BoxFtrl::forget(std::uint64_t version) {
  const auto held = versions_.find(version);
  if (held != versions_.end() && --held->second.rounds == 0) versions_.erase(held);
}

void BoxFtrl::abandon(Round, const Memo& memo) {
  if (memo.at(0) == kNoFeatures) forget(static_cast<std::uint64_t>(memo.at(1)));
}

void BoxFtrl::save(ByteWriter& out) const {
  Vec numbers;
  for (const Coordinate& x : at_) numbers.insert(numbers.end(), {x.sum, x.n, x.a, x.s, x.w});
  out.reals(numbers);
  out.u64(received_);
  out.u64(versions_.size());
  for (const auto& [received, version] : versions_) {
    out.u64(received);
    out.u64(version.rounds);
    Vec all;
    for (const Before& before : version.all) all.insert(all.end(), {before.sum, before.n});
    out.reals(all);
  }
}

void BoxFtrl::load(ByteReader& in) {
  const auto sized = [&](std::size_t size) {
    Vec x = in.reals();
    if (x.size() != size) throw Error(Code::kCorrupt, "snapshot: its numbers do not fit the box's dimension");
    return x;
  };
  const Vec numbers = sized(5 * at_.size());
  for (std::size_t i = 0; i < at_.size(); ++i) {
    const double* from = &numbers[5 * i];
    at_[i] = {at_[i].centre, at_[i].half, from[0], from[1], from[2], from[3], from[4]};
  }
  received_ = in.u64();
  versions_.clear();
  for (std::uint64_t left = in.u64(); left > 0; --left) {
    const std::uint64_t received = in.u64(), rounds = in.u64();
    const Vec all = sized(2 * at_.size());
    Version& version = versions_[received];
    version.rounds = rounds;
    for (std::size_t i = 0; i < at_.size(); ++i) version.all.push_back({all[2 * i], all[2 * i + 1]});
  }
}

// Σ_i (r_i²/ρ_i + ρ_i + 2√2 r_i)√Λ_i with ρ_i = rate · r_i; a round that still waits could add to any Λ_i, so there
// must be none. Where Λ_i has lost its digits, each round at its worst: 2r_i N_i.
std::optional<double> BoxFtrl::bound(const theory::Seen& seen) const {
  if (static_cast<double>(received_) != seen.rounds) return std::nullopt;
  double sum = 0;
  for (const Coordinate& x : at_) {
    const double lambda = x.lambda();
    sum += theory::squares_are_kept(lambda) ? x.half * (1 / rate_ + rate_ + 2 * std::numbers::sqrt2) * std::sqrt(lambda)
                                            : 2 * x.half * x.n;
  }
  return sum;
}

}  // namespace tarry
