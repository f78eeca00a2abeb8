// The least cut between two nodes of a network with real capacities: Dinic's algorithm (1970).
#pragma once

#include <span>
#include <vector>

#include "tarry/linalg/covector.h"

namespace tarry {

class MinCut {
 public:
  explicit MinCut(std::size_t nodes) : first_(nodes) {}

  // An edge that takes `forth` one way and `back` the other.
  void join(std::size_t a, std::size_t b, double forth, double back);

  std::size_t arcs() const { return arcs_.size(); }
  void cut_back(std::size_t arcs);  // forgets the edges that were joined since there were so many arcs

  // The capacity of the least cut with `source` on one side and `sink` on the other; asked again, it starts over.
  double between(std::size_t source, std::size_t sink);
  // After that: the source's side.
  const std::vector<bool>& side() const { return side_; }

 private:
  struct Arc {
    std::size_t to;
    double capacity;
    double left;
  };
  bool level(std::size_t source, std::size_t sink);
  double push(std::size_t source, std::size_t sink);

  std::vector<std::vector<std::size_t>> first_;  // the arcs out of each node
  std::vector<Arc> arcs_;                        // an arc and its reverse are neighbours
  std::vector<std::size_t> level_, next_;
  std::vector<bool> side_;
  double negligible_ = 0;
};

}  // namespace tarry
