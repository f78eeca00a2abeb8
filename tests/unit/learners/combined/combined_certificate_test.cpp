// Certificates of learners over learners, and of AdaGrad, against an adversary that climbs: small games, changed where
// the change brings regret nearer to the certificate. No game may pass it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sanitized.h"
#include "tarry/base/random.h"
#include "tarry/lab/verify/verify.h"
#include "tarry/learners/registry.h"
#include "tarry/learners/snapshot.h"
#include "tarry/losses/registry.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"

namespace tarry {
namespace {

constexpr Round kNever = 0;
constexpr int kSteps = cases(100);

struct Move {
  Vec a;         // the gradient; features, where there is a loss
  double label;  // for losses
  Round delay;   // rounds until the answer, kNever without
  bool expires;  // if it never comes: whether the round is given up
};
using Moves = std::vector<Move>;

enum class Features : std::uint8_t { kNone, kAtPlay, kWithLabel };

struct Arena {
  std::string set, learner, loss;  // no loss: gradients
  Features features;
  double scale = 1;     // of all gradients
  bool prompt = false;  // what comes comes at once
};

const std::string kBox = R"({"type": "box", "dimension": 2, "lower": -1, "upper": 1})";
const std::string kLine = R"({"type": "box", "dimension": 1, "lower": -1, "upper": 3})";
const std::string kBall = R"({"type": "l2_ball", "dimension": 2, "radius": 1})";
const std::string kLp = R"({"type": "lp_ball", "dimension": 3, "p": 1.5, "radius": 2})";
const std::string kSimplex = R"({"type": "simplex", "dimension": 2})";
const std::string kProduct =
    R"({"type": "product", "parts": [{"type": "box", "dimension": 1, "lower": -1, "upper": 1},)"
    R"( {"type": "box", "dimension": 1, "lower": -1, "upper": 1}]})";
const std::string kAuto = R"({"type": "auto"})", kAdagrad = R"({"type": "adagrad", "rate": 0.5})";
const std::string kSquared = R"({"type": "squared"})", kAbsolute = R"({"type": "absolute"})";
const std::string kLogistic = R"({"type": "logistic"})", kWealth = R"({"type": "log_wealth"})";

spec::Value json(const std::string& text) { return spec::parse_json(text); }

Model make(const Arena& arena) {
  const spec::Value set_spec = json(arena.set), learner_spec = json(arena.learner);
  const AnySet set = make_set(spec::Node(set_spec, "set"));
  std::optional<AnyLoss> loss;
  if (!arena.loss.empty()) {
    const spec::Value loss_spec = json(arena.loss);
    loss = make_loss(spec::Node(loss_spec, "loss"));
  }
  return Model(set, make_learner(spec::Node(learner_spec, "learner"), {.set = set, .initial = {}}), std::move(loss));
}

// Points of the set that are compared with: the oracle's answers in all directions and what lies between them.
std::vector<Vec> comparators(const AnySet& set) {
  const auto n = static_cast<std::size_t>(set.dimension());
  RandomSequence random(5);
  std::vector<Vec> points;
  for (int k = 0; k < 60; ++k) {
    Vec x(n);
    for (double& xi : x) xi = 3 * random.gaussian();
    if (set.can_project())
      set.project(x);
    else
      while (!set.contains(x, 1e-9))
        for (double& xi : x) xi *= 0.95;
    points.push_back(x);
  }
  const std::size_t corners = points.size();
  for (std::size_t k = 0; k + 1 < corners; ++k)
    for (double part : {0.2, 0.5, 0.8}) {
      Vec x(n);
      for (std::size_t i = 0; i < n; ++i) x[i] = part * points[k][i] + (1 - part) * points[k + 1][i];
      points.push_back(x);
    }
  return points;
}

struct Result {
  double regret = 0;
  std::optional<double> certificate;
  bool fair = true;  // what has not come is no larger than what has
};

class Game {
 public:
  Game(const Arena& arena, const std::vector<Vec>& points)
      : arena_(arena), points_(points), model_(make(arena)), x_(points[0].size()), others_(points.size(), 0.0) {}

  Result play(const Moves& moves) {
    for (Round t = 1; t <= moves.size(); ++t) {
      const Move& move = moves[t - 1];
      model_.apply(arena_.features == Features::kAtPlay ? Play{Covector::dense(move.a)} : Play{});
      model_.write(x_);
      count(move);
      for (Round k = 1; k <= t; ++k) answer(k, t, moves[k - 1]);
    }
    Result result{own_ - *std::min_element(others_.begin(), others_.end()), model_.certificate(), true};
    for (Round k = 1; k <= moves.size(); ++k)
      if (!came(k, moves[k - 1], moves.size()) && norms_[k - 1] > model_.seen().gradient_bound) result.fair = false;
    return result;
  }

 private:
  static bool came(Round k, const Move& move, Round now) { return move.delay != kNever && k + move.delay - 1 <= now; }
  double cost(const Move& move, std::span<const double> x) const {
    const double dot = Covector::dense(move.a).dot(x);
    return model_.loss() ? model_.loss()->value(dot, move.label) : arena_.scale * dot;
  }
  void count(const Move& move) {
    own_ += cost(move, x_);
    for (std::size_t i = 0; i < points_.size(); ++i) others_[i] += cost(move, points_[i]);
    const double slope =
        model_.loss() ? model_.loss()->slope(Covector::dense(move.a).dot(x_), move.label) : arena_.scale;
    norms_.push_back(std::fabs(slope) * Covector::dense(move.a).norm());
  }
  void answer(Round k, Round now, const Move& move) {
    if (move.delay == kNever) {
      if (move.expires && now == k + 2) model_.apply(Expire{k});
    } else if (now == k + move.delay - 1) {
      if (model_.loss()) {
        Label label{k, move.label};
        if (arena_.features == Features::kWithLabel) label.features = Covector::dense(move.a);
        model_.apply(label);
      } else {
        Vec g = move.a;
        for (double& gi : g) gi *= arena_.scale;
        model_.apply(Gradient{k, Covector::dense(g)});
      }
    }
  }

  const Arena& arena_;
  const std::vector<Vec>& points_;
  Model model_;
  Vec x_;
  double own_ = 0;
  Vec others_, norms_;
};

Move random_move(std::size_t n, RandomSequence& random) {
  Move move{Vec(n), random.uniform() < 0.5 ? 1.0 : -1.0, 1 + random.below(6), random.uniform() < 0.5};
  const double size = random.uniform() < 0.2 ? 0.1 : 1;
  for (double& ai : move.a)
    ai = size * (random.uniform() < 0.3 ? (random.uniform() < 0.5 ? 1 : -1) : random.gaussian());
  if (random.uniform() < 0.4) move.label *= 0.3;
  if (random.uniform() < 0.15) move.delay = kNever;
  if (random.uniform() < 0.1) move.delay = 25;
  return move;
}

// Relatives of prices are positive.
void make_positive(Move& move) {
  for (double& ai : move.a) ai = 0.05 + std::fabs(ai);
}

struct Climbed {
  double worst = -1;  // regret / certificate
  int certified = 0;
};

Climbed climb(const Arena& arena, std::uint64_t seed, int steps) {
  RandomSequence random(seed);
  const spec::Value set_spec = json(arena.set);
  const std::vector<Vec> points = comparators(make_set(spec::Node(set_spec, "set")));
  const std::size_t n = points[0].size(), rounds = 2 + random.below(38);
  const auto draw = [&] {
    Move move = random_move(n, random);
    if (arena.prompt && move.delay != kNever) move.delay = 1;
    if (arena.loss == kWealth) make_positive(move);
    if (arena.loss == kLogistic) move.label = std::copysign(1, move.label);
    return move;
  };
  Moves best;
  for (std::size_t t = 0; t < rounds; ++t) best.push_back(draw());
  Climbed climbed;
  double score = -INFINITY;
  for (int step = 0; step < steps; ++step) {
    Moves next = best;
    const std::size_t at = random.below(rounds);
    const double how = random.uniform();
    if (how < 0.4) {
      next[at] = draw();
    } else if (how < 0.6) {
      next[at] = best[random.below(rounds)];
    } else if (how < 0.8) {
      for (std::size_t t = at; t < std::min(rounds, at + 5); ++t) next[t] = best[at];
    } else {
      next[at].delay = draw().delay;
    }
    const Result result = Game(arena, points).play(next);
    if (!result.certificate || !result.fair) continue;
    ++climbed.certified;
    const double ratio = *result.certificate > 0 ? result.regret / *result.certificate : (result.regret > 0 ? 1e9 : -1);
    climbed.worst = std::max(climbed.worst, ratio);
    if (ratio < score) continue;
    score = ratio;
    best = std::move(next);
  }
  return climbed;
}

std::string hedge(const std::string& bases) { return R"({"type": "hedge", "learners": [)" + bases + "]}"; }
std::string blocks(const std::string& one) {
  return R"({"type": "per_block", "learners": [)" + one + ", " + one + "]}";
}

std::vector<Arena> arenas() {
  const std::string descent = hedge(R"({"type": "stay"}, {"type": "delayed_ogd", "eta": 0.3})");
  const std::string mixed = hedge(kAdagrad + R"(, {"type": "delayed_ogd", "eta": 0.2}, {"type": "box_ftrl"})");
  const std::string ball = hedge(R"({"type": "gauge_ftrl"}, {"type": "delayed_ofw", "eta": 0.05})");
  const std::string nested = hedge(kAuto + ", " + descent);
  std::vector<Arena> all;
  for (const std::string& learner : {kAdagrad, kAuto, descent, mixed, nested})
    for (const std::string& set : {kBox, kLine}) {
      all.push_back({set, learner, "", Features::kNone, 1, learner == kAdagrad});  // it keeps nothing of such rounds
      all.push_back({set, learner, "", Features::kAtPlay});
      for (const std::string& loss : {kSquared, kAbsolute, kLogistic})
        for (Features features : {Features::kAtPlay, Features::kWithLabel})
          all.push_back({set, learner, loss, features});
    }
  for (const auto& [set, learner] : {std::pair{kBall, kAuto}, {kLp, kAuto}, {kBall, ball}, {kSimplex, kAuto}}) {
    all.push_back({set, learner, "", Features::kNone});
    all.push_back({set, learner, "", Features::kAtPlay});
    all.push_back({set, learner, kSquared, Features::kAtPlay});
    all.push_back({set, learner, kAbsolute, Features::kWithLabel});
  }
  for (const std::string& learner : {kAuto, hedge(R"({"type": "stay"}, {"type": "delayed_ogd", "eta": 0.2})")})
    all.push_back({kSimplex, learner, kWealth, Features::kWithLabel});
  for (const std::string& block : {kAdagrad, descent}) all.push_back({kProduct, blocks(block), "", Features::kAtPlay});
  for (double scale : {1e-170, 1e-150, 1e60})
    for (const std::string& learner : {kAdagrad, kAuto, descent})
      for (Features features : {Features::kNone, Features::kAtPlay})
        all.push_back({kBox, learner, "", features, scale, features == Features::kNone && learner == kAdagrad});
  return all;
}

TEST(CombinedCertificates, HoldAgainstAnAdversaryThatClimbs) {
  std::uint64_t seed = 1;
  double worst = -1;
  for (const Arena& arena : arenas()) {
    SCOPED_TRACE(arena.learner + " on " + arena.set + " " + arena.loss + ", features " +
                 std::to_string(static_cast<int>(arena.features)) + ", scale " + std::to_string(arena.scale));
    int certified = 0;
    for (int start = 0; start < 3; ++start) {
      const Climbed climbed = climb(arena, seed++, kSteps);
      EXPECT_LE(climbed.worst, 1 + 1e-9);
      certified += climbed.certified;
      worst = std::max(worst, climbed.worst);
    }
    EXPECT_TRUE(kSanitized || certified > 0);  // a tenth of the steps need not meet a game that is certified
  }
  RecordProperty("worst_ratio", std::to_string(worst));
}

// Where the theorem's conditions fail there is none.
TEST(CombinedCertificates, AreNotGivenWhereNothingIsProved) {
  const auto certified = [](const Arena& arena) { return climb(arena, 7, 20).certified > 0; };
  const std::string small = hedge(R"({"type": "delayed_ogd", "eta": 0.2, "scale": 0.5})");
  EXPECT_FALSE(certified({kBox, small, "", Features::kNone}));  // its comparator is in the smaller copy
  EXPECT_TRUE(certified({kBox, hedge(R"({"type": "delayed_ogd", "eta": 0.2, "scale": 1})"), "", Features::kNone}));
  Arena late{kLine, kAdagrad, "", Features::kNone};  // what was played is not kept
  EXPECT_FALSE(climb(late, 7, 20).certified > 10);
  EXPECT_FALSE(certified({kBox, hedge(R"({"type": "stay"})"), "", Features::kNone}));  // it has none
  EXPECT_FALSE(certified({kBall, hedge(R"({"type": "delayed_ofw_sc", "beta": 0.5})"), "", Features::kNone}));
  EXPECT_FALSE(certified({R"({"type": "l1_ball", "dimension": 3, "radius": 1})", kAuto, "", Features::kNone}));
  // A function of one prediction is not strongly convex in two coordinates.
  const std::string strongly = R"({"type": "delayed_ofw_sc", "beta": 0.5})";
  EXPECT_TRUE(certified({kLine, strongly, kSquared, Features::kAtPlay}));
  EXPECT_FALSE(certified({kBall, strongly, kSquared, Features::kAtPlay}));
  // Blocks that use the loss itself: what they see of it does not add up.
  for (const std::string& block : {kAdagrad, kAuto, hedge(R"({"type": "delayed_ogd", "eta": 0.2})")})
    for (Features features : {Features::kAtPlay, Features::kWithLabel})
      EXPECT_FALSE(certified({kProduct, blocks(block), kSquared, features})) << block;
}

}  // namespace
}  // namespace tarry
