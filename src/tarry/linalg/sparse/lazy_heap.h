// A heap over slots whose keys rise and fall. A key that rises is moved at once; one that falls is left where it is
// and corrected when it reaches the top, so most updates touch no more than their own slot.
#pragma once

#include <cstdint>
#include <utility>

#include "tarry/base/contract.h"
#include "tarry/linalg/covector.h"
#include "tarry/linalg/large_vector.h"

namespace tarry {

class LazyHeap {
 public:
  static constexpr std::uint32_t kOut = ~std::uint32_t{0};

  struct Node {
    double key;  // at least the slot's true key
    Index at;    // breaks ties: the lowest first
    std::uint32_t slot;
  };

  bool empty() const { return nodes_.empty(); }
  const Node& top() const { return nodes_.front(); }

  // `position` is the slot's own record of where it is in the heap, kOut when it is not.
  template <class PositionOf>
  void raise(Node node, PositionOf position_of) {
    std::uint32_t i = position_of(node.slot);
    if (i == kOut) {
      i = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back(node);
    }
    sift_up(i, node, position_of);
  }

  // The top's true key turned out lower.
  template <class PositionOf>
  void lower_top(double key, PositionOf position_of) {
    ensure(!nodes_.empty() && key <= nodes_.front().key, "the key at the top was too high");
    Node node = nodes_.front();
    node.key = key;
    sift_down(node, position_of);
  }

  template <class PositionOf>
  void pop(PositionOf position_of) {
    ensure(!nodes_.empty(), "what is popped is there");
    position_of(nodes_.front().slot) = kOut;
    const Node last = nodes_.back();
    nodes_.pop_back();
    if (!nodes_.empty()) sift_down(last, position_of);
  }

  void clear() { nodes_.clear(); }

 private:
  static constexpr std::uint32_t kArity = 8;  // few levels: a key that rises past one moves a slot far away in memory

  static bool before(const Node& a, const Node& b) { return a.key > b.key || (a.key == b.key && a.at < b.at); }

  // Places `node` at i or above.
  template <class PositionOf>
  void sift_up(std::uint32_t i, const Node& node, PositionOf position_of) {
    while (i > 0) {
      const std::uint32_t parent = (i - 1) / kArity;
      if (!before(node, nodes_[parent])) break;
      nodes_[i] = nodes_[parent];
      position_of(nodes_[i].slot) = i;
      i = parent;
    }
    nodes_[i] = node;
    position_of(node.slot) = i;
  }

  // Places `node` at the top or below.
  template <class PositionOf>
  void sift_down(const Node& node, PositionOf position_of) {
    const auto size = static_cast<std::uint32_t>(nodes_.size());
    std::uint32_t i = 0;
    while (true) {
      const std::uint32_t first = kArity * i + 1;
      if (first >= size) break;
      std::uint32_t best = first;
      for (std::uint32_t child = first + 1; child < first + kArity && child < size; ++child)
        if (before(nodes_[child], nodes_[best])) best = child;
      if (!before(nodes_[best], node)) break;
      nodes_[i] = nodes_[best];
      position_of(nodes_[i].slot) = i;
      i = best;
    }
    nodes_[i] = node;
    position_of(node.slot) = i;
  }

  LargeVector<Node> nodes_;
};

}  // namespace tarry
