// Certificates against an adversary that climbs: small games, every gradient and every delay open to it, feedback that
// never comes included. Only what the certificate assumes is kept: late gradients are no longer than those received.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tarry/base/random.h"
#include "tarry/geometry/dense_direction.h"
#include "tarry/learners/registry.h"
#include "tarry/linalg/norms.h"
#include "tarry/model/model.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"

namespace tarry {
namespace {

AnySet set_of(const std::string& json) {
  const spec::Value value = spec::parse_json(json);
  return make_set(spec::Node(value, "set"));
}

AnyLearner learner_of(const std::string& json, const AnySet& set) {
  const spec::Value value = spec::parse_json(json);
  return make_learner(spec::Node(value, "learner"), LearnerSetting{set, {}});
}

struct Answered {
  Vec gradient;
  Round delay;  // beyond the last round: never
};
using Game = std::vector<Answered>;

struct Judged {
  double regret = 0;
  std::optional<double> certificate;

  // How far regret is on its way to the certificate; nothing to beat where there is none.
  double share() const {
    if (!certificate || regret <= 0) return 0;
    return *certificate > 0 ? regret / *certificate : std::numeric_limits<double>::infinity();
  }
};

// Late gradients are shortened to the longest received.
void keep_the_assumption(Game& game) {
  double longest = 0;
  for (Round t = 1; t <= game.size(); ++t)
    if (t - 1 + game[t - 1].delay <= game.size()) longest = std::max(longest, norm2(game[t - 1].gradient));
  for (Round t = 1; t <= game.size(); ++t) {
    const double length = norm2(game[t - 1].gradient);
    if (t - 1 + game[t - 1].delay > game.size() && length > longest)
      for (double& g : game[t - 1].gradient) g *= longest / length * (1 - 1e-12);
  }
}

Judged judge(const AnySet& set, const std::string& learner, const Game& game) {
  Model model(set, learner_of(learner, set));
  Vec x(static_cast<std::size_t>(set.dimension())), sum(x.size(), 0.0);
  Judged judged;
  for (Round t = 1; t <= game.size(); ++t) {
    model.apply(Play{});
    model.write(x);
    judged.regret += Covector::dense(game[t - 1].gradient).dot(x);
    Covector::dense(game[t - 1].gradient).add_to(sum);
    for (Round k = 1; k <= t; ++k)
      if (k - 1 + game[k - 1].delay == t) model.apply(Gradient{k, Covector::dense(game[k - 1].gradient)});
  }
  if (max_abs(sum) > 0) judged.regret -= inner(set.oracle(DenseDirection(sum, set.shape())), sum);
  judged.certificate = model.certificate();
  return judged;
}

class Climber {
 public:
  Climber(std::size_t n, double size, std::uint64_t seed) : n_(n), size_(size), random_(seed) {}

  Game start(bool late) {
    Game game(2 + random_.below(29));
    for (Answered& round : game) round = {gradient(), late ? delay(game.size()) : 1};
    keep_the_assumption(game);
    return game;
  }

  Game change(const Game& game) {
    Game other = game;
    Answered& round = other[random_.below(other.size())];
    switch (random_.below(7)) {
      case 0:
        round.gradient = gradient();
        break;
      case 1:
        round.delay = delay(other.size());
        break;
      case 2:
        for (double& g : round.gradient) g *= random_.uniform(0, 3);
        break;
      case 3:
        round.gradient[random_.below(n_)] += size_ * random_.gaussian();
        break;
      case 4:
        round.gradient = other[random_.below(other.size())].gradient;
        break;
      case 5:
        std::fill(round.gradient.begin(), round.gradient.end(), size_ * random_.gaussian());
        break;
      default:
        if (other.size() > 2) other.erase(other.begin() + static_cast<std::ptrdiff_t>(random_.below(other.size())));
    }
    for (Answered& any : other)
      for (double& g : any.gradient) g = std::clamp(g, -1e3 * size_, 1e3 * size_);
    keep_the_assumption(other);
    return other;
  }

 private:
  Vec gradient() {
    Vec g(n_);
    const double size = size_ * (random_.below(4) == 0 ? std::pow(10, random_.uniform(-12, 0)) : 1);
    for (double& gi : g) gi = size * random_.gaussian();
    return g;
  }
  Round delay(std::size_t rounds) {
    const std::uint64_t kind = random_.below(3);
    return kind == 0 ? 1 : kind == 1 ? 1 + random_.below(rounds) : 2 * rounds;
  }

  std::size_t n_;
  double size_;
  RandomSequence random_;
};

// The largest share of its certificate that the climber brings a learner to.
double climb(const std::string& set_json, const std::string& learner, double size, int starts = 6, int steps = 250) {
  const AnySet set = set_of(set_json);
  double worst = 0;
  for (int start = 0; start < starts; ++start) {
    Climber climber(static_cast<std::size_t>(set.dimension()), size, static_cast<std::uint64_t>(start) + 1);
    Game game = climber.start(start % 2 == 0);
    double share = judge(set, learner, game).share();
    for (int step = 0; step < steps && share <= 1; ++step) {
      Game other = climber.change(game);
      const double now = judge(set, learner, other).share();
      if (now >= share) {
        share = now;
        game = std::move(other);
      }
    }
    worst = std::max(worst, share);
  }
  return worst;
}

struct Case {
  const char* set;
  const char* learner;
};

const char* const kSimplex = R"({"type": "simplex", "dimension": 3, "radius": 2})";
const char* const kBall = R"({"type": "l2_ball", "dimension": 2, "radius": 1.5})";
const char* const kNearlyL1 = R"({"type": "lp_ball", "dimension": 3, "p": 1.3, "radius": 1.5})";
const char* const kBox = R"({"type": "box", "lower": [-1, 0], "upper": [2, 3]})";
const char* const kTwoSimplices =
    R"({"type": "product", "parts": [{"type": "simplex", "dimension": 2, "radius": 1},
        {"type": "simplex", "dimension": 2, "radius": 3}]})";

const Case kCertified[] = {
    {kSimplex, R"({"type": "delayed_eg"})"},
    {kSimplex, R"({"type": "delayed_eg", "eta": 0.05})"},
    {kTwoSimplices, R"({"type": "per_block", "learners": [{"type": "delayed_eg"}, {"type": "delayed_eg"}]})"},
    {kBall, R"({"type": "gauge_ftrl"})"},
    {kNearlyL1, R"({"type": "gauge_ftrl"})"},
    {R"({"type": "ellipsoid", "semi_axes": [1, 3]})", R"({"type": "gauge_ftrl", "light": true})"},
    {kNearlyL1, R"({"type": "gauge_ftrl", "light": true})"},
    {kBall, R"({"type": "gauge_ftrl", "eta": 0.2})"},
    {kBall, R"({"type": "gauge_ftrl", "gradient_bound": 3})"},
    {kBox, R"({"type": "box_ftrl"})"},
    {kBox, R"({"type": "box_ftrl", "rate": 0.3})"},
    {kBall, R"({"type": "delayed_ogd", "eta": 0.1})"},
    {kBall, R"({"type": "infeasible_ogd", "eta": 0.1, "slack": 0.05})"},
    {kSimplex, R"({"type": "infeasible_ogd", "eta": 1, "slack": 0.01, "batch": 2})"},
    {kSimplex, R"({"type": "infeasible_ogd", "eta": 0.1, "slack": 0.2, "batch": 3, "oracle": "linear"})"},
    {kBall, R"({"type": "delayed_ofw", "eta": 0.01})"},
    {kBall, R"({"type": "delayed_ofw", "eta": 0.01, "batch": 3})"},
    {kBall, R"({"type": "delayed_ofw", "horizon": "unknown", "gradient_bound": 3})"},
    {kBall, R"({"type": "delayed_ofw", "horizon": 30, "gradient_bound": "unknown"})"},
};

TEST(ClimbedCertificate, IsNotExceededByGamesThatClimbTowardsIt) {
  for (const auto& [set, learner] : kCertified) EXPECT_LE(climb(set, learner, 1), 1) << set << learner;
}

// Squares of such gradients underflow.
TEST(ClimbedCertificate, HoldsForGradientsCloseToNothing) {
  for (const double size : {1e-158, 1e-165, 1e-220, 1e-290})
    for (const auto& [set, learner] : kCertified)
      EXPECT_LE(climb(set, learner, size, 2, 60), 1) << set << learner << size;
}

TEST(ClimbedCertificate, HoldsOnSetsCloseToNothing) {
  const std::string radius = R"("radius": 1e-165})";
  for (const char* learner :
       {R"({"type": "gauge_ftrl"})", R"({"type": "gauge_ftrl", "light": true})",
        R"({"type": "delayed_ogd", "eta": 1e-166})", R"({"type": "delayed_ofw", "eta": 1e-167})",
        R"({"type": "infeasible_ogd", "eta": 1e-166, "slack": 0.1})",
        R"({"type": "delayed_ofw", "eta": 1e-167, "batch": 3})", R"({"type": "gauge_ftrl", "gradient_bound": 3})"})
    EXPECT_LE(climb(R"({"type": "l2_ball", "dimension": 2, )" + radius, learner, 1, 3, 150), 1) << learner;
  for (const char* learner : {R"({"type": "delayed_eg"})", R"({"type": "delayed_eg", "eta": 0.1})"})
    EXPECT_LE(climb(R"({"type": "simplex", "dimension": 3, )" + radius, learner, 1, 3, 150), 1) << learner;
}

// One gradient without spread, then two that never come: nothing was learnt, and regret is all theirs.
TEST(ClimbedCertificate, OfExponentiatedGradientsCountsWhatHasNotCome) {
  const Game game = {{{80, 80, 80}, 1}, {{14, -14, 0}, 9}, {{14, -14, 0}, 9}};
  for (const char* learner : {R"({"type": "delayed_eg"})", R"({"type": "delayed_eg", "eta": 100})"}) {
    const Judged judged = judge(set_of(kSimplex), learner, game);
    EXPECT_NEAR(judged.regret, 56, 1e-9);
    ASSERT_TRUE(judged.certificate);
    EXPECT_GE(*judged.certificate, judged.regret) << learner;
  }
}

// The smallest numbers there are: half of them is none.
TEST(ClimbedCertificate, IsNotZeroForTheSmallestGradient) {
  constexpr double kLeast = std::numeric_limits<double>::denorm_min();
  const Game game = {{{kLeast, 0, 0}, 1}, {{kLeast, 0, 0}, 1}};
  for (const auto& [set, learner] : kCertified) {
    Game here = game;
    for (Answered& round : here) round.gradient.resize(static_cast<std::size_t>(set_of(set).dimension()), 0.0);
    const auto certificate = judge(set_of(set), learner, here).certificate;
    EXPECT_TRUE(!certificate || *certificate > 0) << set << learner;
  }
}

}  // namespace
}  // namespace tarry
