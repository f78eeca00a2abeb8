#include "tarry/data/formats/ratings.h"

#include <algorithm>

namespace tarry::data {

double RatingSpace::clip(double prediction) const { return std::clamp(prediction, low, high); }

std::array<Index, 4> entry_indices(const RatingSpace& space, Index user, Index item) {
  const Index users = space.users * space.items, items = users + space.users;
  return {user * space.items + item, users + user, items + item, items + space.items};
}

void add_entry(DatasetBuilder& row, const RatingSpace& space, Index user, Index item) {
  for (const Index i : entry_indices(space, user, item)) row.add(i, 1);
}

}  // namespace tarry::data
