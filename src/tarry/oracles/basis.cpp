#include "tarry/oracles/basis.h"

#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>

#include "tarry/linalg/norms.h"

namespace tarry::oracles {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

double resting_value(Rests rests, double lower, double upper) {
  if (rests == Rests::kFree) return 0;
  return rests == Rests::kAtUpper ? upper : lower;
}

}  // namespace

struct Basis::Factors {
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
  int size = 0;
  bool regular = true;
};

Basis::Basis(Basis&&) noexcept = default;
Basis& Basis::operator=(Basis&&) noexcept = default;
Basis::~Basis() = default;

Basis::Basis(const LinearProgram& program, std::vector<Rests> columns, std::vector<Rests> rows)
    : program_(&program),
      columns_(std::move(columns)),
      rows_(std::move(rows)),
      unknown_(columns_.size(), -1),
      equation_(rows_.size(), -1),
      factors_(std::make_unique<Factors>()) {
  int unknowns = 0, equations = 0;
  for (std::size_t j = 0; j < columns_.size(); ++j)
    if (columns_[j] == Rests::kInBasis) unknown_[j] = unknowns++;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (rows_[i] != Rests::kInBasis) equation_[i] = equations++;
  factors_->size = unknowns;
  factors_->regular = unknowns == equations;
  if (unknowns == 0 || !factors_->regular) return;
  std::vector<Eigen::Triplet<double>> entries;
  for (const Entry& entry : program_->entries)
    if (equation_[at(entry.row)] >= 0 && unknown_[at(entry.col)] >= 0)
      entries.emplace_back(equation_[at(entry.row)], unknown_[at(entry.col)], entry.value);
  Eigen::SparseMatrix<double> square(equations, unknowns);
  square.setFromTriplets(entries.begin(), entries.end());
  factors_->lu.compute(square);
  factors_->regular = factors_->lu.info() == Eigen::Success;
}

bool Basis::is_regular() const { return factors_->regular; }

// The variables outside the basis rest at their bounds, and the rows outside it determine the columns inside.
Vec Basis::vertex() const {
  const LinearProgram& lp = *program_;
  Vec x(lp.cols(), 0.0);
  Eigen::VectorXd right(factors_->size);
  for (std::size_t j = 0; j < x.size(); ++j)
    if (unknown_[j] < 0) x[j] = resting_value(columns_[j], lp.lower[j], lp.upper[j]);
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (equation_[i] >= 0) right[equation_[i]] = resting_value(rows_[i], lp.row_lower[i], lp.row_upper[i]);
  if (factors_->size == 0) return x;
  for (const Entry& entry : lp.entries)
    if (equation_[at(entry.row)] >= 0 && unknown_[at(entry.col)] < 0)
      right[equation_[at(entry.row)]] -= entry.value * x[at(entry.col)];
  const Eigen::VectorXd solved = factors_->lu.solve(right);
  for (std::size_t j = 0; j < x.size(); ++j)
    if (unknown_[j] >= 0) x[j] = std::clamp(solved[unknown_[j]], lp.lower[j], lp.upper[j]);
  return x;
}

Worth Basis::worth(std::span<const double> c) const {
  Worth worth{Vec(c.begin(), c.end()), Vec(program_->rows(), 0.0)};
  if (factors_->size > 0) {
    Eigen::VectorXd inside(factors_->size);
    for (std::size_t j = 0; j < c.size(); ++j)
      if (unknown_[j] >= 0) inside[unknown_[j]] = c[j];
    const Eigen::VectorXd y = factors_->lu.transpose().solve(inside);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (equation_[i] >= 0) worth.row[i] = y[equation_[i]];
  }
  for (const Entry& entry : program_->entries) worth.column[at(entry.col)] -= worth.row[at(entry.row)] * entry.value;
  for (std::size_t j = 0; j < c.size(); ++j)
    if (unknown_[j] >= 0) worth.column[j] = 0;
  return worth;
}

bool Basis::is_the_only_one_at(std::span<const double> vertex) const {
  constexpr double kInside = 1e-7;
  const LinearProgram& lp = *program_;
  const auto inside = [&](double value, double lower, double upper) {
    const double margin = kInside * (1 + std::fabs(value));
    return value > lower + margin && value < upper - margin;
  };
  Vec activity(lp.rows(), 0.0);
  for (const Entry& entry : lp.entries) activity[at(entry.row)] += entry.value * vertex[at(entry.col)];
  for (std::size_t j = 0; j < columns_.size(); ++j)
    if (columns_[j] == Rests::kInBasis && !inside(vertex[j], lp.lower[j], lp.upper[j])) return false;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (rows_[i] == Rests::kInBasis && !inside(activity[i], lp.row_lower[i], lp.row_upper[i])) return false;
  return true;
}

bool Basis::is_clearly_best(std::span<const double> c) const {
  constexpr double kClearly = 1e-6;
  const LinearProgram& lp = *program_;
  const Worth found = worth(c);
  const double margin = kClearly * std::max(max_abs(c), max_abs(found.row));
  const auto keeps = [&](Rests rests, double lower, double upper, double value) {
    if (rests == Rests::kInBasis || lower == upper) return true;
    return rests == Rests::kAtLower ? value > margin : rests == Rests::kAtUpper && value < -margin;
  };
  for (std::size_t j = 0; j < columns_.size(); ++j)
    if (!keeps(columns_[j], lp.lower[j], lp.upper[j], found.column[j])) return false;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (!keeps(rows_[i], lp.row_lower[i], lp.row_upper[i], found.row[i])) return false;
  return true;
}

double Basis::regret(std::span<const double> c, const Worth& worth) const {
  constexpr double kRounding = 4e-16;
  const LinearProgram& lp = *program_;
  Vec summed(c.size());  // the size of what was added up
  for (std::size_t j = 0; j < c.size(); ++j) summed[j] = std::fabs(c[j]);
  for (const Entry& entry : lp.entries) summed[at(entry.col)] += std::fabs(worth.row[at(entry.row)] * entry.value);
  double most = 0;
  const auto see = [&](Rests rests, double lower, double upper, double value, double size) {
    if (rests == Rests::kInBasis || lower == upper) return;
    const double wrong = rests == Rests::kAtLower ? -value : rests == Rests::kAtUpper ? value : std::fabs(value);
    if (wrong > kRounding * size) most = std::max(most, wrong);
  };
  for (std::size_t j = 0; j < c.size(); ++j) see(columns_[j], lp.lower[j], lp.upper[j], worth.column[j], summed[j]);
  for (std::size_t i = 0; i < rows_.size(); ++i)
    see(rows_[i], lp.row_lower[i], lp.row_upper[i], worth.row[i], std::fabs(worth.row[i]));
  return most;
}

}  // namespace tarry::oracles
