// A set of one's own: the weighted l1 ball, Σ wᵢ|xᵢ| ≤ radius. In a program of one's own this is all it takes; in
// Tarry it would be src/tarry/sets/balls/weighted_l1_ball.h and .cpp, and a line in sets/registry.cpp.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tarry/sets/checks.h"
#include "tarry/sets/set.h"
#include "tarry/tarry.h"

namespace {

using namespace tarry;

class WeightedL1Ball {
 public:
  WeightedL1Ball(Vec weights, double radius) : weights_(std::move(weights)), radius_(radius) {
    check_dimension("weighted_l1_ball", static_cast<Index>(weights_.size()));
    for (const double w : weights_) check_positive("weighted_l1_ball", "each weight", w);
    check_positive("weighted_l1_ball", "radius", radius);
  }
  static SetEntry entry();

  Need need() const { return Need::kDense; }  // of a direction: all of it
  Atom oracle(const Direction& direction) const {
    const auto c = direction.dense();
    std::size_t best = 0;
    for (std::size_t i = 1; i < c.size(); ++i)
      if (std::fabs(c[i]) / weights_[i] > std::fabs(c[best]) / weights_[best]) best = i;
    if (c[best] == 0) return {SparseAtom{}};  // the centre
    return {SparseAtom{{static_cast<Index>(best)}, {std::copysign(radius_ / weights_[best], -c[best])}}};
  }
  Start start() const { return {static_cast<Index>(weights_.size()), 0, {}}; }
  double diameter() const { return 2 * radius_ / *std::min_element(weights_.begin(), weights_.end()); }
  bool contains(std::span<const double> x, double tolerance) const {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += weights_[i] * std::fabs(x[i]);
    return sum <= radius_ * (1 + tolerance);
  }

 private:
  Vec weights_;
  double radius_;
};

static_assert(DecisionSet<WeightedL1Ball>);

SetEntry WeightedL1Ball::entry() {
  return {.name = "weighted_l1_ball",
          .summary = "Σ weights_i |x_i| ≤ radius",
          .keys = {{"weights", "an array of positive numbers", ""}, {"radius", "a positive number", ""}},
          .make = [](const spec::Node& node) -> AnySet {
            return WeightedL1Ball{node.numbers("weights"), node.number("radius")};
          },
          .examples = {R"({"type": "weighted_l1_ball", "weights": [1, 2, 0.5], "radius": 1.5})"}};
}

}  // namespace

int main() {
  add_set(WeightedL1Ball::entry());
  Model model = make_model(ModelSpec::parse(R"({
    "set": {"type": "weighted_l1_ball", "weights": [1, 2, 0.5], "radius": 1.5},
    "learner": {"type": "delayed_ofw", "eta": 1}
  })"));
  for (Round t = 1; t <= 200; ++t) {
    model.apply(Play{});
    if (t > 20) model.apply(Gradient{t - 20, Vec{3, -4, 1}});  // what round t − 20 lost, twenty rounds late
  }
  for (const double x : model.decision()) std::printf("%g ", x);
  std::printf("\n");
}
