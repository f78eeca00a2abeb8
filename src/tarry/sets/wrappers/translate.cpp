#include "tarry/sets/wrappers/translate.h"

#include <fmt/format.h>

#include "tarry/linalg/dense_kernels.h"
#include "tarry/linalg/norms.h"
#include "tarry/sets/registry.h"

namespace tarry {
namespace {

AnySet read_translate(const spec::Node& node) {
  AnySet set = make_set(node.at("set", "a set"));
  return Translate(std::move(set), node.numbers("by"));
}

}  // namespace

Translate::Translate(AnySet set, Vec by) : set_(std::move(set)), by_(std::move(by)) {
  if (static_cast<Index>(by_.size()) != set_.dimension())
    throw Error(Code::kBadSpec, fmt::format("translate: by must have {} entries, the set's dimension ({} came)",
                                            set_.dimension(), by_.size()));
}

SetEntry Translate::entry() {
  return {.name = "translate",
          .summary = "another set moved by a vector",
          .keys = {{"set", "a set", ""}, {"by", "an array of numbers", ""}},
          .make = read_translate,
          .examples = {R"({"type": "translate", "set": {"type": "l1_ball", "dimension": 3, "radius": 2},)"
                       R"( "by": [1, 0, -0.5]})",
                       R"({"type": "translate", "set": {"type": "l2_ball", "dimension": 3, "radius": 2},)"
                       R"( "by": [0.5, 0, -0.5]})"}};
}

// A moved atom is not of rank one any more.
Shape Translate::dense_matrices(Shape shape) {
  if (shape.need == Need::kTopPair) shape.need = Need::kDense;
  for (Shape& block : shape.blocks) block = dense_matrices(std::move(block));
  return shape;
}

Start Translate::start() const {
  Vec x = start_point(set_.shape());
  kernels::blend(x, 1, by_, 1);
  return {set_.dimension(), 0, std::move(x)};
}

// The tolerance stays relative to the inner set's own size.
bool Translate::contains(std::span<const double> x, double tolerance) const {
  Vec back(x.begin(), x.end());
  kernels::blend(back, 1, by_, -1);
  return set_.contains(back, tolerance);
}

// A set that is not symmetric about 0 has μ ≥ 1/(R² + R/β_K), R = max‖x‖ (here bounded by ‖start‖ + D), while it
// contains 0.
std::optional<double> Translate::gauge_curvature() const {
  const auto beta = strong_convexity();
  const Vec zero(by_.size(), 0.0);
  if (!beta || !contains(zero, 0)) return std::nullopt;
  const double reach = norm2(start().values) + diameter();
  return 1 / (reach * reach + reach / *beta);
}

void Translate::project(std::span<double> x) const {
  kernels::blend(x, 1, by_, -1);
  set_.project(x);
  kernels::blend(x, 1, by_, 1);
}

std::optional<Inscribed> Translate::inscribed() const {
  auto ball = set_.inscribed();
  if (ball) kernels::blend(ball->centre, 1, by_, 1);
  return ball;
}

std::optional<HalfSpace> Translate::separate(std::span<const double> y) const {
  Vec back(y.begin(), y.end());
  kernels::blend(back, 1, by_, -1);
  auto cut = set_.separate(back);
  if (cut) cut->most += kernels::dot(cut->normal, by_);
  return cut;
}

Start Translate::centre() const {
  Vec x = set_.centre().dense();
  kernels::blend(x, 1, by_, 1);
  return {set_.dimension(), 0, std::move(x)};
}

}  // namespace tarry
