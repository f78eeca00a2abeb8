#include "tarry/lab/streams/low_rank_ratings.h"

#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/base/random.h"

namespace tarry::lab {
namespace {

enum RatingDraws : std::uint64_t { kUsers = 41, kItems, kRatings };

constexpr double kBias = 0.4;   // standard deviation of a bias …
constexpr double kTaste = 0.6;  // … and of an entry of the low-rank matrix, both in stars

// A bias and `rank` factors for each of `count`.
struct Side {
  Vec bias, factors;
  Side(Index count, Index rank, double size, RandomSequence draws) {
    for (Index i = 0; i < count; ++i) {
      bias.push_back(kBias * draws.gaussian());
      for (Index k = 0; k < rank; ++k) factors.push_back(size * draws.gaussian());
    }
  }
};

std::vector<std::string> numbered(Index count) {
  std::vector<std::string> names;
  for (Index i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

}  // namespace

RatingData low_rank_ratings(const LowRankRule& rule, std::size_t rows, std::uint64_t seed) {
  // An entry is a sum of `rank` products of two factors: its variance is rank · size⁴.
  const double size = std::sqrt(kTaste) / tarry::pow(static_cast<double>(rule.rank), 0.25);
  const Side users(rule.users, rule.rank, size, RandomSequence(seed, kUsers));
  const Side items(rule.items, rule.rank, size, RandomSequence(seed, kItems));
  const auto rank = static_cast<std::size_t>(rule.rank);
  const double middle = (rule.low + rule.high) / 2;

  RatingData made;
  made.space = {rule.users, rule.items, rule.low, rule.high, numbered(rule.users), numbered(rule.items)};
  RandomSequence draws(seed, kRatings);
  const auto someone = [&](Index count) {  // half of the draws fall on the first quarter
    const double u = draws.uniform();
    return static_cast<std::size_t>(u * u * static_cast<double>(count));
  };
  data::DatasetBuilder builder;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t user = someone(rule.users), item = someone(rule.items);
    double rating = middle + users.bias[user] + items.bias[item] + rule.noise * draws.gaussian();
    for (std::size_t k = 0; k < rank; ++k) rating += users.factors[user * rank + k] * items.factors[item * rank + k];
    add_entry(builder, made.space, static_cast<Index>(user), static_cast<Index>(item));
    builder.end_row(made.space.clip(std::round(rating)));
  }
  made.data = builder.take(made.space.dimension());
  return made;
}

}  // namespace tarry::lab
