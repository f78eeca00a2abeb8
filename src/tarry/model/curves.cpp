// What numbers that bend say at their values: figures of a model, for people.
#include "tarry/model/curves.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "tarry/spec/node.h"

namespace tarry {
namespace {

constexpr double kShownSide = 2.5, kShownStep = 0.125;  // deviations: what is shown of a number that has many values
constexpr double kFewValues = 64;                       // of whole numbers, which are shown one by one
constexpr double kGlance = 2, kGlanceStep = 0.5;        // deviations: where all numbers are looked at
constexpr const char* kConstantName = "(intercept)";
constexpr std::size_t kFewestPoints = 3;    // fewer are no curve
constexpr std::size_t kMostLookedAt = 256;  // numbers, the first ones: the page of a model asks again and again

double curve_size(const Model::Curve& curve) { return std::ranges::max(curve.effect) - std::ranges::min(curve.effect); }

bool few_values(const Bends::Range& range) { return range.whole && range.largest - range.least < kFewValues; }

// Where a curve is looked at, in deviations from the mean.
Vec curve_places(const Bends::Range& range, const Standardiser::Spread& spread) {
  const auto deviations = [&](double value) { return (value - spread.mean) / spread.deviation; };
  Vec all;
  if (few_values(range)) {
    for (double value = range.least; value <= range.largest; ++value)
      if (std::fabs(deviations(value)) <= Bends::kFar) all.push_back(deviations(value));
    return all;
  }
  const double to = std::min(kShownSide, deviations(range.largest));
  for (double z = std::ceil(std::max(-kShownSide, deviations(range.least)) / kShownStep) * kShownStep; z <= to;
       z += kShownStep)
    all.push_back(z);
  return all;
}

// One number beside others as they usually are: the intercept, and numbers at their means. Much of what a number says
// is learnt with these, in their products and tiles.
class Beside {
 public:
  Beside(const FeatureCare& care, Index slot) {
    std::size_t others = 0;
    const auto usual = [&](Index other) { return other == 0 && care.name_of(other) == kConstantName ? 1 : 0; };
    for (Index other = 0; other < std::min(care.slots(), care.bends().of()); ++other) {
      if (other == slot) own_ = row_.indices.size();
      const bool there = others + 1 < Bends::kMostTiled && (care.bends().bends(other) || usual(other) == 1);
      if (other == slot || there) row_.add(other, usual(other), false);
      others += other != slot && there ? 1 : 0;
    }
  }
  Covector at(double deviations) {
    row_.values[own_] = deviations;
    return row_.covector();
  }

 private:
  std::size_t own_ = 0;
  Row row_;
};

}  // namespace

std::optional<Model::Curve> Model::curve(Index slot) const {
  const Standardiser::Spread spread = care_.spread(slot);
  const Bends::Range range = care_.bends().range(slot);
  const double unit = label_scale_ ? label_scale_->link()(1) - label_scale_->link()(0) : 1;
  Curve curve{.name = care_.name_of(slot), .at = {}, .effect = {}, .whole = few_values(range)};
  Row wide;
  Beside beside(care_, slot);
  for (const double z : curve_places(range, spread)) {
    if (learner_.predict_linear(care_.bends().finest(slot, z, wide)) == 0) continue;  // no row has been there
    const double value = spread.mean + z * spread.deviation;
    curve.at.push_back(curve.whole ? std::round(value) : value);
    curve.effect.push_back(unit * learner_.predict(care_.widen(beside.at(z), ledger_.issued() + 1, wide)));
  }
  if (curve.at.size() < kFewestPoints) return std::nullopt;
  const double mean =
      std::accumulate(curve.effect.begin(), curve.effect.end(), 0.0) / static_cast<double>(curve.effect.size());
  for (double& effect : curve.effect) effect -= mean;
  curve.of_labels = loss_->of_the_error();
  const bool sized = std::ranges::all_of(curve.effect, [](double x) { return std::fabs(x) <= spec::kLargest; });
  return sized ? std::optional(std::move(curve)) : std::nullopt;
}

std::vector<Model::Curve> Model::curves(std::size_t most) const {
  std::vector<Curve> all;
  if (outputs() > 1 || !loss_) return all;
  std::vector<std::pair<double, Index>> sizes;  // by the number alone, which is soon asked
  Row wide;
  for (Index slot = 0; slot < std::min(care_.slots(), care_.bends().of()) && sizes.size() < kMostLookedAt; ++slot) {
    if (!care_.bends().bends(slot) || care_.spread(slot).deviation == 0) continue;
    Vec effect;
    for (double z = -kGlance; z <= kGlance; z += kGlanceStep)
      effect.push_back(learner_.predict_linear(care_.bends().alone(slot, z, wide)));
    sizes.emplace_back(std::ranges::min(effect) - std::ranges::max(effect), slot);
  }
  std::ranges::stable_sort(sizes);
  for (std::size_t k = 0; k < sizes.size() && all.size() < most; ++k)
    if (std::optional<Curve> one = curve(sizes[k].second)) all.push_back(std::move(*one));
  std::ranges::stable_sort(all, std::greater(), curve_size);
  return all;
}

spec::Value to_value(const std::vector<Model::Curve>& curves) {
  using spec::Value;
  spec::Array all;
  for (const Model::Curve& curve : curves)
    all.push_back(Value{spec::Object{{"name", Value{curve.name}},
                                     {"unit", Value{std::string(curve.of_labels ? "label" : "log odds")}},
                                     {"whole", Value{curve.whole}},
                                     {"at", Value{curve.at}},
                                     {"effect", Value{curve.effect}}}});
  return Value{std::move(all)};
}

}  // namespace tarry
