#include "tarry/features/crossing.h"

#include <algorithm>

namespace tarry {
namespace {

constexpr double kFarProduct = 5;  // a product of standardised features is rarely larger, and then by chance

}  // namespace

void Crossing::learn(const Vocabulary& vocabulary) {
  for (auto slot = static_cast<Slot>(sides_.size()); slot < vocabulary.size(); ++slot) {
    if (vocabulary.has_intercept() && slot == 0) {
      sides_.push_back(Side::kConstant);
      continue;
    }
    const auto is_own = [&](std::string_view name) {
      return name.starts_with(name_) && (name.size() == name_.size() || name[name_.size()] == '.');
    };
    const auto [first, second] = vocabulary.names_at(slot);
    sides_.push_back(is_own(first) || is_own(second) ? Side::kAction : Side::kContext);
  }
}

Covector Crossing::widen(const Covector& row, Row& wide) const {
  thread_local Row context, action;  // their memory is used again
  context.clear();
  action.clear();
  row.each([&](Index i, double value) { (is_action(i) ? action : context).add(i, value, false); });
  return cross(context.covector(), action.covector(), wide);
}

Covector Crossing::cross(const Covector& context, const Covector& action, Row& wide) const {
  wide.clear();
  action.each([&](Index a, double value) {
    if (is_action(a) || static_cast<std::size_t>(a) >= sides_.size()) wide.add(a, value, false);  // or a new one
  });
  const std::size_t own = wide.indices.size();
  // The constant feature is the first, and those without products are the last.
  std::size_t begin = 0, end = context.stored();
  while (begin < end && is_constant(context.index(begin))) ++begin;
  while (begin < end && context.index(end - 1) >= of_) --end;
  if (own * context.stored() <= kMost)
    for (std::size_t j = 0; j < own && wide.indices[j] < of_; ++j) {
      const Index first = features_ + wide.indices[j] * of_;
      const double by = wide.values[j];
      const std::size_t at = wide.indices.size(), count = end - begin;
      wide.indices.resize(at + count);
      wide.values.resize(at + count);
      Index* const indices = wide.indices.data() + at;
      double* const values = wide.values.data() + at;
      const double* const of_context = context.values().data() + begin;
      for (std::size_t i = 0; i < count; ++i) indices[i] = first + context.index(begin + i);
      for (std::size_t i = 0; i < count; ++i) {
        const double product = by * of_context[i];
        values[i] = product < -kFarProduct ? -kFarProduct : product > kFarProduct ? kFarProduct : product;
      }
    }
  wide.number.resize(wide.indices.size(), 0);
  return wide.covector();
}

}  // namespace tarry
