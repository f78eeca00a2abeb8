#include "tarry/lab/ratings.h"

#include <algorithm>

namespace tarry::lab {

double RatingSpace::clip(double prediction) const { return std::clamp(prediction, low, high); }

void add_entry(DatasetBuilder& row, const RatingSpace& space, Index user, Index item) {
  const Index matrix = space.users * space.items;
  row.add(user * space.items + item, 1);
  row.add(matrix + user, 1);
  row.add(matrix + space.users + item, 1);
  row.add(matrix + space.users + space.items, 1);
}

}  // namespace tarry::lab
