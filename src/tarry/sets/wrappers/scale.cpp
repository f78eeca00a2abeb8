#include "tarry/sets/wrappers/scale.h"

#include <algorithm>

#include "tarry/sets/checks.h"
#include "tarry/sets/registry.h"

namespace tarry {
namespace {

AnySet read_scale(const spec::Node& node) {
  AnySet set = make_set(node.at("set", "a set"));
  return Scale(std::move(set), node.number("by"));
}

Vec divided(std::span<const double> x, double by) {
  Vec quotient(x.begin(), x.end());
  for (double& xi : quotient) xi /= by;
  return quotient;
}

}  // namespace

Scale::Scale(AnySet set, double by) : set_(std::move(set)), by_(by) { check_positive("scale", "by", by); }

SetEntry Scale::entry() {
  return {
      .name = "scale",
      .summary = "another set multiplied by a positive number",
      .keys = {{"set", "a set", ""}, {"by", "a positive number", ""}},
      .make = read_scale,
      .examples = {R"({"type": "scale", "set": {"type": "permutahedron", "dimension": 4}, "by": 0.25})",
                   R"({"type": "scale", "set": {"type": "lp_ball", "dimension": 3, "p": 1.5, "radius": 1}, "by": 3})"}};
}

Shape Scale::scaled_shape(Shape shape) const {
  shape.start.everywhere *= by_;
  for (double& x : shape.start.values) x *= by_;
  for (Shape& block : shape.blocks) block = scaled_shape(std::move(block));
  return shape;
}

bool Scale::contains(std::span<const double> x, double tolerance) const {
  return set_.contains(divided(x, by_), tolerance);
}

std::optional<double> Scale::strong_convexity() const {
  const auto beta = set_.strong_convexity();
  return beta ? std::optional(*beta / by_) : std::nullopt;
}

std::optional<double> Scale::gauge_curvature() const {
  const auto mu = set_.gauge_curvature();
  return mu ? std::optional(*mu / (by_ * by_)) : std::nullopt;
}

std::optional<LpShape> Scale::lp_shape() const {
  auto shape = set_.lp_shape();
  if (shape) shape->radius *= by_;
  return shape;
}

std::optional<Bounds> Scale::bounds() const {
  const auto box = set_.bounds();
  return box ? std::optional(box->times(by_)) : std::nullopt;
}

std::optional<double> Scale::simplex_radius() const {
  const auto radius = set_.simplex_radius();
  return radius ? std::optional(*radius * by_) : std::nullopt;
}

void Scale::project(std::span<double> x) const {
  const Vec inside = divided(x, by_);
  std::copy(inside.begin(), inside.end(), x.begin());
  set_.project(x);
  for (double& xi : x) xi *= by_;
}

std::optional<Inscribed> Scale::inscribed() const {
  auto ball = set_.inscribed();
  if (!ball) return ball;
  for (double& x : ball->centre) x *= by_;
  ball->radius *= by_;
  return ball;
}

std::optional<HalfSpace> Scale::separate(std::span<const double> y) const {
  auto cut = set_.separate(divided(y, by_));
  if (cut) cut->most *= by_;
  return cut;
}

Start Scale::centre() const {
  Start centre = set_.centre();
  centre.everywhere *= by_;
  for (double& x : centre.values) x *= by_;
  return centre;
}

}  // namespace tarry
