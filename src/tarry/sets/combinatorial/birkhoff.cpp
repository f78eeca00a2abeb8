#include "tarry/sets/combinatorial/birkhoff.h"

#include <algorithm>
#include <cmath>

#include "tarry/linalg/norms.h"
#include "tarry/sets/checks.h"
#include "tarry/sets/combinatorial/assignment.h"
#include "tarry/sets/registry.h"

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

}  // namespace tarry
