// The roads as they are at the moment: the last travellers are on them, and slow each other down.
#pragma once

#include <deque>

#include "tarry/lab/routing/travel.h"

namespace tarry::lab {

class Traffic {
 public:
  explicit Traffic(const Travel& travel);

  // What every link takes for who leaves in round t: BPR at the flow of the last travellers, and noise.
  void measure(Round t, std::span<double> times) const;
  // One more sets out; the oldest is forgotten once there are enough for the whole demand. Empty at the beginning.
  void drive(Route route);
  const Vec& flow() const { return flow_; }

 private:
  const Travel& travel_;
  std::deque<Route> driving_;
  std::vector<std::uint32_t> count_;  // travellers on each link
  Vec flow_;
};

// A route drawn with the decision's weights: from node to node, each link as likely as its share of what leaves the
// node. Where that walk comes back to a node the loop is left out, so that it costs no more than the decision on
// average and just as much where the decision has no cycles. The random numbers are those of round t.
Route draw_route(const Travel& travel, std::size_t pair, std::span<const double> decision, Round t);

}  // namespace tarry::lab
