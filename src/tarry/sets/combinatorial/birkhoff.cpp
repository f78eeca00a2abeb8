#include "tarry/sets/combinatorial/birkhoff.h"

#include <algorithm>
#include <cmath>

#include "tarry/linalg/dense_kernels.h"
#include "tarry/linalg/norms.h"
#include "tarry/sets/checks.h"
#include "tarry/sets/combinatorial/assignment.h"
#include "tarry/sets/registry.h"
#include "tarry/sets/separation.h"

namespace tarry {
namespace {

constexpr Index kMostSize = Index{1} << 20;

}  // namespace

Birkhoff::Birkhoff(Index size) : size_(size) { check_count("birkhoff", "size", size, 1, kMostSize); }

SetEntry Birkhoff::entry() {
  return {.name = "birkhoff",
          .summary = "doubly stochastic size × size matrices; mixtures of assignments",
          .keys = {{"size", "a whole number", ""}},
          .make = [](const spec::Node& node) -> AnySet { return Birkhoff(node.count("size", 1, kMostSize)); },
          .examples = {R"({"type": "birkhoff", "size": 3})"}};
}

Atom Birkhoff::oracle(const Direction& direction) const {
  const std::vector<std::uint32_t> column = cheapest_assignment(direction.dense(), static_cast<std::size_t>(size_));
  SparseAtom v{{}, Vec(column.size(), 1.0)};
  for (std::size_t row = 0; row < column.size(); ++row)
    v.at.push_back(static_cast<Index>(row * column.size() + column[row]));
  return {std::move(v)};
}

// Two assignments that agree nowhere.
double Birkhoff::diameter() const { return size_ == 1 ? 0 : std::sqrt(2.0 * static_cast<double>(size_)); }

bool Birkhoff::contains(std::span<const double> x, double tolerance) const {
  const auto n = static_cast<std::size_t>(size_);
  Vec by_column(n, 0.0);
  for (std::size_t row = 0; row < n; ++row) {
    const auto entries = x.subspan(row * n, n);
    if (!std::all_of(entries.begin(), entries.end(), [&](double xi) { return xi >= -tolerance; })) return false;
    if (!(std::fabs(sum(entries) - 1) <= tolerance)) return false;
    for (std::size_t k = 0; k < n; ++k) by_column[k] += entries[k];
  }
  return std::all_of(by_column.begin(), by_column.end(), [&](double s) { return std::fabs(s - 1) <= tolerance; });
}

// What rows and columns sum to beyond `each`, shared among their entries: m less this has those sums. As row and column
// parts, so that ⟨whole, z⟩ = Σ parts for every z of the polytope, to the last digits.
struct Birkhoff::Sums {
  Vec by_row, by_column;

  Vec whole() const {
    Vec m;
    for (const double row : by_row)
      for (const double column : by_column) m.push_back(row + column);
    return m;
  }
  double total() const { return sum(by_row) + sum(by_column); }
};

Birkhoff::Sums Birkhoff::sums(std::span<const double> m, double each) const {
  const auto n = static_cast<std::size_t>(size_);
  const auto side = static_cast<double>(size_);
  Sums sums{Vec(n), Vec(n)};
  Vec column(n);
  for (std::size_t k = 0; k < n; ++k) {
    sums.by_row[k] = (sum(m.subspan(k * n, n)) - each) / side;
    for (std::size_t row = 0; row < n; ++row) column[row] = m[row * n + k];
    sums.by_column[k] = (sum(column) - each) / side;
  }
  const double mean = sum(sums.by_row) / side;  // counted twice
  for (double& row : sums.by_row) row -= mean;
  return sums;
}

// Points whose rows or columns have other sums go back to those that have; then what is negative is outside.
std::optional<HalfSpace> Birkhoff::separate(std::span<const double> y) const {
  if (contains(y, kSeparationTolerance)) return std::nullopt;
  const Sums off = sums(y, 1);
  if (Vec normal = off.whole(); norm2(normal) > hull_slack(y, 1)) return HalfSpace{std::move(normal), off.total()};
  Vec nearest(y.begin(), y.end());
  for (double& x : nearest) x = std::max(x, 0.0);
  auto cut = between(y, nearest);
  if (!cut) return std::nullopt;
  const Sums across = sums(cut->normal, 0);
  kernels::blend(cut->normal, 1, across.whole(), -1);
  cut->most -= across.total();
  return cut;
}

}  // namespace tarry
