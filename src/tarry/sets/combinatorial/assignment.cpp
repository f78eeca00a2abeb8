#include "tarry/sets/combinatorial/assignment.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "tarry/linalg/covector.h"

namespace tarry {
namespace {

constexpr double kBeyond = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kUnassigned = std::numeric_limits<std::uint32_t>::max();

// Columns have prices v; a row pays cost − v. At all times an assigned row pays its least (up to rounding), so that a
// full assignment is a cheapest one.
class Assignment {
 public:
  Assignment(std::span<const double> costs, std::size_t n)
      : costs_(costs), n_(n), price_(n, 0.0), column_of_(n, kUnassigned), row_of_(n, kUnassigned) {}

  std::vector<std::uint32_t> solve() {
    reduce_columns();
    for (int pass = 0; pass < 2; ++pass) reduce_rows();
    for (std::uint32_t row = 0; row < n_; ++row)
      if (column_of_[row] == kUnassigned) augment(row);
    return column_of_;
  }

 private:
  const double* row(std::size_t i) const { return costs_.data() + i * n_; }

  // Each column's price is its least cost; the row that has it takes the column, the lowest row first.
  void reduce_columns() {
    std::copy_n(row(0), n_, price_.begin());
    std::vector<std::uint32_t> cheapest(n_, 0);
    for (std::uint32_t i = 1; i < n_; ++i) {
      const double* c = row(i);
      for (std::size_t j = 0; j < n_; ++j)
        if (c[j] < price_[j]) {
          price_[j] = c[j];
          cheapest[j] = i;
        }
    }
    for (std::uint32_t j = 0; j < n_; ++j)
      if (column_of_[cheapest[j]] == kUnassigned) assign(cheapest[j], j);
  }

  // Each free row takes the column where it pays least, and lowers its price by what the second best would cost more;
  // the one that had it goes on, while prices fall. Each pass is over after 2 n such moves: rounding might make them
  // many.
  void reduce_rows() {
    std::vector<std::uint32_t> free;
    for (std::uint32_t i = 0; i < n_; ++i)
      if (column_of_[i] == kUnassigned) free.push_back(i);
    std::size_t moves = 2 * n_;
    for (std::uint32_t start : free)
      for (std::uint32_t i = start; i != kUnassigned && moves > 0; --moves) {
        const auto [best, least, second] = two_least(i);
        const double lower = price_[best] - (second - least);
        const bool falls = lower < price_[best] && second < kBeyond;
        if (falls)
          price_[best] = lower;
        else if (row_of_[best] != kUnassigned)
          break;  // a tie: left to the shortest paths
        const std::uint32_t before = row_of_[best];
        if (before != kUnassigned) column_of_[before] = kUnassigned;
        assign(i, best);
        i = before;
      }
  }

  struct TwoLeast {
    std::uint32_t best;
    double least;
    double second;
  };
  TwoLeast two_least(std::uint32_t i) const {
    const double* c = row(i);
    TwoLeast found{0, c[0] - price_[0], kBeyond};
    for (std::uint32_t j = 1; j < n_; ++j) {
      const double pays = c[j] - price_[j];
      if (pays >= found.second) continue;
      if (pays < found.least)
        found = {j, pays, found.least};
      else
        found.second = pays;
    }
    return found;
  }

  // The shortest alternating path from a free row to a free column, by Dijkstra over columns; then the prices of the
  // columns that were nearer fall by how much nearer they were.
  void augment(std::uint32_t start) {
    distance_.assign(n_, kBeyond);
    from_.resize(n_);
    open_.resize(n_);
    std::iota(open_.begin(), open_.end(), 0u);
    std::size_t done = 0;  // open_[0 .. done) have their final distance
    std::uint32_t nearest = relax(start, 0, done);
    while (row_of_[open_[nearest]] != kUnassigned) {
      const std::uint32_t j = open_[nearest], i = row_of_[j];
      std::swap(open_[nearest], open_[done++]);
      nearest = relax(i, distance_[j] - (row(i)[j] - price_[j]), done);
    }
    const std::uint32_t last = open_[nearest];
    for (std::size_t k = 0; k < done; ++k) price_[open_[k]] += distance_[open_[k]] - distance_[last];
    for (std::uint32_t j = last; j != kUnassigned;) {
      const std::uint32_t i = from_[j];
      const std::uint32_t next = i == start ? kUnassigned : column_of_[i];
      assign(i, j);
      j = next;
    }
  }

  // Open columns may be nearer through row i. Returns the place of the nearest one; among equals a free one, which ends
  // the search.
  std::uint32_t relax(std::uint32_t i, double shift, std::size_t done) {
    const double* c = row(i);
    double least = kBeyond;
    std::uint32_t nearest = static_cast<std::uint32_t>(done);
    for (std::size_t k = done; k < n_; ++k) {
      const std::uint32_t j = open_[k];
      const double through = c[j] - price_[j] + shift;
      if (through < distance_[j]) {
        distance_[j] = through;
        from_[j] = i;
      }
      if (distance_[j] < least || (distance_[j] == least && row_of_[j] == kUnassigned)) {
        least = distance_[j];
        nearest = static_cast<std::uint32_t>(k);
      }
    }
    return nearest;
  }

  void assign(std::uint32_t i, std::uint32_t j) {
    column_of_[i] = j;
    row_of_[j] = i;
  }

  std::span<const double> costs_;
  std::size_t n_;
  Vec price_;
  std::vector<std::uint32_t> column_of_, row_of_;
  Vec distance_;
  std::vector<std::uint32_t> from_, open_;
};

}  // namespace

std::vector<std::uint32_t> cheapest_assignment(std::span<const double> costs, std::size_t n) {
  return Assignment(costs, n).solve();
}

}  // namespace tarry
