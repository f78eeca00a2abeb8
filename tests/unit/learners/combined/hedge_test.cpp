#include "tarry/learners/combined/hedge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "tarry/base/random.h"
#include "tarry/lab/verify/verify.h"
#include "tarry/learners/combined/hedge_bases.h"
#include "tarry/learners/leaders/box_ftrl.h"
#include "tarry/learners/leaders/lp_ftrl.h"
#include "tarry/learners/registry.h"
#include "tarry/learners/snapshot.h"
#include "tarry/losses/regression.h"
#include "tarry/model/model.h"
#include "tarry/sets/balls/l2_ball.h"
#include "tarry/sets/polytopes/simplex.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

// Plays one point for ever and counts what it is told.
struct Fixed {
  Vec at;
  std::shared_ptr<Vec> slopes = std::make_shared<Vec>();
  std::shared_ptr<int> abandoned = std::make_shared<int>(0);

  double play(Round t, const Covector* features, Memo& memo) {
    memo = {static_cast<double>(t), 7};
    return features != nullptr ? features->dot(at) : 0;
  }
  double predict(const Covector& features) const { return features.dot(at); }
  void write(std::span<double> x) const { std::copy(at.begin(), at.end(), x.begin()); }
  void receive(Round t, const Feedback& feedback, const Memo& memo) {
    EXPECT_EQ(memo, (Memo{static_cast<double>(t), 7}));
    slopes->push_back(feedback.slope.value_or(0));
  }
  void abandon(Round, const Memo&) { ++*abandoned; }
  void save(ByteWriter&) const {}
  void load(ByteReader&) {}
};
static_assert(Learner<Fixed>);

// DORM+ of SPEC §4, written out, with the bound of docs/theory.md summed beside it.
class Plain {
 public:
  explicit Plain(std::size_t bases) : lead_(bases, 0.0) {
    const double log_n = std::log(static_cast<double>(bases));
    q_ = bases <= 7 ? 2 : log_n + std::sqrt(log_n * log_n - 2 * log_n);
  }

  Vec weights() const {
    Vec w(lead_.size());
    double total = 0;
    for (std::size_t i = 0; i < w.size(); ++i) total += w[i] = std::pow(std::max(0.0, lead_[i]), q_ - 1);
    for (double& wi : w) wi = total > 0 ? wi / total : 1 / static_cast<double>(w.size());
    return w;
  }
  void play(Round t) { kept_[t] = {weights(), arrived_.size()}; }
  // The regret to each base so far grows by what is returned.
  Vec receive(Round t, const Vec& losses) {
    const Vec& w = kept_.at(t).first;
    return receive(t, losses, std::inner_product(w.begin(), w.end(), losses.begin(), 0.0));
  }
  Vec receive(Round t, const Vec& losses, double own) {
    const auto [w, seen] = kept_.at(t);
    const auto [least, most] = std::minmax_element(losses.begin(), losses.end());
    const double s = *most - *least;
    squares_ += s * s + 2 * s * std::accumulate(arrived_.begin() + static_cast<long>(seen), arrived_.end(), 0.0);
    arrived_.push_back(s);
    Vec saved;
    for (std::size_t i = 0; i < losses.size(); ++i) {
      saved.push_back(own - losses[i]);
      lead_[i] = std::max(0.0, lead_[i] + own - losses[i]);
    }
    kept_.erase(t);
    return saved;
  }
  void abandon(Round t) { kept_.erase(t); }
  double bound() const {
    const double n = static_cast<double>(lead_.size());
    return std::sqrt((q_ - 1) * std::pow(n, 2 / q_) * squares_);
  }

 private:
  double q_;
  Vec lead_;
  double squares_ = 0;
  Vec arrived_;
  std::map<Round, std::pair<Vec, std::size_t>> kept_;
};

constexpr std::size_t kCounts[] = {1, 2, 7, 8, 25};

struct Panel {
  std::vector<Vec> points;
  std::vector<Fixed> bases;
  std::vector<AnyLearner> learners;
};

Panel panel(std::size_t bases, RandomSequence& random) {
  Panel p;
  for (std::size_t i = 0; i < bases; ++i) {
    p.points.push_back({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    p.bases.push_back(Fixed{p.points.back()});
    p.learners.emplace_back(p.bases.back());
  }
  return p;
}

// Any delays, any order, some rounds lost; with features or without. One base is planted to be the best.
void play_panel(std::size_t bases, bool with_features, std::uint64_t seed) {
  RandomSequence random(seed);
  Panel p = panel(bases, random);
  Hedge hedge(SeparateBases(std::move(p.learners)), 3);
  Plain plain(bases);
  struct Waiting {
    Memo memo;
    Vec features;
  };
  std::map<Round, Waiting> waiting;
  Vec x(3), regret(bases, 0.0);
  int abandoned = 0;
  const Vec& best = p.points[bases / 2];
  for (Round t = 1; t <= 1500; ++t) {
    Waiting& now = waiting[t];
    now.features = {random.gaussian(), random.gaussian(), random.gaussian()};
    const Covector features = Covector::dense(now.features);
    plain.play(t);
    const double prediction = hedge.play(t, with_features ? &features : nullptr, now.memo);
    const Vec w = plain.weights();
    for (std::size_t i = 0; i < bases; ++i) ASSERT_NEAR(hedge.weights()[i], w[i], 1e-9) << "round " << t;
    hedge.write(x);
    for (std::size_t j = 0; j < 3; ++j) {
      double mean = 0;
      for (std::size_t i = 0; i < bases; ++i) mean += w[i] * p.points[i][j];
      ASSERT_NEAR(x[j], mean, 1e-9);
    }
    if (with_features) {
      ASSERT_NEAR(prediction, features.dot(x), 1e-9);
      ASSERT_EQ(now.memo.size(), 3 + bases + 3 * bases);  // a mark, a sum, the mean, one number a base; then their own
    }
    while (!waiting.empty() && random.uniform() < (t % 100 < 60 ? 0.3 : 0.6)) {
      auto entry = waiting.begin();
      std::advance(entry, static_cast<long>(random.below(waiting.size())));
      if (random.uniform() < 0.1) {
        hedge.abandon(entry->first, entry->second.memo);
        plain.abandon(entry->first);
        ++abandoned;
      } else {
        // The planted base would have predicted right, but for noise.
        const Vec& a = entry->second.features;
        const double wanted = std::inner_product(a.begin(), a.end(), best.begin(), 0.0);
        const double slope = entry->second.memo.empty() ? 0 : 0.3 * random.gaussian() + (wanted > 0 ? -1 : 1);
        Vec g = a, losses;
        for (double& gi : g) gi *= slope;
        hedge.receive(entry->first, {.gradient = Covector::dense(g), .slope = slope}, entry->second.memo);
        for (const Vec& point : p.points) losses.push_back(std::inner_product(g.begin(), g.end(), point.begin(), 0.0));
        const Vec saved = plain.receive(entry->first, losses);
        for (std::size_t i = 0; i < bases; ++i) regret[i] += saved[i];
      }
      waiting.erase(entry);
    }
    for (double r : regret) ASSERT_LE(r, plain.bound() * (1 + 1e-9) + 1e-9) << "round " << t;
  }
  for (const Fixed& base : p.bases) EXPECT_EQ(*base.abandoned, abandoned);
}

TEST(Hedge, WeighsAsTheSpecificationSaysAndStaysWithinItsBound) {
  for (std::size_t bases : kCounts)
    for (bool with_features : {false, true}) {
      SCOPED_TRACE(testing::Message() << bases << " bases, features " << with_features);
      ASSERT_NO_FATAL_FAILURE(play_panel(bases, with_features, 3 + bases));
    }
}

// Losses made to hurt: whichever base has the most weight turns out to be the worst, and everything comes late.
TEST(Hedge, StaysWithinItsBoundAgainstAnAdversary) {
  for (std::size_t bases : kCounts)
    for (Round delay : {1u, 9u, 60u}) {
      std::vector<AnyLearner> learners;
      for (std::size_t i = 0; i < bases; ++i) {
        Vec unit(bases, 0.0);
        unit[i] = 1;
        learners.emplace_back(Fixed{unit});
      }
      Hedge hedge(SeparateBases(std::move(learners)), static_cast<Index>(bases));
      Plain plain(bases);
      std::map<Round, std::pair<Memo, Vec>> waiting;
      Vec regret(bases, 0.0);
      for (Round t = 1; t <= 800; ++t) {
        auto& [memo, g] = waiting[t];
        hedge.play(t, nullptr, memo);
        plain.play(t);
        g = hedge.weights();  // what is leant on costs most
        if ((t / 97) % 2 == 1)
          for (double& gi : g) gi = -gi;
        if (t < delay) continue;
        const Round k = t + 1 - delay;
        hedge.receive(k, {.gradient = Covector::dense(waiting.at(k).second)}, waiting.at(k).first);
        const Vec saved = plain.receive(k, waiting.at(k).second);
        for (std::size_t i = 0; i < bases; ++i) regret[i] += saved[i];
        waiting.erase(k);
        for (double r : regret) ASSERT_LE(r, plain.bound() * (1 + 1e-9) + 1e-9) << bases << " bases, round " << t;
      }
    }
}

TEST(Hedge, ConvergesToAPlantedBase) {
  for (Round delay : {1u, 20u}) {
    const std::string set = R"({"type": "l2_ball", "dimension": 2, "radius": 1})";
    RandomSequence random(7);
    Panel p = panel(9, random);
    for (Fixed& base : p.bases) base.at.resize(2);
    p.bases[4].at = {0.6, 0.8};
    std::vector<AnyLearner> learners;
    for (const Fixed& base : p.bases) learners.emplace_back(base);
    Hedge hedge(SeparateBases(std::move(learners)), 2);
    std::map<Round, Memo> memos;
    const Vec g = {-0.6, -0.8};
    for (Round t = 1; t <= 3000; ++t) {
      hedge.play(t, nullptr, memos[t]);
      if (t >= delay) hedge.receive(t + 1 - delay, {.gradient = Covector::dense(g)}, memos.at(t + 1 - delay));
    }
    EXPECT_GT(hedge.weights()[4], 0.99) << "delay " << delay;
  }
}

// With a loss each base gets the gradient at its own prediction, and the weights learn from what the predictions cost.
TEST(Hedge, GivesEachBaseItsOwnGradientWhereTheLossIsKnown) {
  constexpr Index kDimension = 6;
  const L2Ball set(kDimension, 2);
  const auto bases = [] {
    std::vector<AnyLearner> made;
    made.emplace_back(LpFtrl(kDimension, {2, 2}));
    made.emplace_back(LpFtrl(kDimension, {1.2, 0.5}));
    const double half = 2 / std::sqrt(static_cast<double>(kDimension));
    made.emplace_back(BoxFtrl({Vec(kDimension, -half), Vec(kDimension, half)}, 1));
    return made;
  };
  Model model(set, Hedge(SeparateBases(bases()), kDimension), SquaredLoss{});
  std::vector<AnyLearner> alone = bases();
  Plain plain(3);
  RandomSequence random(9);
  struct Waiting {
    std::vector<Index> at;
    Vec a;
    std::vector<Memo> memos = std::vector<Memo>(3);
    Vec predictions = Vec(3);
    double mean = 0;
  };
  std::map<Round, Waiting> waiting;
  Vec regret(3, 0.0);
  for (Round t = 1; t <= 600; ++t) {
    Waiting& now = waiting[t];
    for (Index i = 0; i < kDimension; ++i)
      if (random.uniform() < 0.5) {
        now.at.push_back(i);
        now.a.push_back(random.gaussian());
      }
    const Covector features = Covector::sparse(now.at, now.a);
    plain.play(t);
    const Vec w = plain.weights();
    for (std::size_t i = 0; i < 3; ++i)
      now.mean += w[i] * (now.predictions[i] = alone[i].play(t, &features, now.memos[i]));
    ASSERT_NEAR(model.apply(Play{features}).prediction, now.mean, 1e-9) << "round " << t;
    while (!waiting.empty() && random.uniform() < 0.45) {
      auto entry = waiting.begin();
      std::advance(entry, static_cast<long>(random.below(waiting.size())));
      const Waiting& then = entry->second;
      double label = 0.1 * random.gaussian();
      for (double a : then.a) label += 0.3 * a;
      model.apply(Label{entry->first, label});
      Vec losses;
      for (std::size_t i = 0; i < 3; ++i) {
        losses.push_back(std::pow(then.predictions[i] - label, 2));
        const double slope = 2 * (then.predictions[i] - label);
        Vec g = then.a;
        for (double& gi : g) gi *= slope;
        alone[i].receive(entry->first, {.gradient = Covector::sparse(then.at, g), .slope = slope}, then.memos[i]);
      }
      const double own = std::max(std::pow(then.mean - label, 2), *std::min_element(losses.begin(), losses.end()));
      const Vec saved = plain.receive(entry->first, losses, own);
      for (std::size_t i = 0; i < 3; ++i) regret[i] += saved[i];
      waiting.erase(entry);
    }
    for (double r : regret) ASSERT_LE(r, plain.bound() * (1 + 1e-9) + 1e-9) << "round " << t;
  }
}

// The features come with the label: bases are judged by what their decisions would have cost.
TEST(Hedge, JudgesDecisionsByTheLossWhereFeaturesComeLate) {
  RandomSequence random(17);
  Panel p = panel(3, random);
  Model model(L2Ball(3, 2), Hedge(SeparateBases(std::move(p.learners)), 3), SquaredLoss{});
  Plain plain(3);
  Vec x(3);
  for (Round t = 1; t <= 200; ++t) {
    plain.play(t);
    model.apply(Play{});
    model.write(x);
    const Vec w = plain.weights();
    for (std::size_t j = 0; j < 3; ++j)
      ASSERT_NEAR(x[j], w[0] * p.points[0][j] + w[1] * p.points[1][j] + w[2] * p.points[2][j], 1e-9) << "round " << t;
    if (t % 5 != 0) continue;  // five at a time, all played with the weights of the first
    for (Round k = t - 4; k <= t; ++k) {
      const Vec a = {random.gaussian(), random.gaussian(), random.gaussian()};
      const double label = Covector::dense(a).dot(p.points[1]) + 0.3 * random.gaussian();
      Vec losses;
      for (const Vec& point : p.points) losses.push_back(std::pow(Covector::dense(a).dot(point) - label, 2));
      const double own = std::pow(Covector::dense(a).dot(x) - label, 2);
      plain.receive(k, losses, std::max(own, *std::min_element(losses.begin(), losses.end())));
      model.apply(Label{k, label, Covector::dense(a)});
    }
  }
}

// Where only gradients come, a multiple of the features tells the slope, and nothing else moves the weights.
TEST(Hedge, LearnsWeightsFromGradientsThatAreMultiplesOfTheFeatures) {
  std::vector<AnyLearner> learners;
  learners.emplace_back(Fixed{{1, 0, 0}});
  learners.emplace_back(Fixed{{-1, 0, 0}});
  Model model(L2Ball(3, 1), Hedge(SeparateBases(std::move(learners)), 3));
  const std::vector<Index> at = {0, 2};
  const Vec a = {2, 1}, up = {-4, -2}, other = {-4, 2};
  EXPECT_EQ(model.apply(Play{Covector::sparse(at, a)}).prediction, 0);
  model.apply(Gradient{1, Covector::sparse(at, other)});
  EXPECT_EQ(model.apply(Play{Covector::sparse(at, a)}).prediction, 0);
  model.apply(Gradient{2, Covector::sparse(at, up)});  // −2 · features: the first base was right
  EXPECT_EQ(model.apply(Play{Covector::sparse(at, a)}).prediction, 2);
}

TEST(Hedge, SaysWhatIsWrong) {
  const auto refusal = [](const std::string& base, const AnySet& set) {
    return thrown_by([&] {
      const spec::Value value = spec::parse_json(R"({"type": "hedge", "learners": [)" + base + "]}");
      make_learner(spec::Node(value, "learner"), LearnerSetting{set, {}});
    });
  };
  const L2Ball ball(2, 1);
  EXPECT_EQ(refusal("", ball).code, Code::kBadSpec);
  for (const char* scale : {"0", "-1", "1.5", "2"})
    EXPECT_EQ(refusal(std::string(R"({"type": "gauge_ftrl", "scale": )") + scale + "}", ball).code, Code::kBadSpec);
  for (const char* scale : {"1", "0.5", "1e-3"})
    EXPECT_EQ(refusal(std::string(R"({"type": "gauge_ftrl", "scale": )") + scale + "}", ball).message,
              "nothing was thrown");
  EXPECT_EQ(refusal(R"({"type": "delayed_ofw", "eta": 1, "scale": 0.5})", Simplex(3)).code, Code::kUnsupported);
  EXPECT_EQ(refusal(R"({"type": "delayed_ofw", "eta": 1, "scale": 1})", Simplex(3)).message, "nothing was thrown");
}

TEST(Hedge, PlaysScaledBasesOnSmallerCopies) {
  const L2Ball ball(2, 1);
  const spec::Value value =
      spec::parse_json(R"({"type": "hedge", "learners": [{"type": "gauge_ftrl", "light": true, "scale": 0.25}]})");
  AnyLearner hedge = make_learner(spec::Node(value, "learner"), LearnerSetting{ball, {}});
  LpFtrl small(2, {2, 0.25});
  const Vec g = {1, -2};
  Vec x(2), y(2);
  for (Round t = 1; t <= 50; ++t) {
    Memo memo, own;
    hedge.play(t, nullptr, memo);
    small.play(t, nullptr, own);
    hedge.write(x);
    small.write(y);
    for (std::size_t i = 0; i < 2; ++i) ASSERT_NEAR(x[i], y[i], 1e-12);
    hedge.receive(t, {.gradient = Covector::dense(g)}, memo);
    small.receive(t, {.gradient = Covector::dense(g)}, own);
  }
  EXPECT_NEAR(std::hypot(x[0], x[1]), 0.25, 1e-9);
}

// What was kept for rounds without features goes when they are answered or given up.
TEST(Hedge, KeepsNothingOfSettledRounds) {
  RandomSequence random(11);
  Hedge hedge(SeparateBases(panel(4, random).learners), 3);
  const std::size_t empty = save_learner(hedge).size();
  std::map<Round, Memo> memos;
  for (Round t = 1; t <= 20; ++t) hedge.play(t, nullptr, memos[t]);
  EXPECT_GT(save_learner(hedge).size(), empty);
  for (const auto& [t, memo] : memos) {
    if (t % 2 == 0)
      hedge.abandon(t, memo);
    else
      hedge.receive(t, {.gradient = Covector::dense(Vec{1, 2, 3})}, memo);
  }
  EXPECT_EQ(save_learner(hedge).size(), empty);
}

}  // namespace
}  // namespace tarry
