#include "tarry/features/last_names.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tarry/features/same_text.h"
#include "tarry/spec/node.h"

namespace tarry {

bool LastNames::has_names_of(const NamedFeatures& features) const {
  const char* name = names_.data();
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    if (!same_text(features[i].name, {name, sizes_[i]})) return false;
    name += sizes_[i];
  }
  return true;
}

bool LastNames::fill(const NamedFeatures& features, NamesId names, Row& row) const {
  if (sizes_.empty() || features.size() != sizes_.size()) return false;
  if ((names == NamesId::kUnknown || names != id_) && !has_names_of(features)) return false;
  row.values.resize(indices_.size());
  row.values[0] = 1;  // an intercept, where there is one
  for (std::size_t i = 0; i < place_.size(); ++i) {
    const auto* number = std::get_if<double>(&features[i].value);
    if (number == nullptr || !(std::fabs(*number) <= spec::kLargest)) return false;
    row.values[place_[i]] = *number;
  }
  row.indices.assign(indices_.begin(), indices_.end());
  row.number.assign(number_.begin(), number_.end());
  return true;
}

void LastNames::learn(const NamedFeatures& features, const std::vector<Index>& slots, bool intercept) {
  const std::size_t first = intercept ? 1 : 0;
  forget();
  names_.clear();
  std::vector<std::uint32_t> order(slots.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return slots[a] < slots[b]; });
  indices_.assign(first, 0);
  place_.resize(slots.size());
  for (const std::uint32_t i : order) {
    place_[i] = static_cast<std::uint32_t>(indices_.size());
    indices_.push_back(slots[i]);
  }
  number_.assign(indices_.size(), 1);
  if (intercept) number_[0] = 0;
  for (const NamedFeature& feature : features) {
    names_ += feature.name;
    sizes_.push_back(static_cast<std::uint32_t>(feature.name.size()));
  }
}

}  // namespace tarry
