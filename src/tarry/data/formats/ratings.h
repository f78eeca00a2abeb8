// Ratings as rounds: who rates what is a row of four features over the product of a matrix (users × items), the users'
// biases, the items' biases and the mean,
//
//   prediction = X[user, item] + b[user] + c[item] + m,
//
// so that everything that works for sparse features works for ratings.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tarry/data/formats/dataset_builder.h"

namespace tarry::data {

struct RatingSpace {
  Index users = 0, items = 0;  // how many there is room for
  double low = 0, high = 0;    // the range of ratings: predictions shown to people are clipped to it
  std::vector<std::string> user_names = {},
                           item_names = {};  // of those that were met: row u of the matrix is user_names[u]

  Index dimension() const { return users * items + users + items + 1; }
  double clip(double prediction) const;
};

// The features of one prediction are 1 at these places …
std::array<Index, 4> entry_indices(const RatingSpace& space, Index user, Index item);

// … which are added to the builder's row; several in one row predict their sum.
void add_entry(DatasetBuilder& row, const RatingSpace& space, Index user, Index item);

}  // namespace tarry::data
