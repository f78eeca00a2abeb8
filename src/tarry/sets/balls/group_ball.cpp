#include "tarry/sets/balls/group_ball.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"
#include "tarry/linalg/norms.h"
#include "tarry/sets/checks.h"
#include "tarry/sets/registry.h"
#include "tarry/sets/separation.h"

namespace tarry {
namespace {

constexpr const char* kGroups = "an array of arrays of indices";

Vec gather(const std::vector<Index>& group, std::span<const double> x) {
  Vec part;
  for (Index i : group) part.push_back(x[static_cast<std::size_t>(i)]);
  return part;
}

AnySet read_group_ball(const spec::Node& node) {
  std::vector<std::vector<Index>> groups;
  for (const spec::Node& group : node.at("groups", kGroups).list(kGroups)) groups.push_back(group.integers());
  return GroupBall{std::move(groups), node.number("p"), node.number("radius")};
}

}  // namespace

GroupBall::GroupBall(std::vector<std::vector<Index>> groups, double p, double radius)
    : groups_(std::move(groups)), p_(p), radius_(radius), dimension_(0) {
  check_not_empty("group_ball", "groups", groups_.size());
  check_at_least("group_ball", "p", p, 1);
  check_positive("group_ball", "radius", radius);
  std::vector<Index> all;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (groups_[g].empty()) throw Error(Code::kBadSpec, fmt::format("group_ball: group {} is empty", g));
    std::sort(groups_[g].begin(), groups_[g].end());
    all.insert(all.end(), groups_[g].begin(), groups_[g].end());
  }
  std::sort(all.begin(), all.end());
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] != static_cast<Index>(i))
      throw Error(Code::kBadSpec,
                  fmt::format("group_ball: groups must hold each of the indices 0 to {} once (index {} breaks this)",
                              all.size() - 1, all[i]));
  dimension_ = static_cast<Index>(all.size());
}

SetEntry GroupBall::entry() {
  return {.name = "group_ball",
          .summary = "Σ over groups of ‖x_group‖_p ≤ radius",
          .keys = {{"groups", "an array of arrays of indices, each index once", ""},
                   {"p", "a number of at least 1", ""},
                   {"radius", "a positive number", ""}},
          .make = read_group_ball,
          .examples = {R"({"type": "group_ball", "groups": [[0, 2], [1, 3, 4]], "p": 2, "radius": 1.5})",
                       R"({"type": "group_ball", "groups": [[0, 1], [2]], "p": 3, "radius": 1})"}};
}

double GroupBall::dual_norm(const std::vector<Index>& group, std::span<const double> c, Vec& scratch) const {
  scratch.clear();
  for (Index i : group) scratch.push_back(c[static_cast<std::size_t>(i)]);
  return norm(scratch, conjugate(p_));
}

// The whole radius goes to the group whose dual norm is largest.
Atom GroupBall::oracle(const Direction& direction) const {
  const auto c = direction.dense();
  Vec scratch;
  std::size_t best = 0;
  double best_norm = dual_norm(groups_[0], c, scratch);
  for (std::size_t g = 1; g < groups_.size(); ++g)
    if (const double dual = dual_norm(groups_[g], c, scratch); dual > best_norm) {
      best = g;
      best_norm = dual;
    }
  SparseAtom v{groups_[best], Vec(groups_[best].size())};
  lp_minimiser(gather(v.at, c), p_, radius_, v.value);
  return {std::move(v)};
}

// Two opposite points of the lp ball of one group are further apart than points of two groups.
double GroupBall::diameter() const {
  std::size_t largest = 0;
  for (const auto& group : groups_) largest = std::max(largest, group.size());
  return 2 * radius_ * tarry::pow(static_cast<double>(largest), std::max(0.0, 0.5 - 1 / p_));
}

bool GroupBall::contains(std::span<const double> x, double tolerance) const {
  double total = 0;
  for (const auto& group : groups_) total += norm(gather(group, x), p_);
  return total <= radius_ * (1 + tolerance);
}

// Σ_g ‖x_g‖ ≤ √m ‖x‖ for m groups, and ‖x_g‖_p is at most |g|^{1/p − 1/2} ‖x_g‖ for p ≤ 2, ‖x_g‖ for larger p.
Inscribed GroupBall::inscribed() const {
  double widest = 1;
  for (const auto& group : groups_)
    if (p_ < 2) widest = std::max(widest, tarry::pow(static_cast<double>(group.size()), 1 / p_ - 0.5));
  return inscribed_about_zero(dimension_, radius_ / (widest * std::sqrt(static_cast<double>(groups_.size()))));
}

std::optional<HalfSpace> GroupBall::separate(std::span<const double> y) const {
  if (contains(y, kSeparationTolerance)) return std::nullopt;
  HalfSpace cut{Vec(y.size(), 0.0), radius_};
  for (const auto& group : groups_) {
    const Vec part = norm_gradient(gather(group, y), p_);
    for (std::size_t k = 0; k < group.size(); ++k) cut.normal[static_cast<std::size_t>(group[k])] = part[k];
  }
  return cut;
}

}  // namespace tarry
