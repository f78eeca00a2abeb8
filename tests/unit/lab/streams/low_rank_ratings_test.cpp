#include "tarry/lab/streams/low_rank_ratings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace tarry::lab {
namespace {

const LowRankRule kRule{.users = 30, .items = 20, .rank = 2, .noise = 0};

TEST(LowRankRatings, AreStarsThatFollowTheSeed) {
  const RatingData some = low_rank_ratings(kRule, 100, 7), more = low_rank_ratings(kRule, 5000, 7);
  EXPECT_EQ(some.data.labels, Vec(more.data.labels.begin(), more.data.labels.begin() + 100));
  EXPECT_NE(some.data.labels, low_rank_ratings(kRule, 100, 8).data.labels);
  EXPECT_EQ(some.data.dimension, 30 * 20 + 30 + 20 + 1);
  for (double stars : more.data.labels) {
    EXPECT_EQ(stars, std::round(stars));
    EXPECT_GE(stars, 1);
    EXPECT_LE(stars, 5);
  }
}

TEST(LowRankRatings, WithoutNoiseAnEntryHasOneRating) {
  const RatingData ratings = low_rank_ratings(kRule, 5000, 1);
  std::map<Index, double> stars;
  Index least = ratings.space.dimension(), most = 0;
  for (std::size_t row = 0; row < ratings.data.rows(); ++row) {
    const Index entry = ratings.data.features(row).indices()[0];
    EXPECT_EQ(stars.try_emplace(entry, ratings.data.labels[row]).first->second, ratings.data.labels[row]);
    least = std::min(least, entry);
    most = std::max(most, entry);
  }
  EXPECT_EQ(least, 0);
  EXPECT_GE(most, 29 * 20);  // the last user rates, too
  EXPECT_LT(most, 30 * 20);
}

}  // namespace
}  // namespace tarry::lab
