#include "conformance/all_vertices.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <variant>

namespace tarry::conformance {
namespace {

using Real = long double;
using spec::Node;
using Vertices = std::optional<std::vector<Vec>>;

constexpr std::size_t kMostEdges = 16;
constexpr double kHuge = std::numeric_limits<double>::infinity();

// ---- graphs: every subset of the edges

struct SmallGraph {
  std::size_t nodes;
  std::vector<std::pair<std::size_t, std::size_t>> edges;

  explicit SmallGraph(const Node& node) : nodes(static_cast<std::size_t>(node.at("nodes").integer())) {
    for (const Node& edge : node.at("edges").list()) {
      const auto ends = edge.integers();
      edges.emplace_back(ends[0], ends[1]);
    }
  }
};

Vertices subsets_where(const SmallGraph& graph, const std::function<bool(const Vec&)>& is_vertex) {
  if (graph.edges.size() > kMostEdges) return std::nullopt;
  std::vector<Vec> vertices;
  for (std::size_t mask = 0; mask < std::size_t{1} << graph.edges.size(); ++mask) {
    Vec x(graph.edges.size());
    for (std::size_t e = 0; e < x.size(); ++e) x[e] = static_cast<double>(mask >> e & 1);
    if (is_vertex(x)) vertices.push_back(std::move(x));
  }
  return vertices;
}

Vertices flow(const Node& node) {
  const SmallGraph graph(node);
  const auto source = static_cast<std::size_t>(node.at("source").integer());
  const auto sink = static_cast<std::size_t>(node.at("sink").integer());
  return subsets_where(graph, [&](const Vec& x) {
    Vec left(graph.nodes, 0.0);
    left[source] += 1;
    left[sink] -= 1;
    for (std::size_t e = 0; e < x.size(); ++e) {
      left[graph.edges[e].first] -= x[e];
      left[graph.edges[e].second] += x[e];
    }
    return std::all_of(left.begin(), left.end(), [](double l) { return l == 0; });
  });
}

// As many edges as a tree has, and every node reaches node 0: by painting, not by union-find.
Vertices spanning_tree(const Node& node) {
  const SmallGraph graph(node);
  return subsets_where(graph, [&](const Vec& x) {
    if (std::accumulate(x.begin(), x.end(), 1.0) != static_cast<double>(graph.nodes)) return false;
    std::vector<bool> painted(graph.nodes, false);
    painted[0] = true;
    for (std::size_t round = 0; round < graph.nodes; ++round)
      for (std::size_t e = 0; e < x.size(); ++e)
        if (const auto [a, b] = graph.edges[e]; x[e] == 1 && (painted[a] || painted[b])) painted[a] = painted[b] = true;
    return std::all_of(painted.begin(), painted.end(), [](bool p) { return p; });
  });
}

Vertices matching(const Node& node) {
  const SmallGraph graph(node);
  const bool perfect = node.has("perfect") && node.at("perfect").flag();
  return subsets_where(graph, [&](const Vec& x) {
    Vec degree(graph.nodes, 0.0);
    for (std::size_t e = 0; e < x.size(); ++e) {
      degree[graph.edges[e].first] += x[e];
      degree[graph.edges[e].second] += x[e];
    }
    return std::all_of(degree.begin(), degree.end(), [&](double d) { return d == 1 || (d == 0 && !perfect); });
  });
}

Vertices birkhoff(const Node& node) {
  std::vector<std::size_t> column(static_cast<std::size_t>(node.at("size").integer()));
  if (column.size() > 6) return std::nullopt;
  std::iota(column.begin(), column.end(), std::size_t{0});
  std::vector<Vec> vertices;
  do {
    Vec x(column.size() * column.size(), 0.0);
    for (std::size_t row = 0; row < column.size(); ++row) x[row * column.size() + column[row]] = 1;
    vertices.push_back(std::move(x));
  } while (std::next_permutation(column.begin(), column.end()));
  return vertices;
}

// ---- inequalities: every choice of as many tight ones as there are coordinates

struct HalfSpaces {  // low ≤ ⟨row, x⟩ ≤ high
  std::vector<Vec> rows;
  Vec low, high;
};

// Solves rows · x = right by elimination; nothing when they are dependent.
std::optional<Vec> meeting_point(std::vector<std::vector<Real>> m) {
  const std::size_t n = m.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::fabs(m[i][k]) > std::fabs(m[pivot][k])) pivot = i;
    if (std::fabs(m[pivot][k]) < 1e-12L) return std::nullopt;
    std::swap(m[k], m[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const Real factor = m[i][k] / m[k][k];
      for (std::size_t j = k; j <= n; ++j) m[i][j] -= factor * m[k][j];
    }
  }
  Vec x(n);
  for (std::size_t k = 0; k < n; ++k) x[k] = static_cast<double>(m[k][n] / m[k][k]);
  return x;
}

Vertices corners_of(const HalfSpaces& set, std::size_t n) {
  std::vector<std::vector<Real>> planes;
  for (std::size_t i = 0; i < set.rows.size(); ++i)
    for (double bound : {set.low[i], set.high[i]}) {
      if (std::isinf(bound)) continue;
      planes.emplace_back(set.rows[i].begin(), set.rows[i].end());
      planes.back().push_back(bound);
    }
  if (planes.size() > 20 || planes.size() < n) return std::nullopt;
  std::vector<Vec> vertices;
  std::vector<bool> chosen(planes.size(), false);
  std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(n), true);
  do {
    std::vector<std::vector<Real>> tight;
    for (std::size_t i = 0; i < planes.size(); ++i)
      if (chosen[i]) tight.push_back(planes[i]);
    const auto x = meeting_point(std::move(tight));
    if (!x) continue;
    bool inside = true;
    for (std::size_t i = 0; i < set.rows.size() && inside; ++i) {
      const Real value = std::inner_product(x->begin(), x->end(), set.rows[i].begin(), Real{0});
      inside = value >= set.low[i] - 1e-11 && value <= set.high[i] + 1e-11;
    }
    if (inside) vertices.push_back(*x);
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return vertices;
}

// An array, a number for all, or absent: no bound. null is no bound either.
Vec bound_of(const Node& node, const std::string& key, std::size_t n, double absent) {
  const auto given = node.find(key);
  if (!given) return Vec(n, absent);
  if (given->is_number()) return Vec(n, given->number());
  if (std::holds_alternative<spec::Numbers>(given->value().as)) return given->numbers();
  Vec bound;
  for (const Node& each : given->list())
    bound.push_back(std::holds_alternative<std::monostate>(each.value().as) ? absent : each.number());
  return bound;
}

void add_bounds(HalfSpaces& set, const Vec& low, const Vec& high) {
  for (std::size_t i = 0; i < low.size(); ++i) {
    Vec axis(low.size(), 0.0);
    axis[i] = 1;
    set.rows.push_back(std::move(axis));
    set.low.push_back(low[i]);
    set.high.push_back(high[i]);
  }
}

Vertices budget(const Node& node) {
  const std::size_t n =
      node.has("dimension") ? static_cast<std::size_t>(node.dimension()) : node.numbers("floor").size();
  HalfSpaces set{{Vec(n, 1.0)}, {node.number("total")}, {node.number("total")}};
  set.high[0] = kHuge;  // one of the two copies of the plane is enough,
  add_bounds(set, bound_of(node, "floor", n, 0), bound_of(node, "cap", n, 0));
  auto found = corners_of(set, n);
  if (found)  // and what lies above it is no vertex
    std::erase_if(*found, [&](const Vec& x) {
      return std::fabs(std::accumulate(x.begin(), x.end(), 0.0) - node.number("total")) > 1e-9;
    });
  return found;
}

Vertices polytope(const Node& node) {
  if (node.has("lp_file")) return std::nullopt;
  HalfSpaces set;
  for (const Node& row : node.at("rows").list()) {
    if (row.is_object()) {
      Vec full(static_cast<std::size_t>(node.dimension()), 0.0);
      const auto at = row.at("indices").integers();
      const Vec values = row.numbers("values");
      for (std::size_t k = 0; k < at.size(); ++k) full[static_cast<std::size_t>(at[k])] = values[k];
      set.rows.push_back(std::move(full));
    } else {
      set.rows.push_back(row.numbers());
    }
  }
  const std::size_t n = set.rows.front().size();
  set.low = bound_of(node, "row_lower", set.rows.size(), -kHuge);
  set.high = bound_of(node, "row_upper", set.rows.size(), kHuge);
  add_bounds(set, bound_of(node, "lower", n, -kHuge), bound_of(node, "upper", n, kHuge));
  return corners_of(set, n);
}

}  // namespace

std::optional<std::vector<Vec>> all_vertices(const Node& set) {
  static const std::map<std::string, Vertices (*)(const Node&)> table = {
      {"budget", budget},     {"flow", flow},         {"spanning_tree", spanning_tree},
      {"matching", matching}, {"birkhoff", birkhoff}, {"polytope", polytope},
  };
  const auto entry = table.find(set.type());
  return entry == table.end() ? std::nullopt : entry->second(set);
}

}  // namespace tarry::conformance
