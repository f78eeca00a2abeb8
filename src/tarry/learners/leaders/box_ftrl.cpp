#include "tarry/learners/leaders/box_ftrl.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tarry/base/error.h"
#include "tarry/learners/kept_memo.h"
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
            if (!box) node.fail_whole("needs a box, but this set is not one", Code::kUnsupported);
            return BoxFtrl(*box, node.positive_or("rate", 1));
          },
          .examples = {R"({"type": "box_ftrl"})", R"({"type": "box_ftrl", "rate": 0.5})"},
          .cost = [](const spec::Value&, const CostScene& scene) { return touched_cost(scene); },
          .revises = "box_ftrl"};
}

BoxFtrl::BoxFtrl(Bounds box, double rate) : box_(std::move(box)), rate_(rate), sums_(box_.dimension(), kSums) {
  if (!(rate > 0)) throw Error(Code::kBadSpec, fmt::format("box_ftrl: rate must be positive (rate = {})", rate));
}

double BoxFtrl::Sums::lambda() const { return std::max(a, std::min(s, w * w)); }

double BoxFtrl::value(Index i, const Sums& x) const {
  const double half = box_.width(i) / 2, root = std::sqrt(x.lambda());
  if (!(root > 0)) return box_.centre(i);
  return box_.centre(i) - std::clamp(rate_ * half * (x.sum / root) / 2, -half, half);
}

CoordinateNumbers BoxFtrl::seen_now() const {
  CoordinateNumbers all(dimension(), 2);
  sums_.each_touched([&](Index i, const double* at) {
    if (at[1] > 0) std::copy(at, at + 2, all.touch(i));  // ĝ and N
  });
  return all;
}

// With features the memo is: their number, then N and ĝ of each; without, a mark and a version.
double BoxFtrl::play(Round, const Covector* features, Memo& memo) {
  if (features == nullptr) {
    memo = {kNoFeatures, static_cast<double>(received_)};
    versions_.take(received_, [this] { return seen_now(); });
    return 0;
  }
  memo.reserve(1 + 2 * features->stored());
  memo.push_back(static_cast<double>(features->stored()));
  double prediction = 0;
  sums_.each_found(*features, [&](Index i, double a, const double* at) {
    const Sums x = sums_at(at);
    prediction += a * value(i, x);
    memo.push_back(x.sum);
    memo.push_back(x.n);
  });
  return prediction;
}

double BoxFtrl::predict(const Covector& features) const {
  double prediction = 0;
  sums_.each_found(features, [&](Index i, double a, const double* at) { prediction += a * value(i, sums_at(at)); });
  return prediction;
}

void BoxFtrl::write(std::span<double> x) const {
  for (Index i = 0; i < static_cast<Index>(x.size()); ++i) x[static_cast<std::size_t>(i)] = value(i, sums(i));
}

void BoxFtrl::arrive(Index i, double g, const Before& before) {
  if (g == 0) return;  // not in the gradient's support
  double* at = sums_.touch(i);
  Sums x = sums_at(at);
  const double size = std::fabs(g), b = x.n - before.n;
  x.a += std::max(0.0, g * (g + x.sum - before.sum));
  x.s += size * (size + b);
  x.w = std::max(x.w, size + b);
  x.n += size;
  x.sum += g;
  for (double number : {x.sum, x.n, x.a, x.s, x.w}) *at++ = number;
}

void BoxFtrl::receive(Round, const Feedback& feedback, const Memo& memo) {
  sums_.settle();
  if (kept_number(memo, 0) == kNoFeatures) {
    const std::uint64_t version = kept_count(memo, 1);
    const CoordinateNumbers& all = versions_.at(version);
    feedback.gradient.each([&](Index i, double g) {
      const double* seen = all.find(i);
      arrive(i, g, seen == nullptr ? Before{0, 0} : Before{seen[0], seen[1]});
    });
    versions_.release(version);
  } else if ((feedback.slope || feedback.known != nullptr) && kept_count(memo, 0) == feedback.gradient.stored() &&
             memo.size() == 1 + 2 * feedback.gradient.stored()) {
    std::size_t j = 1;
    feedback.gradient.each([&](Index i, double g) {
      arrive(i, g, {memo[j], memo[j + 1]});
      j += 2;
    });
  } else {  // a gradient that is not of the features' form: as if its round had been played before everything
    feedback.gradient.each([&](Index i, double g) {
      const Sums x = sums(i);
      const double worst = std::copysign(x.n, g);  // no ĝ − ĝ_k is larger
      arrive(i, g, {x.sum - worst, 0});
    });
  }
  ++received_;
}

// The memo then has, for each feature, ĝ − ĝ_k and N − N_k as they were when the label came.
void BoxFtrl::settle(Round t, const Feedback& feedback, Memo& memo) {
  Memo late = {static_cast<double>(feedback.gradient.stored())};
  std::size_t j = 1;
  feedback.gradient.each([&](Index i, double) {
    const Sums x = sums(i);
    late.push_back(x.sum - kept_number(memo, j));
    late.push_back(x.n - kept_number(memo, j + 1));
    j += 2;
  });
  receive(t, feedback, memo);
  memo = std::move(late);
}

// All sums are as if the label had been this one from the start; W, a maximum, does not fall.
void BoxFtrl::revise(const Revision& revision, Memo& memo) {
  sums_.settle();
  const auto before = revision.before.gradient.values();
  if (kept_count(memo, 0) != before.size() || memo.size() != 1 + 2 * before.size())
    throw Error(Code::kCorrupt, fmt::format("a round's memo is not of its {} features", before.size()));
  std::size_t j = 0;
  revision.after.gradient.each([&](Index i, double now) {
    const double was = before[j], late = memo[1 + 2 * j], b = memo[2 + 2 * j];
    ++j;
    if (now == was) return;
    const double size = std::fabs(now), size_was = std::fabs(was);
    double* at = sums_.touch(i);
    Sums x = sums_at(at);
    x.a = std::max(0.0, x.a + std::max(0.0, now * (now + late)) - std::max(0.0, was * (was + late)));
    x.s = std::max(0.0, x.s + size * (size + b) - size_was * (size_was + b));
    x.w = std::max(x.w, size + b);
    x.n = std::max(0.0, x.n + size - size_was);
    x.sum += now - was;
    for (double number : {x.sum, x.n, x.a, x.s, x.w}) *at++ = number;
  });
}

void BoxFtrl::abandon(Round, const Memo& memo) {
  if (kept_number(memo, 0) == kNoFeatures) versions_.release(kept_count(memo, 1));
}

void BoxFtrl::save(ByteWriter& out) const {
  sums_.save(out);
  out.u64(received_);
  versions_.save(out, [&](const CoordinateNumbers& all) { all.save(out); });
}

void BoxFtrl::load(ByteReader& in) {
  sums_.load(in);
  received_ = in.u64();
  versions_.load(in, [&] {
    CoordinateNumbers all(dimension(), 2);
    all.load(in);
    return all;
  });
}

// Σ_i (r_i²/ρ_i + ρ_i + 2√2 r_i)√Λ_i with ρ_i = rate · r_i; a round that still waits could add to any Λ_i, so there
// must be none. Where Λ_i has lost its digits, each round at its worst: 2r_i N_i. Nothing for untouched coordinates.
std::optional<double> BoxFtrl::bound(const theory::Seen& seen) const {
  if (static_cast<double>(received_) != seen.rounds) return std::nullopt;
  double sum = 0;
  sums_.each_touched([&](Index i, const double* at) {
    const Sums x = sums_at(at);
    const double lambda = x.lambda(), half = box_.width(i) / 2;
    sum += theory::squares_are_kept(lambda) ? half * (1 / rate_ + rate_ + 2 * std::numbers::sqrt2) * std::sqrt(lambda)
                                            : 2 * half * x.n;
  });
  return sum;
}

}  // namespace tarry
