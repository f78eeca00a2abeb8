// Made-up ratings: a mean, biases, a low-rank matrix and noise, rounded to whole stars.
#pragma once

#include "tarry/data/formats/ratings_reader.h"

namespace tarry::lab {

using data::RatingData;

struct LowRankRule {
  Index users = 0, items = 0, rank = 0;
  double noise = 0;  // standard deviation
  double low = 1, high = 5;
};

// Who rates what is drawn with a preference for some users and items, as in life. The first rows do not depend on how
// many are asked for.
RatingData low_rank_ratings(const LowRankRule& rule, std::size_t rows, std::uint64_t seed);

}  // namespace tarry::lab
