// A learner of one's own: follow the leader, which plays the vertex that is best against all gradients so far. In Tarry
// it would be src/tarry/learners/leaders/follow_the_leader.h and .cpp, and a line in learners/registry.cpp.
#include <algorithm>
#include <cstdio>

#include "tarry/base/error.h"
#include "tarry/geometry/dense_direction.h"
#include "tarry/tarry.h"

namespace {

using namespace tarry;

class FollowTheLeader {
 public:
  FollowTheLeader(AnySet set, Vec start) : set_(std::move(set)), sum_(start.size(), 0), x_(std::move(start)) {}

  double play(Round, const Covector* features, Memo&) const { return features != nullptr ? predict(*features) : 0; }
  double predict(const Covector& features) const { return features.dot(x_); }
  void write(std::span<double> x) const { std::copy(x_.begin(), x_.end(), x.begin()); }
  void receive(Round, const Feedback& feedback, const Memo&) {
    feedback.gradient.each([&](Index i, double g) { sum_[static_cast<std::size_t>(i)] += g; });
    tarry::write(set_.oracle(DenseDirection(sum_, shape_of(set_))), x_);
  }
  void abandon(Round, const Memo&) {}
  void save(ByteWriter& out) const {
    out.reals(sum_);
    out.reals(x_);
  }
  void load(ByteReader& in) {
    Vec sum = in.reals(), x = in.reals();
    if (sum.size() != sum_.size() || x.size() != x_.size())
      throw Error(Code::kCorrupt, "snapshot: its decision does not have the set's dimension");
    sum_ = std::move(sum);
    x_ = std::move(x);
  }

 private:
  AnySet set_;
  Vec sum_;  // of gradients
  Vec x_;
};

static_assert(Learner<FollowTheLeader>);

LearnerEntry follow_the_leader_entry() {
  return {.name = "follow_the_leader",
          .summary = "The best vertex against all gradients so far (a baseline)",
          .keys = {},
          .make = [](const spec::Node&, const LearnerSetting& setting) -> AnyLearner {
            return FollowTheLeader(setting.set, start_point(setting.shape()));
          },
          .examples = {R"({"type": "follow_the_leader"})"}};
}

}  // namespace

int main() {
  add_learner(follow_the_leader_entry());
  Model model = make_model(ModelSpec::parse(
      R"({"set": {"type": "l1_ball", "dimension": 3, "radius": 1}, "learner": {"type": "follow_the_leader"}})"));
  for (Round t = 1; t <= 4; ++t) model.apply(Play{});
  model.apply(Gradient{2, Vec{1, 0, 0}});  // feedback comes in any order
  model.apply(Gradient{1, Vec{0, 0, 3}});
  model.apply(Play{});
  for (const double x : model.decision()) std::printf("%g ", x);
  std::printf("\n");
}
