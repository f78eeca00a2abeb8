// The two Frank-Wolfe learners against the paper's lines, written out a second time without tracks or lazy scales.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "conformance/examples.h"
#include "conformance/game.h"
#include "conformance/sampling.h"
#include "tarry/geometry/dense_direction.h"
#include "tarry/learners/frank_wolfe/delayed_ofw.h"
#include "tarry/learners/frank_wolfe/delayed_ofw_sc.h"
#include "tarry/spec/json.h"

namespace tarry::conformance {
namespace {

using Real = long double;

// η of Algorithm 1 by the paper's theorems.
double eta_of(const spec::Node& node, const AnySet& set) {
  if (node.has("eta")) return node.number("eta");
  const double d = set.diameter(), g = node.number("gradient_bound"), t = node.number("horizon");
  if (d == 0) return 1;  // a single point: any η
  const std::string setting = node.text_or("setting", "general");
  if (setting == "strongly_convex_set") return d / (2 * g * std::pow(t, 2.0 / 3));
  const double general = d / (g * std::pow(t, 0.75));
  return setting == "general" ? general : std::min(general, d / (g * std::sqrt(node.number("mean_delay") * t)));
}

// Algorithm 1 or 2, line by line, with the objective that its step minimises.
class PaperAlgorithm {
 public:
  PaperAlgorithm(const spec::Node& node, const AnySet& set, Vec start)
      : set_(set),
        strongly_convex_(node.type() == "delayed_ofw_sc"),
        y1_(start),
        y_(std::move(start)),
        gbar_(y_.size(), 0),
        s_(y_.size(), 0) {
    if (strongly_convex_)
      beta_ = node.number("beta");
    else
      eta_ = eta_of(node, set);
  }

  const Vec& decision() const { return y_; }
  void adopt(Vec y) { y_ = std::move(y); }

  void receive(const Vec& g) {
    tau_ += 1;
    for (std::size_t i = 0; i < g.size(); ++i) {
      gbar_[i] += g[i];
      s_[i] += y_[i];
    }
    past_.push_back(y_);
    const Vec c = direction();
    Vec v(y_.size());
    write(set_.oracle(DenseDirection(c, set_.shape())), v);
    Real slope = 0, width = 0;
    for (std::size_t i = 0; i < c.size(); ++i) {
      const Real away = static_cast<Real>(v[i]) - y_[i];
      slope += c[i] * away;
      width += away * away;
    }
    const Real curvature = (strongly_convex_ ? beta_ * tau_ : 2) * width;
    sigma_ = width == 0 ? 0 : std::clamp<Real>(-slope / curvature, 0, 1);
    for (std::size_t i = 0; i < y_.size(); ++i)
      y_[i] = static_cast<double>(y_[i] + sigma_ * (static_cast<Real>(v[i]) - y_[i]));
  }

  // F_τ at x, of the last step taken.
  Real objective(const Vec& x) const {
    Real value = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!strongly_convex_) {
        const Real away = static_cast<Real>(x[i]) - y1_[i];
        value += eta_ * gbar_[i] * x[i] + away * away;
        continue;
      }
      value += gbar_[i] * x[i];
      for (const Vec& y : past_)
        value += beta_ / 2 * (static_cast<Real>(x[i]) - y[i]) * (static_cast<Real>(x[i]) - y[i]);
    }
    return value;
  }

  Real sigma() const { return sigma_; }

 private:
  Vec direction() const {
    Vec c(y_.size());
    for (std::size_t i = 0; i < c.size(); ++i)
      c[i] = static_cast<double>(strongly_convex_ ? gbar_[i] + beta_ * (tau_ * y_[i] - s_[i])
                                                  : eta_ * gbar_[i] + 2 * (static_cast<Real>(y_[i]) - y1_[i]));
    return c;
  }

  AnySet set_;
  bool strongly_convex_;
  Real eta_ = 0, beta_ = 0, tau_ = 0, sigma_ = 0;
  Vec y1_, y_;
  std::vector<Real> gbar_, s_;
  std::vector<Vec> past_;
};

std::vector<Example> frank_wolfe_examples() {
  std::vector<Example> examples = learner_examples();
  std::erase_if(examples, [](const Example& e) {
    const auto says = [&](const char* word) { return e.json.find(word) != std::string::npos; };
    return !e.name.starts_with("delayed_ofw") || says("unknown") || says("oracle_calls") || says("batch") ||
           says("storage") || says("sample");  // those are not the paper's
  });
  examples.push_back({"delayed_ofw_fast", R"({"type": "delayed_ofw", "eta": 5})"});
  examples.push_back({"delayed_ofw_curved", R"({"type": "delayed_ofw", "horizon": 50, "gradient_bound": 1,)"
                                            R"( "setting": "strongly_convex_set"})"});
  examples.push_back({"delayed_ofw_sc_flat", R"({"type": "delayed_ofw_sc", "beta": 0.01})"});
  return examples;
}

Example with_storage(const Example& learner, const std::string& storage) {
  spec::Value value = learner.value();
  std::get<spec::Object>(value.as).emplace_back("storage", spec::Value{storage});
  if (storage == "factored") std::get<spec::Object>(value.as).emplace_back("oracle_error", spec::Value{0.0});
  return {learner.name + "_" + storage, spec::to_json(value)};
}

std::vector<Example> frank_wolfe_storages() {
  std::vector<Example> examples;
  for (const Example& learner : frank_wolfe_examples())
    for (const char* storage : {"auto", "dense", "sparse", "factored"})
      examples.push_back(with_storage(learner, storage));
  return examples;
}

class FrankWolfePair : public testing::TestWithParam<Pair> {
 protected:
  AnySet set_ = make_set(GetParam().set);
  Index n_ = set_.dimension();
  spec::Value value_ = GetParam().learner.value();
  spec::Node node_{value_, "learner"};
  RandomSequence random_{19};
  Player fresh(const Vec& initial = {}) const { return Player(*make_learner(GetParam().learner, set_, initial), n_); }

  // Where gradients leave coordinates alone, an exact line search leaves ties among them that rounding breaks either
  // way. So every gradient has full support; some are handed over by index all the same.
  Game game(GameShape shape) {
    shape.sparse = 0;
    Game made = random_game(shape, random_);
    for (GameGradient& g : made.gradients)
      if (random_.uniform() < 0.3) g.by_index();
    return made;
  }

  // Step by step from a shared state: on sets with near-flat faces trajectories part, through no one's fault.
  void expect_paper(const Game& played, Player player, PaperAlgorithm paper) const {
    Vec y(static_cast<std::size_t>(n_));
    for (const GameEvent& event : played.events) {
      const auto x = player.apply(played, event);
      if (x) {
        EXPECT_EQ(*x, paper.decision());
      }
      if (event.kind != GameEvent::Kind::kReceive) continue;
      paper.receive(played.gradient(event.round).dense);
      player.learner().write(y);
      ASSERT_LE(static_cast<double>(distance(y, paper.decision())), 1e-11 * size_of(set_)) << "round " << event.round;
      paper.adopt(y);
    }
  }
};

TEST_P(FrankWolfePair, WithoutDelayIsThePapersAlgorithm) {
  for (int i = 0; i < repeat(2); ++i)
    expect_paper(game({.dimension = n_, .rounds = 60, .largest_delay = 1, .lost = 0}), fresh(),
                 PaperAlgorithm(node_, set_, set_.start().dense()));
}

TEST_P(FrankWolfePair, WithDelaysIsThePapersAlgorithm) {
  for (int i = 0; i < repeat(2); ++i)
    expect_paper(game({.dimension = n_, .rounds = 60, .largest_delay = 15}), fresh(),
                 PaperAlgorithm(node_, set_, set_.start().dense()));
}

TEST_P(FrankWolfePair, FromAnyInitialPointIsThePapersAlgorithm) {
  FeasiblePoints points(set_, random_);
  for (int i = 0; i < repeat(2); ++i) {
    const Vec initial = i == 0 ? points.vertex() : points.next();
    if (!make_learner(GetParam().learner, set_, initial)) continue;  // the sparse track wants few non-zeros
    expect_paper(game({.dimension = n_}), fresh(initial), PaperAlgorithm(node_, set_, initial));
  }
}

TEST_P(FrankWolfePair, NoStepRaisesItsObjective) {
  const Game played = random_game({.dimension = n_}, random_);
  Player player = fresh();
  PaperAlgorithm paper(node_, set_, set_.start().dense());
  Vec before = set_.start().dense(), after = before;
  for (const GameEvent& event : played.events) {
    player.apply(played, event);
    if (event.kind != GameEvent::Kind::kReceive) continue;
    paper.receive(played.gradient(event.round).dense);
    player.learner().write(after);
    const Real was = paper.objective(before), is = paper.objective(after);
    ASSERT_LE(is, was + 1e-11 * (std::fabs(was) + size_of(set_) * size_of(set_) * 1e-3)) << "round " << event.round;
    before = after;
  }
}

TEST_P(FrankWolfePair, AbandonedRoundsChangeNothing) {
  const Game played = random_game({.dimension = n_, .lost = 0.5}, random_);
  Game without = played;
  std::erase_if(without.events, [](const GameEvent& e) { return e.kind == GameEvent::Kind::kAbandon; });
  EXPECT_EQ(fresh().play_all(played), fresh().play_all(without));
}

INSTANTIATE_TEST_SUITE_P(All, FrankWolfePair, testing::ValuesIn(accepted_pairs(frank_wolfe_storages())), pair_name);

// ---- on sets of our choice

class FrankWolfeAlone : public testing::TestWithParam<Example> {
 protected:
  RandomSequence random_{23};
};

TEST_P(FrankWolfeAlone, MovesWithItsSet) {
  constexpr Index kDimension = 4;
  const Vec shift = {3, -2, 0.5, 10};
  Vec lower = {-1, -1, 0, 0}, upper = {1, 0.5, 2, 1}, initial = {0.25, 0, 1.5, 0};
  const auto boxed = [&](const Vec& low, const Vec& high) {
    return make_set(Example{"", spec::to_json(spec::Value{spec::Object{
                                    {"type", {std::string("box")}}, {"lower", {low}}, {"upper", {high}}}})});
  };
  const auto moved = [&](Vec x) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += shift[i];
    return x;
  };
  const AnySet here = boxed(lower, upper), there = boxed(moved(lower), moved(upper));
  if (!make_learner(GetParam(), here)) GTEST_SKIP() << "the learner refuses a box";
  const Game game = random_game({.dimension = kDimension, .rounds = 80}, random_);
  const auto stayed = Player(*make_learner(GetParam(), here, initial), kDimension).play_all(game);
  const auto went = Player(*make_learner(GetParam(), there, moved(initial)), kDimension).play_all(game);
  for (std::size_t t = 0; t < stayed.size(); ++t)
    ASSERT_LE(static_cast<double>(distance(moved(stayed[t]), went[t])), 1e-11) << "round " << t + 1;
}

// The oracle answers where the learner already is: σ is 0, nothing moves, and Algorithm 2 still counts the gradient.
TEST_P(FrankWolfeAlone, StaysWhereTheOracleIs) {
  const AnySet set = make_set(Example{"", R"({"type": "box", "lower": [-1, 0.1], "upper": [1, 0.7]})"});
  if (!make_learner(GetParam(), set)) GTEST_SKIP() << "the learner refuses a box";
  const Vec corner = {-1, 0.1}, uphill = {0.3, 2}, downhill = {-2.1, -2.37};
  const spec::Value value = GetParam().value();
  PaperAlgorithm paper(spec::Node(value, "learner"), set, corner);
  AnyLearner learner = *make_learner(GetParam(), set, corner);
  Memo memo;
  Vec x(2);
  for (Round t = 1; t <= 12; ++t) {
    const Vec& g = t <= 5 ? uphill : downhill;
    learner.play(t, nullptr, memo);
    learner.receive(t, {.gradient = Covector::dense(g)}, memo);
    paper.receive(g);
    learner.write(x);
    if (t <= 5) {
      EXPECT_EQ(x, corner);
    } else {
      EXPECT_LE(static_cast<double>(distance(x, paper.decision())), 1e-12) << "round " << t;
    }
  }
}

TEST_P(FrankWolfeAlone, StaysOnASetOfOnePoint) {
  for (const char* json : {R"({"type": "simplex", "dimension": 1, "radius": 0.3})",
                           R"({"type": "box", "lower": [2, -1], "upper": [2, -1]})"}) {
    const AnySet set = make_set(Example{"", json});
    auto learner = make_learner(GetParam(), set);
    if (!learner) continue;
    Player player(std::move(*learner), set.dimension());
    for (const Vec& x : player.play_all(random_game({.dimension = set.dimension()}, random_)))
      EXPECT_EQ(x, set.start().dense());
  }
}

INSTANTIATE_TEST_SUITE_P(All, FrankWolfeAlone, testing::ValuesIn(frank_wolfe_examples()), example_name);

}  // namespace
}  // namespace tarry::conformance
