#include "tarry/oracles/polytope.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tarry/base/error.h"
#include "tarry/linalg/norms.h"
#include "tarry/oracles/lp_file.h"
#include "tarry/oracles/lp_spec.h"
#include "tarry/sets/checks.h"
#include "tarry/sets/registry.h"

namespace tarry::oracles {
namespace {

constexpr Index kMostSide = Index{1} << 20;
constexpr std::size_t kAllMeasured = 256;  // up to so many coordinates, the range of each is found
constexpr std::size_t kMostAsked = 32;     // beyond: of so many, and of those without bounds

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

std::shared_ptr<const LinearProgram> checked(LinearProgram lp) {
  check_count("polytope", "the number of columns", static_cast<Index>(lp.cols()), 1, kMostSide);
  check_count("polytope", "the number of rows", static_cast<Index>(lp.rows()), 0, kMostSide);
  const auto check = [](const char* what, const Vec& low, const Vec& high) {
    for (std::size_t i = 0; i < low.size(); ++i)
      if (!(low[i] <= high[i]))
        throw Error(Code::kBadSpec, fmt::format("polytope: {}lower must be at most {}upper (entry {}: {} and {})", what,
                                                what, i, low[i], high[i]));
  };
  check("row_", lp.row_lower, lp.row_upper);
  check("", lp.lower, lp.upper);
  std::sort(lp.entries.begin(), lp.entries.end(),
            [](const Entry& a, const Entry& b) { return a.col < b.col || (a.col == b.col && a.row < b.row); });
  return std::make_shared<const LinearProgram>(std::move(lp));
}

AnySet read(const spec::Node& node) {
  if (node.has("lp_file") == node.has("rows")) node.fail_whole("give either lp_file or rows");
  if (node.has("lp_file")) return Polytope(read_lp_file(node.text("lp_file")));
  return Polytope(read_rows(node));
}

}  // namespace

Polytope::Polytope(LinearProgram program)
    : program_(checked(std::move(program))),
      method_(program_, "polytope"),
      low_(program_->lower),
      high_(program_->upper) {
  measure();
}

SetEntry Polytope::entry() {
  return {.name = "polytope",
          .summary = "row_lower ≤ A x ≤ row_upper, lower ≤ x ≤ upper; from a file, or by rows",
          .keys = {{"lp_file", "a file in the MPS or LP format", "optional"},
                   {"rows", "an array of rows, each an array of numbers or {indices, values}", "optional"},
                   {"row_lower", "an array of numbers or null, or a number", "no bound"},
                   {"row_upper", "an array of numbers or null, or a number", "no bound"},
                   {"lower", "an array of numbers or null, or a number", "no bound"},
                   {"upper", "an array of numbers or null, or a number", "no bound"},
                   {"dimension", "a whole number, when no row is an array", "optional"}},
          .make = read,
          .examples = {R"({"type": "polytope", "rows": [[1, 1, 1], [1, -1, 0]], "row_lower": [null, -0.5],)"
                       R"( "row_upper": [2, 1], "lower": 0, "upper": [1, 1.5, 1]})",
                       R"({"type": "polytope", "dimension": 3, "rows": [{"indices": [0, 2], "values": [1, 2]},)"
                       R"( {"indices": [0, 1, 2], "values": [1, 1, 1]}], "row_lower": [1, null], "row_upper": [1, 4],)"
                       R"( "lower": [-1, -1, 0]})"}};
}

Vec Polytope::bounded_vertex(std::span<const double> c, const std::string& what) const {
  SimplexMethod::Answer answer = method_.least(c);
  if (!answer.bounded) throw Error(Code::kBadSpec, fmt::format("polytope: the set must be bounded ({})", what));
  return std::move(answer.vertex);
}

// Finds how far the coordinates reach, which also proves that the set is bounded; the mean of what was met on the way
// is where games start.
void Polytope::measure() {
  const std::size_t n = program_->cols();
  Vec mean(n, 0.0), c(n, 0.0);
  double met = 0;
  const auto meet = [&](const std::string& what) {
    Vec v = bounded_vertex(c, what);
    for (std::size_t i = 0; i < n; ++i) mean[i] += v[i];
    ++met;
    return v;
  };
  const std::size_t stride = n <= kAllMeasured ? 1 : n / kMostAsked;
  for (std::size_t i = 0; i < n; ++i) {
    if (i % stride != 0 && std::isfinite(low_[i]) && std::isfinite(high_[i])) continue;
    c[i] = 1;
    const double least = meet(fmt::format("x_{} can be as small as one likes", i))[i];
    c[i] = -1;
    const double most = meet(fmt::format("x_{} can be as large as one likes", i))[i];
    c[i] = 0;
    low_[i] = std::max(low_[i], std::min(least, most));
    high_[i] = std::min(high_[i], std::max(least, most));
  }
  for (double& x : mean) x /= met;
  start_ = std::move(mean);
  row_size_.assign(program_->rows(), 0.0);
  for (const Entry& entry : program_->entries)
    row_size_[at(entry.row)] +=
        std::fabs(entry.value) * std::max(std::fabs(low_[at(entry.col)]), std::fabs(high_[at(entry.col)]));

  // No two points differ by more than the ranges' lengths, nor, by Hölder, by more than √(the longest range · the
  // sum of differences), and that sum is at most twice what all coordinates together have above their least.
  Vec range(n);
  for (std::size_t i = 0; i < n; ++i) range[i] = high_[i] - low_[i];
  double sums = std::numeric_limits<double>::infinity();
  for (double sign : {1.0, -1.0}) {
    c.assign(n, -sign);
    const Vec v = bounded_vertex(c, "the sum of x has no end");
    double above = 0;
    for (std::size_t i = 0; i < n; ++i) above += sign > 0 ? v[i] - low_[i] : high_[i] - v[i];
    sums = std::min(sums, 2 * std::max(0.0, above));
  }
  constexpr double kRounding = 1 + 1e-9;
  diameter_ = kRounding * std::min(norm2(range), std::sqrt(sums * max_abs(range)));
}

Atom Polytope::oracle(const Direction& direction) const {
  SimplexMethod::Answer answer = method_.least(direction.dense());
  if (!answer.bounded) throw Error(Code::kInternal, "polytope: CLP calls a bounded program unbounded");
  return {DenseAtom{std::move(answer.vertex)}};
}

bool Polytope::contains(std::span<const double> x, double tolerance) const {
  const LinearProgram& lp = *program_;
  const auto within = [&](double value, double low, double high, double size) {
    return value >= low - tolerance * size && value <= high + tolerance * size;  // false for NaN
  };
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!within(x[i], low_[i], high_[i], std::max(std::fabs(low_[i]), std::fabs(high_[i])))) return false;
  Vec activity(lp.rows(), 0.0);
  for (const Entry& entry : lp.entries) activity[at(entry.row)] += entry.value * x[at(entry.col)];
  for (std::size_t i = 0; i < lp.rows(); ++i)
    if (!within(activity[i], lp.row_lower[i], lp.row_upper[i], row_size_[i])) return false;
  return true;
}

}  // namespace tarry::oracles
