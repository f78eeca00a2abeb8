#include "tarry/data/formats/same_keys.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace tarry::data {

SameKeys same_keys(std::span<const std::string> keys, std::span<const double> known) {
  std::unordered_map<std::string, std::size_t> first;  // the row of each key that was known first
  for (std::size_t row = 0; row < keys.size(); ++row) {
    if (keys[row].empty()) continue;
    const auto [at, is_new] = first.emplace(keys[row], row);
    if (!is_new && known[row] < known[at->second]) at->second = row;
  }
  SameKeys same;
  std::vector<std::size_t> place(keys.size());
  const auto is_round = [&](std::size_t row) { return keys[row].empty() || first.at(keys[row]) == row; };
  for (std::size_t row = 0; row < keys.size(); ++row) {
    if (!is_round(row)) continue;
    place[row] = same.rows.size();
    same.rows.push_back(row);
  }
  for (std::size_t row = 0; row < keys.size(); ++row)
    if (!is_round(row) && std::isfinite(known[row])) same.corrections.push_back({place[first.at(keys[row])], row});
  std::stable_sort(same.corrections.begin(), same.corrections.end(),
                   [&](const auto& a, const auto& b) { return known[a.row] < known[b.row]; });
  return same;
}

}  // namespace tarry::data
