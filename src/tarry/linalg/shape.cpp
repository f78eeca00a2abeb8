#include "tarry/linalg/shape.h"

#include <algorithm>

namespace tarry {

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

}  // namespace tarry
