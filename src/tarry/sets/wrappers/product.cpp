#include "tarry/sets/wrappers/product.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tarry/sets/checks.h"
#include "tarry/sets/registry.h"

namespace tarry {
namespace {

AnySet read_product(const spec::Node& node) {
  std::vector<AnySet> parts;
  for (const spec::Node& part : node.at("parts", "an array of sets").list()) parts.push_back(make_set(part));
  return Product(std::move(parts));
}

// Calls f(part, block) for each block of x.
template <class T, class F>
void each_block(const std::vector<AnySet>& parts, std::span<T> x, F f) {
  std::size_t begin = 0;
  for (const AnySet& part : parts) {
    const auto size = static_cast<std::size_t>(part.dimension());
    f(part, x.subspan(begin, size));
    begin += size;
  }
}

}  // namespace

Product::Product(std::vector<AnySet> parts) : parts_(std::move(parts)) {
  if (parts_.empty()) throw Error(Code::kBadSpec, "product: parts must not be empty");
  for (const AnySet& part : parts_) {
    sizes_.push_back(part.dimension());
    dimension_ += part.dimension();
    check_dimension("product", dimension_);
  }
}

SetEntry Product::entry() {
  return {.name = "product",
          .summary = "each block of x in its own set, one after the other",
          .keys = {{"parts", "an array of sets", ""}},
          .make = read_product,
          .examples = {R"({"type": "product", "parts": [{"type": "simplex", "dimension": 3},)"
                       R"( {"type": "l2_ball", "dimension": 2, "radius": 1.5}]})",
                       R"({"type": "product", "parts": [{"type": "l1_ball", "dimension": 3, "radius": 1},)"
                       R"( {"type": "box", "lower": [1], "upper": [3]},)"
                       R"( {"type": "nuclear_ball", "rows": 2, "cols": 2, "radius": 2}]})"}};
}

Shape Product::shape() const {
  Shape shape{Need::kBlocks, {dimension_, 0, {}}, {}};
  for (const AnySet& part : parts_) shape.blocks.push_back(part.shape());
  return shape;
}

Atom Product::oracle(const Direction& c) const {
  BlockAtom v{{}, sizes_};
  for (std::size_t k = 0; k < parts_.size(); ++k) v.part.push_back(parts_[k].oracle(c.block(k)));
  return {std::move(v)};
}

// One number where all blocks start at it, so that a huge product is not written out.
Start Product::start() const {
  const double first = parts_.front().start().everywhere;
  const bool uniform = std::all_of(parts_.begin(), parts_.end(), [&](const AnySet& part) {
    const Start start = part.start();
    return start.values.empty() && start.everywhere == first;
  });
  if (uniform) return {dimension_, first, {}};
  return {dimension_, 0, start_point(shape())};
}

double Product::diameter() const {
  double squares = 0;
  for (const AnySet& part : parts_) squares += part.diameter() * part.diameter();
  return std::sqrt(squares);
}

bool Product::contains(std::span<const double> x, double tolerance) const {
  bool inside = true;
  each_block(parts_, x, [&](const AnySet& part, std::span<const double> block) {
    inside = inside && part.contains(block, tolerance);
  });
  return inside;
}

SparseAtom Product::without_cycles(SparseAtom v) const {
  SparseAtom whole;
  Index begin = 0;
  std::size_t j = 0;
  for (const AnySet& part : parts_) {
    const Index end = begin + part.dimension();
    SparseAtom block;
    for (; j < v.at.size() && v.at[j] < end; ++j) {
      block.at.push_back(v.at[j] - begin);
      block.value.push_back(v.value[j]);
    }
    block = part.without_cycles(std::move(block));
    for (Index at : block.at) whole.at.push_back(begin + at);
    whole.value.insert(whole.value.end(), block.value.begin(), block.value.end());
    begin = end;
  }
  return whole;
}

bool Product::can_project() const {
  return std::all_of(parts_.begin(), parts_.end(), [](const AnySet& part) { return part.can_project(); });
}

void Product::project(std::span<double> x) const {
  each_block(parts_, x, [](const AnySet& part, std::span<double> block) { part.project(block); });
}

std::optional<Inscribed> Product::inscribed() const {
  Inscribed ball{{}, std::numeric_limits<double>::infinity()};
  for (const AnySet& part : parts_) {
    const auto own = part.inscribed();
    if (!own) return std::nullopt;
    ball.centre.insert(ball.centre.end(), own->centre.begin(), own->centre.end());
    ball.radius = std::min(ball.radius, own->radius);
  }
  return ball;
}

bool Product::can_separate() const {
  return std::all_of(parts_.begin(), parts_.end(), [](const AnySet& part) { return part.can_separate(); });
}

std::optional<HalfSpace> Product::separate(std::span<const double> y) const {
  std::optional<HalfSpace> deepest;
  double depth = 0;
  std::size_t begin = 0, at = 0;
  each_block(parts_, y, [&](const AnySet& part, std::span<const double> block) {
    auto cut = part.separate(block);
    if (cut && (!deepest || cut->depth(block) > depth)) {
      depth = cut->depth(block);
      deepest = std::move(cut);
      at = begin;
    }
    begin += block.size();
  });
  if (!deepest) return std::nullopt;
  Vec whole(y.size(), 0.0);
  std::copy(deepest->normal.begin(), deepest->normal.end(), whole.begin() + static_cast<std::ptrdiff_t>(at));
  return HalfSpace{std::move(whole), deepest->most};
}

Start Product::centre() const {
  Vec whole;
  for (const AnySet& part : parts_) {
    const Vec own = part.centre().dense();
    whole.insert(whole.end(), own.begin(), own.end());
  }
  return {dimension_, 0, std::move(whole)};
}

}  // namespace tarry
