#include "tarry/learners/descent/delayed_eg.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "tarry/base/contract.h"
#include "tarry/base/elementary.h"
#include "tarry/base/error.h"
#include "tarry/learners/registry.h"
#include "tarry/theory/bounds.h"

namespace tarry {
namespace {

// ½(max g − min g): the dual norm of what l1 measures among points of one sum. Halves of the smallest numbers are
// rounded up: never 0 where there is a spread.
double half_spread(const Covector& g, Index dimension) {
  // Coordinates that a sparse gradient does not name are 0.
  const bool names_all = static_cast<Index>(g.stored()) == dimension;
  double low = names_all ? INFINITY : 0, high = names_all ? -INFINITY : 0;
  g.each([&](Index, double gi) {
    low = std::min(low, gi);
    high = std::max(high, gi);
  });
  return high > low ? std::max((high - low) / 2, std::numeric_limits<double>::min()) : 0;
}

}  // namespace

LearnerEntry delayed_eg_entry() {
  return {.name = "delayed_eg",
          .summary = "Exponentiated gradient on a simplex, gradients applied as they arrive: O(√(d̄T ln n))",
          .keys = {{"eta", "a positive number: a fixed step; without it the step follows gradients and delays",
                    "optional"}},
          .make = [](const spec::Node& node, const LearnerSetting& setting) -> AnyLearner {
            setting.refuse_initial(node);
            const auto radius = setting.set.simplex_radius();
            if (!radius) node.fail_whole("needs a simplex, but this set is not one", Code::kUnsupported);
            const auto eta = node.has("eta") ? std::optional(node.positive("eta")) : std::nullopt;
            return DelayedEg(setting.set.dimension(), *radius, eta);
          },
          .examples = {R"({"type": "delayed_eg"})", R"({"type": "delayed_eg", "eta": 0.05})"},
          .cost = [](const spec::Value&,
                     const CostScene& scene) { return full_cost(scene.set, pass_over(scene.set.dimension())); },
          .verify = []() -> VerifyRows {
            return {.drawn = {{"delayed_eg fixed", R"({"type": "delayed_eg", "eta": 0.05})"},
                              {"delayed_eg", R"({"type": "delayed_eg"})"}}};
          },
          .revises = "delayed_eg"};
}

DelayedEg::DelayedEg(Index dimension, double radius, std::optional<double> eta)
    : radius_(radius),
      eta_(eta),
      sum_(static_cast<std::size_t>(dimension), 0.0),
      x_(sum_.size(), radius / static_cast<double>(dimension)) {}

double DelayedEg::lambda() const {
  if (eta_) return 1 / *eta_;
  return largest_ * std::sqrt(8 * weighted_outstanding_ / tarry::log(static_cast<double>(sum_.size())));
}

void DelayedEg::decide() {
  const double scale = lambda(), least = *std::min_element(sum_.begin(), sum_.end());
  double total = 0;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const double above = sum_[i] - least;
    x_[i] = above > 0 ? tarry::exp(-above / scale) : 1;  // the exponent is never positive
    total += x_[i];
  }
  ensure(total >= 1, "the coordinate with the least sum has weight 1");
  for (double& xi : x_) xi *= radius_ / total;
  ensure_thoroughly(
      [&] {
        double sum = 0;
        for (const double xi : x_) sum += xi;
        return !std::isfinite(total) || std::fabs(sum - radius_) <= 1e-9 * radius_;
      },
      "weights on a simplex sum to its radius");
}

double DelayedEg::play(Round, const Covector* features, Memo&) {
  weighted_outstanding_ += outstanding_ + 0.5;
  outstanding_ += 1;
  decide();
  return features != nullptr ? predict(*features) : 0;
}

void DelayedEg::write(std::span<double> x) const { std::copy(x_.begin(), x_.end(), x.begin()); }

void DelayedEg::receive(Round, const Feedback& feedback, const Memo&) {
  if (outstanding_ < 1) throw Error(Code::kCorrupt, "snapshot: more rounds wait than exponentiated gradient counted");
  const double q = half_spread(feedback.gradient, static_cast<Index>(sum_.size()));
  largest_ = std::max(largest_, q);
  if (first_ == 0) first_ = q;
  feedback.gradient.add_to(sum_);
  outstanding_ -= 1;
}

void DelayedEg::revise(const Revision& revision, Memo&) {
  Vec values;
  largest_ = std::max(largest_, half_spread(revision.after.gradient, static_cast<Index>(sum_.size())));
  revision.difference(values).add_to(sum_);
}

void DelayedEg::save(ByteWriter& out) const {
  out.reals(sum_);
  out.reals(x_);
  out.reals(Vec{outstanding_, weighted_outstanding_, largest_, first_});
}

void DelayedEg::load(ByteReader& in) {
  sum_ = in.reals(sum_.size());
  x_ = in.reals(x_.size());
  const Vec scalars = in.reals(4);
  outstanding_ = scalars[0];
  weighted_outstanding_ = scalars[1];
  largest_ = scalars[2];
  first_ = scalars[3];
  const bool counted = outstanding_ >= 0 && outstanding_ <= 0x1p53 && weighted_outstanding_ >= 0 &&
                       weighted_outstanding_ <= 0x1p106 && largest_ >= first_ && first_ >= 0;
  const auto [least, most] = std::minmax_element(sum_.begin(), sum_.end());
  if (!counted || !std::isfinite(*most - *least))
    throw Error(Code::kCorrupt, "snapshot: the sums of exponentiated gradients are impossible");
}

std::optional<double> DelayedEg::bound(const theory::Seen& seen) const {
  // What has not come is no longer than what has, in the 2-norm, and so of a half spread of at most 1/√2 of that: more,
  // perhaps, than any received.
  const double late = outstanding_ > 0 ? seen.gradient_bound / std::numbers::sqrt2 : 0;
  const double spread = std::max(largest_, late);
  if (spread == 0) return 0;  // every decision is as good as any other
  const theory::EgScene scene{radius_, static_cast<double>(sum_.size()), spread, weighted_outstanding_};
  if (eta_) return theory::eg_fixed(scene, *eta_);
  if (first_ == 0) return 2 * radius_ * spread * outstanding_;  // only the rounds that wait can have cost anything
  return theory::eg_adaptive(scene, first_, seen.largest_delay);
}

}  // namespace tarry
