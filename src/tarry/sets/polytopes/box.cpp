#include "tarry/sets/polytopes/box.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tarry/base/error.h"
#include "tarry/sets/checks.h"
#include "tarry/sets/registry.h"
#include "tarry/sets/separation.h"

namespace tarry {
namespace {

// A bound is a vector, or a number that holds for each of `dimension` coordinates.
AnySet read_box(const spec::Node& node) {
  const spec::Node lower = node.at("lower", "a number or an array of numbers");
  const spec::Node upper = node.at("upper", "a number or an array of numbers");
  if (lower.is_number() && upper.is_number())
    return Box(Bounds::everywhere(node.dimension(), lower.number(), upper.number()));
  Vec given = lower.is_number() ? upper.numbers() : lower.numbers();
  if ((lower.is_number() || upper.is_number() || node.has("dimension")) &&
      node.dimension() != static_cast<Index>(given.size()))
    node.at("dimension").fail(fmt::format("the length of {}, {}", lower.is_number() ? "upper" : "lower", given.size()));
  const std::size_t n = given.size();
  if (lower.is_number()) return Box(Vec(n, lower.number()), std::move(given));
  return Box(std::move(given), upper.is_number() ? Vec(n, upper.number()) : upper.numbers());
}

Bounds checked(Vec lower, Vec upper) {
  check_not_empty("box", "lower", lower.size());
  if (lower.size() != upper.size())
    throw Error(Code::kBadSpec,
                fmt::format("box: upper must have as many entries as lower ({} and {})", upper.size(), lower.size()));
  return {std::move(lower), std::move(upper)};
}

}  // namespace

Box::Box(Vec lower, Vec upper) : Box(checked(std::move(lower), std::move(upper))) {}

Box::Box(Bounds bounds) : bounds_(std::move(bounds)) {
  check_dimension("box", bounds_.dimension());
  for (Index i = 0; i < (bounds_.uniform() ? 1 : bounds_.dimension()); ++i)
    if (!(bounds_.lower(i) <= bounds_.upper(i)))
      throw Error(Code::kBadSpec, fmt::format("box: lower must be at most upper (entry {}: {} and {})", i,
                                              bounds_.lower(i), bounds_.upper(i)));
}

SetEntry Box::entry() {
  return {.name = "box",
          .summary = "lower_i ≤ x_i ≤ upper_i",
          .keys = {{"lower", "an array of numbers, or a number", ""},
                   {"upper", "an array of numbers, or a number", ""},
                   {"dimension", "a whole number, when the bounds are numbers", "optional"}},
          .make = read_box,
          .examples = {R"({"type": "box", "lower": [-1, -1, 0, 0], "upper": [1, 0.5, 2, 1]})",
                       R"({"type": "box", "dimension": 3, "lower": -1, "upper": 2})"}};
}

Atom Box::oracle(const Direction& direction) const {
  const auto c = direction.dense();
  DenseAtom v{Vec(c.size())};
  for (std::size_t i = 0; i < c.size(); ++i) {
    const auto at = static_cast<Index>(i);
    v.value[i] = c[i] < 0 ? bounds_.upper(at) : bounds_.lower(at);
  }
  return {std::move(v)};
}

bool Box::contains(std::span<const double> x, double tolerance) const {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double lower = bounds_.lower(static_cast<Index>(i)), upper = bounds_.upper(static_cast<Index>(i));
    const double slack = tolerance * std::max(std::fabs(lower), std::fabs(upper));
    if (!(x[i] >= lower - slack && x[i] <= upper + slack)) return false;
  }
  return true;
}

void Box::project(std::span<double> x) const {
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = std::clamp(x[i], bounds_.lower(static_cast<Index>(i)), bounds_.upper(static_cast<Index>(i)));
}

std::optional<Inscribed> Box::inscribed() const {
  Inscribed ball{bounds_.middle().dense(), std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i < ball.centre.size(); ++i)
    ball.radius = std::min({ball.radius, bounds_.upper(static_cast<Index>(i)) - ball.centre[i],
                            ball.centre[i] - bounds_.lower(static_cast<Index>(i))});
  return ball.radius > 0 ? std::optional(std::move(ball)) : std::nullopt;
}

// Coordinates without width first: they are the box's affine hull.
std::optional<HalfSpace> Box::separate(std::span<const double> y) const {
  if (contains(y, kSeparationTolerance)) return std::nullopt;
  Vec nearest(y.begin(), y.end()), onto_hull(y.begin(), y.end());
  project(nearest);
  for (std::size_t i = 0; i < y.size(); ++i)
    if (bounds_.width(static_cast<Index>(i)) == 0) onto_hull[i] = nearest[i];
  const auto off = between(y, onto_hull);
  return off ? off : between(y, nearest);
}

}  // namespace tarry
