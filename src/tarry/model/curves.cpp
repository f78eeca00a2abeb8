// What numbers that bend say at several of their values: figures of a model, for people.
#include <algorithm>

#include "tarry/model/model.h"

namespace tarry {
namespace {

constexpr double kCurve = 2, kCurveStep = 0.5;  // deviations

}  // namespace

std::vector<Model::Curve> Model::curves(std::size_t most) const {
  std::vector<Curve> all;
  if (outputs() > 1) return all;
  const auto size = [](const Curve& x) { return std::ranges::max(x.effect) - std::ranges::min(x.effect); };
  const double unit = label_scale_ ? label_scale_->link()(1) - label_scale_->link()(0) : 1;
  Row wide;
  for (Index slot = 0; slot < std::min(care_.slots(), care_.bends().of()); ++slot) {
    const Standardiser::Spread spread = care_.spread(slot);
    if (!care_.bends().bends(slot) || spread.deviation == 0) continue;
    Curve curve{.name = care_.name_of(slot), .at = {}, .effect = {}};
    for (double z = -kCurve; z <= kCurve; z += kCurveStep) {
      curve.at.push_back(spread.mean + z * spread.deviation);
      curve.effect.push_back(unit * learner_.predict(care_.bends().alone(slot, z, wide)));
    }
    all.push_back(std::move(curve));
  }
  std::stable_sort(all.begin(), all.end(), [&](const Curve& a, const Curve& b) { return size(a) > size(b); });
  all.resize(std::min(most, all.size()));
  return all;
}

}  // namespace tarry
