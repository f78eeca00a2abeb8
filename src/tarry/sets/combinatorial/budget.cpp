#include "tarry/sets/combinatorial/budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "tarry/base/error.h"
#include "tarry/linalg/norms.h"
#include "tarry/sets/checks.h"
#include "tarry/sets/read_bound.h"
#include "tarry/sets/registry.h"
#include "tarry/sets/separation.h"

namespace tarry {
namespace {

AnySet read_budget(const spec::Node& node) {
  const double total = node.number("total");
  Vec floor = read_bound(node, "floor"), cap = read_bound(node, "cap");
  if (node.has("dimension") && node.dimension() != static_cast<Index>(floor.size()))
    node.at("dimension").fail(fmt::format("the length of floor, {}", floor.size()));
  return Budget(total, std::move(floor), std::move(cap));
}

// Σ clip(x_i − θ, floor_i, cap_i).
double clipped_sum(std::span<const double> x, const Vec& floor, const Vec& cap, double theta) {
  Vec clipped(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) clipped[i] = std::clamp(x[i] - theta, floor[i], cap[i]);
  return sum(clipped);
}

// θ where that sum is total. It falls with θ, linearly between the breakpoints x_i − cap_i and x_i − floor_i. Where the
// two neighbours of θ are further apart than any width, nothing moves between them: θ is at one of them, up to
// rounding.
double threshold(std::span<const double> x, const Vec& floor, const Vec& cap, double total) {
  Vec points;
  double widest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    points.push_back(x[i] - cap[i]);
    points.push_back(x[i] - floor[i]);
    widest = std::max(widest, cap[i] - floor[i]);
  }
  std::sort(points.begin(), points.end());
  const auto at = [&](double theta) { return clipped_sum(x, floor, cap, theta); };
  const auto below = std::partition_point(points.begin() + 1, points.end(), [&](double p) { return at(p) >= total; });
  const double low = *(below - 1);
  if (below == points.end()) return low;
  const double high = *below;
  if (high - low > 2 * widest) return at(low + (high - low) / 2) >= total ? high : low;
  const double from = at(low), to = at(high);
  return from > to ? low + (high - low) * std::clamp((from - total) / (from - to), 0.0, 1.0) : low;
}

}  // namespace

Budget::Budget(double total, Vec floor, Vec cap) : total_(total), floor_(std::move(floor)), cap_(std::move(cap)) {
  check_not_empty("budget", "floor", floor_.size());
  if (floor_.size() != cap_.size())
    throw Error(Code::kBadSpec,
                fmt::format("budget: cap must have as many entries as floor ({} and {})", cap_.size(), floor_.size()));
  for (std::size_t i = 0; i < floor_.size(); ++i)
    if (!(floor_[i] <= cap_[i]))
      throw Error(Code::kBadSpec,
                  fmt::format("budget: floor must be at most cap (entry {}: {} and {})", i, floor_[i], cap_[i]));
  const double least = sum(floor_), most = sum(cap_);
  if (!(least <= total))
    throw Error(Code::kBadSpec, fmt::format("budget: the floors must leave something of the total (they sum to {}, "
                                            "total = {})",
                                            least, total));
  if (!(total <= most))
    throw Error(Code::kBadSpec,
                fmt::format("budget: the caps must reach the total (they sum to {}, total = {})", most, total));
  spare_ = total - least;
  for (std::size_t i = 0; i < floor_.size(); ++i) cap_[i] = std::min(cap_[i], floor_[i] + spare_);
}

SetEntry Budget::entry() {
  return {.name = "budget",
          .summary = "Σ x_i = total, floor_i ≤ x_i ≤ cap_i",
          .keys = {{"total", "a number", ""},
                   {"floor", "an array of numbers, or a number", ""},
                   {"cap", "an array of numbers, or a number", ""},
                   {"dimension", "a whole number, when floor or cap is a number", "optional"}},
          .make = read_budget,
          .examples = {R"({"type": "budget", "total": 4, "floor": [0, 0.5, -1, 0], "cap": [2, 1, 3, 2.5]})",
                       R"({"type": "budget", "dimension": 3, "total": 1, "floor": 0, "cap": 0.5})"}};
}

// The cheapest coordinates are filled first, each to its cap, until nothing is spare; ties go to the lowest index.
Atom Budget::oracle(const Direction& direction) const {
  const auto c = direction.dense();
  std::vector<std::size_t> order(c.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return c[a] < c[b]; });
  DenseAtom v{floor_};
  double spare = spare_;
  for (std::size_t i : order) {
    const double width = cap_[i] - floor_[i];
    if (width >= spare) {
      v.value[i] = floor_[i] + spare;
      break;
    }
    v.value[i] = cap_[i];
    spare -= width;
  }
  return {std::move(v)};
}

// What is spare is shared in proportion to the widths.
Start Budget::start() const {
  Vec x = floor_;
  const double widths = sum(cap_) - sum(floor_);
  if (widths > 0)
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += spare_ / widths * (cap_[i] - floor_[i]);
  return {static_cast<Index>(x.size()), 0, std::move(x)};
}

// Of the difference of two points, |d_i| is at most a width, and what rises falls elsewhere: Σ|d_i| ≤ 2 min(spare,
// Σ widths − spare). Filling the widest first gives the largest Σ d_i² of all such d; a bound where they do not pair
// up.
double Budget::diameter() const {
  Vec width(floor_.size());
  for (std::size_t i = 0; i < width.size(); ++i) width[i] = cap_[i] - floor_[i];
  const double one_way = std::max(0.0, std::min(spare_, sum(width) - spare_));
  std::sort(width.begin(), width.end(), std::greater<>());
  double left = 2 * one_way;
  for (double& w : width) {
    w = std::min({w, one_way, left});
    left -= w;
  }
  return norm2(width);
}

bool Budget::contains(std::span<const double> x, double tolerance) const {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double slack = tolerance * std::max(std::fabs(floor_[i]), std::fabs(cap_[i]));
    if (!(x[i] >= floor_[i] - slack && x[i] <= cap_[i] + slack)) return false;
  }
  return std::fabs(sum(x) - total_) <= tolerance * (norm1(floor_) + spare_);
}

// x_i − θ, clipped. A point far outside loses the digits of θ; taking θ away and looking again brings them back, since
// what then is near 0 was taken away exactly.
void Budget::project(std::span<double> x) const {
  constexpr int kMostPasses = 20;
  const double size = norm1(floor_) + spare_;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const double theta = threshold(x, floor_, cap_, total_);
    for (double& xi : x) xi -= theta;
    if (!(std::fabs(theta) > 1e-3 * size)) break;
  }
  const double theta = threshold(x, floor_, cap_, total_);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::clamp(x[i] - theta, floor_[i], cap_[i]);
}

// Coordinates without width have their value, and the others' sum is the rest: points off that plane go back to it. On
// it, what is beyond floors and caps is outside.
std::optional<HalfSpace> Budget::separate(std::span<const double> y) const {
  if (contains(y, kSeparationTolerance)) return std::nullopt;
  Vec part, clipped, off(y.size(), 0.0);
  double total = total_, most = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (cap_[i] > floor_[i]) {
      part.push_back(y[i]);
      clipped.push_back(std::clamp(y[i], floor_[i], cap_[i]));
    } else {
      off[i] = y[i] - floor_[i];
      most += off[i] * floor_[i];
      total -= floor_[i];
    }
  }
  const double each = part.empty() ? 0 : (sum(part) - total) / static_cast<double>(part.size());
  for (std::size_t i = 0; i < y.size(); ++i)
    if (cap_[i] > floor_[i]) off[i] = each;
  if (norm2(off) > hull_slack(y, norm1(floor_) + spare_)) return HalfSpace{std::move(off), most + each * total};
  auto cut = between(part, clipped);
  if (!cut) return std::nullopt;
  *cut = along_sum(std::move(*cut), total);
  HalfSpace whole{Vec(y.size(), 0.0), cut->most};
  for (std::size_t i = 0, k = 0; i < y.size(); ++i)
    if (cap_[i] > floor_[i]) whole.normal[i] = cut->normal[k++];
  return whole;
}

}  // namespace tarry
