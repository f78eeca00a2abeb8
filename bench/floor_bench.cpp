// The least that predicting and learning a row can take: the kernels of eight rates alone, over a plain table, in the
// order of a LIBSVM file's rows. No ledger, no loss, no weights, nothing looked up. Standardising adds what is
// counted of each feature. Usage: floor_bench FILE [DIMENSION]. With a dimension also the rows' products, which a
// second bank sees beside the features. Or floor_bench dense WIDTH ROWS [CSV]: rows of so many numbers, all of them
// there; with a file also a pass over its bytes, as a reader of it has to make at least.
//
// It also prints what a row touches: cache lines, each read and written, and operations of floating point.
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
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

struct Touched {
  double lines = 0, flops = 0;
};
// x and A of eight rates are two lines. A rate predicts with a product and a sum; its step takes a gradient, its
// square, a sum, a root, a quotient, a product, a difference and two limits.
constexpr Touched kOfFeature{2, (2 + 9) * kRates};
// Four numbers, half a line: a count, and a quotient.
constexpr Touched kOfCount{0.5, 2};
constexpr Touched kOfProduct{0, 1};

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

void print(const std::string& name, double number) {
  fmt::print("{{\"name\": \"{}\", \"seconds\": [{}]}}\n", name, number);
}

// `learn` gives what the row touched.
template <class Learn>
void time(const std::string& name, std::size_t rows, Learn learn) {
  Touched all;
  const auto count = static_cast<double>(rows);
  const std::clock_t start = std::clock();
  for (std::size_t row = 0; row < rows; ++row) {
    const Touched one = learn(row);
    all.lines += one.lines;
    all.flops += one.flops;
  }
  print(name, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / count);
  print(name + "_lines", all.lines / count);
  print(name + "_flops", all.flops / count);
}

Touched times(std::size_t count, const Touched& one) {
  const auto n = static_cast<double>(count);
  return {n * one.lines, n * one.flops};
}

Touched both(const Touched& a, const Touched& b) { return {a.lines + b.lines, a.flops + b.flops}; }

void time_dense(Index width, std::size_t rows) {
  Vec numbers(static_cast<std::size_t>(width));
  Table table(width);
  time("floor_dense", rows, [&](std::size_t row) {
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>((row * 7 + i * 13) % 101) - 50;
    table.learn(Covector::dense(numbers));
    return times(numbers.size(), kOfFeature);
  });
}

// One pass over the bytes of a file, eight at a time, for each of its rows.
void time_bytes(const char* path, std::size_t rows) {
  const std::clock_t start = std::clock();
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) std::exit(2);
  std::vector<std::uint64_t> words(1 << 15);
  std::uint64_t sum = 0;
  while (const std::size_t got = std::fread(words.data(), 8, words.size(), file))
    for (std::size_t i = 0; i < got; ++i) sum += words[i];
  std::fclose(file);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  print("floor_bytes", (sum == 1 ? 0 : seconds) / static_cast<double>(rows));
}

}  // namespace

int main(int argc, char** argv) {
  const ThreadLimit one(1);
  if (argc >= 4 && std::string_view(argv[1]) == "dense") {
    const std::size_t rows = std::stoull(argv[3]);
    time_dense(std::stoll(argv[2]), rows);
    if (argc > 4) time_bytes(argv[4], rows);
    return 0;
  }
  if (argc != 2 && argc != 3) return 2;
  const Index dimension = argc == 3 ? std::stoll(argv[2]) : Index{1} << 20;
  data::TextLines lines(argv[1]);
  const data::Dataset data =
      data::read_libsvm(lines, {.dimension = dimension, .intercept = false, .shuffle = {}, .limit = 0, .as_label = {}});
  Table features(dimension);
  time(argc == 3 ? "floor_narrow" : "floor", data.rows(), [&](std::size_t row) {
    features.learn(data.features(row));
    return times(data.features(row).stored(), kOfFeature);
  });
  if (argc != 3) {
    Table standardised(dimension);
    Counts counts(dimension);
    time("floor_standardised", data.rows(), [&](std::size_t row) {
      standardised.learn(counts.standardise(data.features(row)));
      return times(data.features(row).stored(), both(kOfFeature, kOfCount));
    });
    return 0;
  }
  const Products products(dimension, dimension);
  Table alone(dimension), wide(products.width());
  Row made;
  time("floor_products", data.rows(), [&](std::size_t row) {
    alone.learn(data.features(row));
    const Covector all = products.widen(data.features(row), made);
    wide.learn(all);
    const std::size_t own = data.features(row).stored();
    return both(times(own + all.stored(), kOfFeature), times(all.stored() - own, kOfProduct));
  });
}
