// The heaviest matching of a graph, with or without all nodes in it: Edmonds' blossoms as LEMON has them. C++17,
// without the rest of Tarry: LEMON does not compile as C++20.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace tarry::oracles {

using Ends = std::vector<std::pair<std::int64_t, std::int64_t>>;

// The edges of a matching with the largest sum of weights, ascending; weights at most 2^53 in size. With `perfect`,
// every node is in it; empty when there is none such.
std::vector<std::uint32_t> heaviest_matching(std::int64_t nodes, const Ends& edges,
                                             const std::vector<std::int64_t>& weights, bool perfect);

}  // namespace tarry::oracles
