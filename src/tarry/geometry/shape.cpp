#include "tarry/geometry/shape.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "tarry/base/error.h"
#include "tarry/linalg/norms.h"

namespace tarry {

std::size_t full_size(Index dimension) {
  constexpr Index kMost = Index{1} << 36;  // half a tebibyte
  if (dimension > kMost)
    throw Error(Code::kUnsupported,
                "not enough memory for a decision in full: it has " + std::to_string(dimension) + " coordinates");
  return static_cast<std::size_t>(dimension);
}

Shape Shape::starting_at(const Vec& x) const {
  Shape moved = *this;
  if (blocks.empty()) {
    const bool uniform = std::all_of(x.begin(), x.end(), [&](double xi) { return xi == x[0]; });
    moved.start = uniform ? Start{start.dimension, x.empty() ? 0 : x[0], {}} : Start{start.dimension, 0, x};
    return moved;
  }
  auto begin = x.begin();
  for (Shape& block : moved.blocks) {
    const auto end = begin + block.start.dimension;
    block = block.starting_at(Vec(begin, end));
    begin = end;
  }
  return moved;
}

bool Shape::has_matrix() const {
  return need == Need::kTopPair ||
         std::any_of(blocks.begin(), blocks.end(), [](const Shape& block) { return block.has_matrix(); });
}

Vec start_point(const Shape& shape) {
  if (shape.blocks.empty()) return shape.start.dense();
  Vec x;
  for (const Shape& block : shape.blocks) {
    const Vec part = start_point(block);
    x.insert(x.end(), part.begin(), part.end());
  }
  return x;
}

double start_norm(const Shape& shape) {
  if (shape.blocks.empty()) {
    const auto& [dimension, everywhere, values] = shape.start;
    return values.empty() ? std::fabs(everywhere) * std::sqrt(static_cast<double>(dimension)) : norm2(values);
  }
  Vec parts;
  for (const Shape& block : shape.blocks) parts.push_back(start_norm(block));
  return norm2(parts);
}

}  // namespace tarry
