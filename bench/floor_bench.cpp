// The least that predicting and learning a row can take: the kernels of eight rates alone, over a plain table, in the
// order of a LIBSVM file's rows. No ledger, no loss, no weights, nothing looked up. Standardising adds what is
// counted of each feature. Usage: floor_bench FILE [DIMENSION]. With a dimension also the rows' products, which a
// second bank sees beside the features.
#include <fmt/format.h>

#include <ctime>
#include <vector>

#include "tarry/data/formats/libsvm_reader.h"
#include "tarry/data/text/text_lines.h"
#include "tarry/features/products.h"
#include "tarry/linalg/adagrad_kernels.h"
#include "tarry/linalg/large_vector.h"
#include "tarry/linalg/parallel.h"

namespace {

using namespace tarry;

constexpr std::size_t kRates = kernels::kAdagradRates;

class Table {
 public:
  explicit Table(Index coordinates) : numbers_(static_cast<std::size_t>(coordinates) * 2 * kRates, 1.0) {}

  void learn(const Covector& row) {
    at_.resize(row.stored());
    for (std::size_t j = 0; j < at_.size(); ++j) {
      at_[j] = numbers_.data() + static_cast<std::size_t>(row.index(j)) * 2 * kRates;
      __builtin_prefetch(at_[j]);
      __builtin_prefetch(at_[j] + kRates);
    }
    double slopes[kRates] = {};
    kernels::adagrad_predict(at_.data(), row.values(), slopes);
    for (double& slope : slopes) slope = slope > 0 ? 0.25 : -0.25;
    kernels::adagrad_learn(at_.data(), row.values(), {rates_, slopes}, {-10, 10, 1});
  }

 private:
  LargeVector<double> numbers_;
  std::vector<double*> at_;
  double rates_[kRates] = {2, 1, 0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625};
};

// What is counted of each feature, four numbers, of which an indicator changes one.
class Counts {
 public:
  explicit Counts(Index coordinates) : numbers_(static_cast<std::size_t>(coordinates) * 4) {}

  Covector standardise(const Covector& row) {
    values_.resize(row.stored());
    for (std::size_t j = 0; j < values_.size(); ++j) __builtin_prefetch(at(row.index(j)));
    for (std::size_t j = 0; j < values_.size(); ++j) {
      double* seen = at(row.index(j));
      seen[0] += 1;
      values_[j] = seen[3] > 0 ? row.values()[j] / seen[3] : row.values()[j];
    }
    return Covector::sparse(row.indices(), values_);
  }

 private:
  double* at(Index i) { return numbers_.data() + static_cast<std::size_t>(i) * 4; }

  LargeVector<double> numbers_;
  Vec values_;
};

template <class Learn>
void time(const char* name, std::size_t rows, Learn learn) {
  const std::clock_t start = std::clock();
  for (std::size_t row = 0; row < rows; ++row) learn(row);
  fmt::print("{{\"name\": \"{}\", \"seconds\": [{}]}}\n", name,
             static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / static_cast<double>(rows));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) return 2;
  const ThreadLimit one(1);
  const Index dimension = argc == 3 ? std::stoll(argv[2]) : Index{1} << 20;
  data::TextLines lines(argv[1]);
  const data::Dataset data =
      data::read_libsvm(lines, {.dimension = dimension, .intercept = false, .shuffle = {}, .limit = 0, .as_label = {}});
  Table features(dimension);
  time(argc == 3 ? "floor_narrow" : "floor", data.rows(), [&](std::size_t row) { features.learn(data.features(row)); });
  if (argc != 3) {
    Table standardised(dimension);
    Counts counts(dimension);
    time("floor_standardised", data.rows(),
         [&](std::size_t row) { standardised.learn(counts.standardise(data.features(row))); });
    return 0;
  }
  const Products products(dimension, dimension);
  Table alone(dimension), wide(products.width());
  Row made;
  time("floor_products", data.rows(), [&](std::size_t row) {
    alone.learn(data.features(row));
    wide.learn(products.widen(data.features(row), made));
  });
}
