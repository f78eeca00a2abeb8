// A second reading of timed CSV files, written apart from the lab's own: rows straight from the text, and a simulation
// of when each label is known. Tests hold the lab's runs against it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <queue>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace tarry::data {

struct TimedRow {
  double asked = 0, known = 0;  // known: infinite when never
  double label = 0;
  std::vector<std::pair<std::size_t, double>> features;
};

struct Happening {
  char what;        // 'p' a query is answered, 'r' a label comes
  std::size_t row;  // from 1
  bool operator==(const Happening&) const = default;
};

// What happens, in order: before a query come the labels known strictly before it. `early` queries early is a leak.
inline std::vector<Happening> simulate(const std::vector<TimedRow>& rows, std::size_t early = 0) {
  using Due = std::pair<double, std::size_t>;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> waiting;
  std::vector<Happening> all;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const double now = rows[std::min(row + early, rows.size() - 1)].asked;
    for (; !waiting.empty() && waiting.top().first < now; waiting.pop()) all.push_back({'r', waiting.top().second + 1});
    all.push_back({'p', row + 1});
    if (std::isfinite(rows[row].known)) waiting.emplace(rows[row].known, row);
  }
  return all;
}

// Delayed gradient descent of squared losses over a ball about 0, along what happens; the summed loss after each query.
inline std::vector<double> descend(const std::vector<TimedRow>& rows, const std::vector<Happening>& happenings,
                                   std::size_t dimension, double eta, double radius) {
  std::vector<double> x(dimension, 0.0), step(dimension, 0.0), predicted(rows.size()), losses;
  bool stepped = false;
  double loss = 0;
  for (const Happening& happening : happenings) {
    const TimedRow& row = rows[happening.row - 1];
    if (happening.what == 'r') {
      for (const auto& [i, value] : row.features) step[i] += 2 * (predicted[happening.row - 1] - row.label) * value;
      stepped = true;
      continue;
    }
    if (stepped) {
      double square = 0;
      for (std::size_t i = 0; i < dimension; ++i) {
        x[i] -= eta * step[i];
        square += x[i] * x[i];
        step[i] = 0;
      }
      if (square > radius * radius)
        for (double& xi : x) xi *= radius / std::sqrt(square);
      stepped = false;
    }
    double p = 0;
    for (const auto& [i, value] : row.features) p += value * x[i];
    predicted[happening.row - 1] = p;
    if (!std::isnan(row.label)) loss += (p - row.label) * (p - row.label);
    losses.push_back(loss);
  }
  return losses;
}

inline std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (char c : line)
    if (c == ',')
      cells.emplace_back();
    else
      cells.back() += c;
  return cells;
}

inline std::size_t slot_of(const std::string& column, const std::string& word, std::size_t slots) {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a, 64 bits
  for (char c : column + "=" + word) {
    hash ^= static_cast<std::uint8_t>(c);
    hash *= 1099511628211u;
  }
  return hash % slots;
}

}  // namespace tarry::data
