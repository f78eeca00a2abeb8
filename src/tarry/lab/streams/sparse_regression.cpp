#include "tarry/lab/streams/sparse_regression.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "tarry/base/random.h"
#include "tarry/data/formats/dataset_builder.h"

namespace tarry::lab {

using namespace data;
namespace {

enum RegressionDraws : std::uint64_t { kWeights = 31, kRows };

double sign(RandomSequence& random) { return random.below(2) == 0 ? -1 : 1; }

// `count` distinct indices below `dimension`, ascending, each choice equally likely (Floyd).
std::vector<Index> choose(Index count, Index dimension, RandomSequence& random) {
  std::unordered_set<Index> chosen;
  for (Index last = dimension - count; last < dimension; ++last)
    if (!chosen.insert(static_cast<Index>(random.below(static_cast<std::uint64_t>(last + 1)))).second)
      chosen.insert(last);
  std::vector<Index> indices(chosen.begin(), chosen.end());
  std::sort(indices.begin(), indices.end());
  return indices;
}

}  // namespace

Dataset sparse_regression(const SparseRule& rule, std::size_t rows, std::uint64_t seed) {
  RandomSequence weight_draws(seed, kWeights), draws(seed, kRows);
  std::unordered_map<Index, double> weights;
  for (const Index i : choose(rule.non_zeros, rule.dimension, weight_draws))
    weights[i] = sign(weight_draws) / static_cast<double>(rule.non_zeros);
  DatasetBuilder builder;
  for (std::size_t row = 0; row < rows; ++row) {
    double truth = 0;
    for (const Index i : choose(rule.density, rule.dimension, draws)) {
      const double value = sign(draws);
      builder.add(i, value);
      if (const auto weight = weights.find(i); weight != weights.end()) truth += value * weight->second;
    }
    truth += rule.noise * draws.gaussian();
    builder.end_row(rule.of_sign ? (truth < 0 ? -1 : 1) : truth);
  }
  return builder.take(rule.dimension);
}

}  // namespace tarry::lab
