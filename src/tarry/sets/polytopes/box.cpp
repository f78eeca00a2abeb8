#include "tarry/sets/polytopes/box.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/error.h"
#include "tarry/linalg/norms.h"
#include "tarry/sets/checks.h"
#include "tarry/sets/read_bound.h"
#include "tarry/sets/registry.h"

namespace tarry {
namespace {

AnySet read(const spec::Node& node) {
  Vec lower = read_bound(node, "lower"), upper = read_bound(node, "upper");
  if (node.has("dimension") && node.dimension() != static_cast<Index>(lower.size()))
    node.at("dimension").fail(fmt::format("the length of lower, {}", lower.size()));
  return Box(std::move(lower), std::move(upper));
}

}  // namespace

Box::Box(Vec lower, Vec upper) : lower_(std::move(lower)), upper_(std::move(upper)) {
  check_not_empty("box", "lower", lower_.size());
  if (lower_.size() != upper_.size())
    throw Error(Code::kBadSpec,
                fmt::format("box: upper must have as many entries as lower ({} and {})", upper_.size(), lower_.size()));
  for (std::size_t i = 0; i < lower_.size(); ++i)
    if (!(lower_[i] <= upper_[i]))
      throw Error(Code::kBadSpec,
                  fmt::format("box: lower must be at most upper (entry {}: {} and {})", i, lower_[i], upper_[i]));
}

SetEntry Box::entry() {
  return {.name = "box",
          .summary = "lower_i ≤ x_i ≤ upper_i",
          .keys = {{"lower", "an array of numbers, or a number", ""},
                   {"upper", "an array of numbers, or a number", ""},
                   {"dimension", "a whole number, when the bounds are numbers", "optional"}},
          .make = read,
          .examples = {R"({"type": "box", "lower": [-1, -1, 0, 0], "upper": [1, 0.5, 2, 1]})",
                       R"({"type": "box", "dimension": 3, "lower": -1, "upper": 2})"}};
}

Atom Box::oracle(const Direction& direction) const {
  const auto c = direction.dense();
  DenseAtom v{lower_};
  for (std::size_t i = 0; i < c.size(); ++i)
    if (c[i] < 0) v.value[i] = upper_[i];
  return {std::move(v)};
}

Start Box::start() const {
  Vec middle(lower_.size());
  for (std::size_t i = 0; i < middle.size(); ++i) middle[i] = lower_[i] + (upper_[i] - lower_[i]) / 2;
  return {static_cast<Index>(middle.size()), 0, std::move(middle)};
}

double Box::diameter() const {
  Vec width(lower_.size());
  for (std::size_t i = 0; i < width.size(); ++i) width[i] = upper_[i] - lower_[i];
  return norm2(width);
}

bool Box::contains(std::span<const double> x, double tolerance) const {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double slack = tolerance * std::max(std::fabs(lower_[i]), std::fabs(upper_[i]));
    if (!(x[i] >= lower_[i] - slack && x[i] <= upper_[i] + slack)) return false;
  }
  return true;
}

void Box::project(std::span<double> x) const {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::clamp(x[i], lower_[i], upper_[i]);
}

}  // namespace tarry
