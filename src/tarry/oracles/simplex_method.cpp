#include "tarry/oracles/simplex_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <coin/ClpSimplex.hpp>
#include <limits>
#include <mutex>
#include <optional>
#include <string>

#include "tarry/base/error.h"
#include "tarry/linalg/norms.h"
#include "tarry/oracles/basis.h"

namespace tarry::oracles {
namespace {

constexpr double kPrimalTolerance = 1e-10;
constexpr double kDualTolerance = 1e-12;  // of costs whose largest is in [1, 2)

enum Status { kOptimal = 0, kInfeasible = 1, kNoLimit = 2 };

double clp_bound(double bound) { return std::isinf(bound) ? std::copysign(COIN_DBL_MAX, bound) : bound; }

Vec clp_bounds(const Vec& bounds) {
  Vec all(bounds.size());
  std::transform(bounds.begin(), bounds.end(), all.begin(), clp_bound);
  return all;
}

// A solver's last basis. CLP's words about rows are about their negatives: what a row is near decides.
Basis basis_of(const LinearProgram& lp, const ClpSimplex& solver) {
  std::vector<Rests> columns(lp.cols()), rows(lp.rows());
  const auto nearest = [](double value, double lower, double upper) {
    if (std::isinf(lower) && std::isinf(upper)) return Rests::kFree;
    return std::fabs(value - lower) <= std::fabs(value - upper) ? Rests::kAtLower : Rests::kAtUpper;
  };
  for (std::size_t j = 0; j < columns.size(); ++j)
    columns[j] = solver.getColumnStatus(static_cast<int>(j)) == ClpSimplex::basic
                     ? Rests::kInBasis
                     : nearest(solver.primalColumnSolution()[j], lp.lower[j], lp.upper[j]);
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = solver.getRowStatus(static_cast<int>(i)) == ClpSimplex::basic
                  ? Rests::kInBasis
                  : nearest(solver.primalRowSolution()[i], lp.row_lower[i], lp.row_upper[i]);
  return Basis(lp, std::move(columns), std::move(rows));
}

// Costs that see `regret` as 1: what a bound is worth, magnified, and no more than kMost. Their optimum is that of the
// costs they came from, since all in the basis is worth 0.
Vec magnified(const LinearProgram& lp, const Worth& worth, double regret) {
  constexpr double kMost = 1e6;
  const auto magnify = [&](double value) { return std::clamp(value / regret, -kMost, kMost); };
  Vec costs(lp.cols());
  for (std::size_t j = 0; j < costs.size(); ++j) costs[j] = magnify(worth.column[j]);
  for (const Entry& entry : lp.entries)
    costs[static_cast<std::size_t>(entry.col)] += magnify(worth.row[static_cast<std::size_t>(entry.row)]) * entry.value;
  return costs;
}

}  // namespace

struct SimplexMethod::Prepared {
  ClpSimplex solver;
};

struct SimplexMethod::Found {
  Answer answer;
  std::optional<Basis> basis;
  std::shared_ptr<const Prepared> solver;  // as it is there

  bool is_the_only_one() const { return basis && basis->is_the_only_one_at(answer.vertex); }
};

// The bases of the last answers, the latest first; only those that no other basis could stand for.
struct SimplexMethod::Recent {
  struct Known {
    Basis basis;
    Vec vertex;
    std::shared_ptr<const Prepared> solver;
  };
  using List = std::array<std::shared_ptr<const Known>, 4>;

  List snapshot() {
    const std::lock_guard lock(mutex);
    return known;
  }
  void put_first(std::shared_ptr<const Known> latest) {
    const std::lock_guard lock(mutex);
    const auto place = std::find(known.begin(), known.end() - 1, latest);
    std::rotate(known.begin(), place, place + 1);
    known.front() = std::move(latest);
  }

  std::mutex mutex;
  List known;
};

SimplexMethod::SimplexMethod(std::shared_ptr<const LinearProgram> program, const std::string& who)
    : program_(std::move(program)), recent_(std::make_shared<Recent>()) {
  const LinearProgram& lp = *program_;
  std::vector<int> rows, cols;
  Vec values;
  for (const Entry& entry : lp.entries) {
    rows.push_back(static_cast<int>(entry.row));
    cols.push_back(static_cast<int>(entry.col));
    values.push_back(entry.value);
  }
  CoinPackedMatrix matrix(true, rows.data(), cols.data(), values.data(), static_cast<CoinBigIndex>(values.size()));
  matrix.setDimensions(static_cast<int>(lp.rows()), static_cast<int>(lp.cols()));
  auto blank = std::make_shared<Prepared>();
  ClpSimplex& solver = blank->solver;
  solver.setLogLevel(0);
  const Vec zero(lp.cols(), 0.0);
  solver.loadProblem(matrix, clp_bounds(lp.lower).data(), clp_bounds(lp.upper).data(), zero.data(),
                     clp_bounds(lp.row_lower).data(), clp_bounds(lp.row_upper).data());
  solver.setPrimalTolerance(kPrimalTolerance);
  solver.setDualTolerance(kDualTolerance);
  solver.setPerturbation(100);  // none
  blank_ = blank;
  auto feasible = std::make_shared<Prepared>(*blank);
  feasible->solver.primal();
  if (feasible->solver.status() == kInfeasible)
    throw Error(Code::kBadSpec,
                fmt::format("{}: no point satisfies all rows and bounds (the smallest sum of violations "
                            "found is {:.6g})",
                            who, feasible->solver.sumPrimalInfeasibilities()));
  if (feasible->solver.status() != kOptimal)
    throw Error(Code::kBadSpec, fmt::format("{}: the simplex method found no feasible basis (CLP status {})", who,
                                            feasible->solver.status()));
  feasible_ = std::move(feasible);
}

namespace {

// c by a power of two, its largest entry in [1, 2).
Vec normalised(std::span<const double> c) {
  int exponent = 0;
  if (const double largest = max_abs(c); largest > 0) std::frexp(largest, &exponent);
  Vec costs(c.size());
  for (std::size_t i = 0; i < c.size(); ++i) costs[i] = std::ldexp(c[i], 1 - exponent);
  return costs;
}

}  // namespace

SimplexMethod::Answer SimplexMethod::least(std::span<const double> c) const {
  const Vec costs = normalised(c);
  const Recent::List recent = recent_->snapshot();
  for (const auto& known : recent)
    if (known && known->basis.is_clearly_best(costs)) {
      recent_->put_first(known);
      return {true, known->vertex, 0};
    }
  const auto remember = [&](Found found) {
    recent_->put_first(std::make_shared<const Recent::Known>(
        Recent::Known{std::move(*found.basis), found.answer.vertex, std::move(found.solver)}));
    return std::move(found.answer);
  };
  if (recent.front()) {
    Found near = search(costs, *recent.front()->solver);
    if (near.is_the_only_one() && near.basis->is_clearly_best(costs)) return remember(std::move(near));
  }
  Found found = search(costs, *feasible_);
  return found.is_the_only_one() ? remember(std::move(found)) : std::move(found.answer);
}

SimplexMethod::Answer SimplexMethod::least_by_search(std::span<const double> c) const {
  return search(normalised(c), *feasible_).answer;
}

SimplexMethod::Answer SimplexMethod::least_from_nowhere(std::span<const double> c) const {
  return search(normalised(c), *blank_).answer;
}

SimplexMethod::Found SimplexMethod::search(std::span<const double> costs, const Prepared& from) const {
  const LinearProgram& lp = *program_;
  const auto copy = std::make_shared<Prepared>(from);
  ClpSimplex& solver = copy->solver;
  int steps = 0;
  const auto improve = [&](std::span<const double> objective) {
    std::copy(objective.begin(), objective.end(), solver.objective());
    solver.primal();
    steps += solver.numberIterations();
    return solver.status();
  };
  const int status = improve(costs);
  if (status == kNoLimit) return {{false, {}, steps}, {}, {}};
  if (status != kOptimal) throw Error(Code::kInternal, fmt::format("polytope: CLP ended with status {}", status));

  // CLP calls optimal what is so within its tolerance; costs of very different sizes need a closer look.
  constexpr int kMostLooks = 8;
  Basis basis = basis_of(lp, solver);
  for (int look = 0; look < kMostLooks && basis.is_regular(); ++look) {
    const Worth worth = basis.worth(costs);
    const double regret = basis.regret(costs, worth);
    if (regret == 0 || improve(magnified(lp, worth, regret)) != kOptimal) break;
    if (solver.numberIterations() == 0) break;
    Basis next = basis_of(lp, solver);
    if (!next.is_regular()) break;
    basis = std::move(next);
  }
  if (!basis.is_regular()) {
    const double* found = solver.primalColumnSolution();
    return {{true, Vec(found, found + lp.cols()), steps}, {}, {}};
  }
  Vec vertex = basis.vertex();
  return {{true, std::move(vertex), steps}, std::move(basis), copy};
}

}  // namespace tarry::oracles
