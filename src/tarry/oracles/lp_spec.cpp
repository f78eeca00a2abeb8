#include "tarry/oracles/lp_spec.h"

#include <fmt/format.h>

#include <variant>

namespace tarry::oracles {
namespace {

// An array, one number for all, or nothing at all; in an array, null is no bound.
Vec read_bounds(const spec::Node& node, const std::string& key, std::size_t count, double none) {
  const auto given = node.find(key);
  if (!given) return Vec(count, none);
  if (given->is_number()) return Vec(count, given->number());
  Vec bounds;
  if (std::holds_alternative<spec::Numbers>(given->value().as)) {
    bounds = given->numbers();
  } else {
    for (const spec::Node& each : given->list("an array of numbers or null"))
      bounds.push_back(std::holds_alternative<std::monostate>(each.value().as) ? none : each.number());
  }
  if (bounds.size() != count) given->fail(fmt::format("of length {}, but has {} entries", count, bounds.size()));
  return bounds;
}

}  // namespace

LinearProgram read_rows(const spec::Node& node) {
  const std::vector<spec::Node> rows = node.at("rows", "an array of rows").list("an array of rows");
  Index dimension = node.has("dimension") ? node.dimension() : 0;
  LinearProgram lp;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool listed = rows[i].is_object();
    const Vec values = listed ? rows[i].numbers("values") : rows[i].numbers();
    std::vector<Index> indices;
    if (listed) {
      indices = rows[i].at("indices", "an array of whole numbers").integers();
      rows[i].refuse_unknown_keys();
      if (indices.size() != values.size())
        rows[i].fail(fmt::format("as many values as indices, not {} and {}", values.size(), indices.size()));
      if (dimension == 0) node.fail_whole("dimension is missing (a row with indices does not tell it)");
    } else {
      if (dimension == 0) dimension = static_cast<Index>(values.size());
      if (static_cast<Index>(values.size()) != dimension)
        rows[i].fail(fmt::format("{} numbers, but has {}", dimension, values.size()));
    }
    std::vector<bool> seen(listed ? static_cast<std::size_t>(dimension) : 0, false);
    for (std::size_t k = 0; k < values.size(); ++k) {
      const Index col = listed ? indices[k] : static_cast<Index>(k);
      if (listed && (col < 0 || col >= dimension || seen[static_cast<std::size_t>(col)]))
        rows[i].fail(fmt::format("indices from 0 to {}, each once ({} breaks this)", dimension - 1, col));
      if (listed) seen[static_cast<std::size_t>(col)] = true;
      if (values[k] != 0) lp.entries.push_back({static_cast<Index>(i), col, values[k]});
    }
  }
  const auto cols = static_cast<std::size_t>(dimension);
  lp.row_lower = read_bounds(node, "row_lower", rows.size(), -kUnbounded);
  lp.row_upper = read_bounds(node, "row_upper", rows.size(), kUnbounded);
  lp.lower = read_bounds(node, "lower", cols, -kUnbounded);
  lp.upper = read_bounds(node, "upper", cols, kUnbounded);
  return lp;
}

}  // namespace tarry::oracles
