#include "tarry/learners/leaders/lp_ftrl.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <map>

#include "tarry/base/random.h"
#include "tarry/lab/verify/verify.h"
#include "tarry/learners/leaders/gauge_ftrl.h"
#include "tarry/learners/snapshot.h"
#include "tarry/linalg/norms.h"
#include "tarry/sets/balls/l2_ball.h"
#include "tarry/sets/balls/lp_ball.h"

namespace tarry {
namespace {

using Real = long double;

// The closed form from all gradients, in extended precision, with nothing kept but ĝ, N and S.
class PlainLeader {
 public:
  PlainLeader(Index n, LpShape ball) : ball_(ball), q_(ball.p / (ball.p - 1)), g_(static_cast<std::size_t>(n), 0.0) {}

  void play(Round t) { kept_[t] = n_; }
  void receive(Round t, const Covector& gradient) {
    Vec full(g_.size(), 0.0);
    gradient.add_to(full);
    const Real size = norm(full);
    s_ += size * (size + n_ - kept_.at(t));
    n_ += size;
    kept_.erase(t);
    for (std::size_t i = 0; i < full.size(); ++i) g_[i] += full[i];  // in double, as the learner's own sum
  }
  std::vector<Real> decision() const {
    std::vector<Real> x(g_.size(), 0);
    const Real size = norm(g_);
    if (size == 0 || s_ == 0) return x;
    const Real factor = std::min<Real>(1, std::sqrt(Real(ball_.p) - 1) * size / (2 * std::sqrt(s_)));
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = -factor * ball_.radius * std::copysign(std::pow(std::fabs(Real(g_[i])) / size, q_ - 1), Real(g_[i]));
    return x;
  }
  Real s() const { return s_; }

 private:
  Real norm(const Vec& x) const {
    Real most = 0, sum = 0;
    for (double xi : x) most = std::max<Real>(most, std::fabs(xi));
    if (most == 0) return 0;
    for (double xi : x) sum += std::pow(std::fabs(Real(xi)) / most, q_);
    return most * std::pow(sum, 1 / q_);
  }

  LpShape ball_;
  Real q_;
  Vec g_;
  Real n_ = 0, s_ = 0;
  std::map<Round, Real> kept_;
};

constexpr double kExponents[] = {1.05, 1.5, 2};

// Both, side by side.
class Pair {
 public:
  Pair(Index n, LpShape ball) : ball_(ball), learner_(n, ball), plain_(n, ball), x_(static_cast<std::size_t>(n)) {}

  void play(Round t) {
    learner_.play(t, nullptr, memos_[t]);
    plain_.play(t);
  }
  void receive(Round t, const Covector& g) {
    learner_.receive(t, {.gradient = g}, memos_.at(t));
    plain_.receive(t, g);
    memos_.erase(t);
  }
  void round(const Covector& g) {
    play(++t_);
    receive(t_, g);
  }
  void expect_same(double tolerance) {
    learner_.write(x_);
    const std::vector<Real> expected = plain_.decision();
    for (std::size_t i = 0; i < x_.size(); ++i)
      ASSERT_NEAR(x_[i], static_cast<double>(expected[i]), tolerance * ball_.radius) << "coordinate " << i;
    ASSERT_LE(norm(x_, ball_.p), ball_.radius * (1 + 1e-9));
  }
  const Vec& x() const { return x_; }
  LpFtrl& learner() { return learner_; }
  std::map<Round, Memo>& memos() { return memos_; }
  const PlainLeader& plain() const { return plain_; }

 private:
  LpShape ball_;
  LpFtrl learner_;
  PlainLeader plain_;
  std::map<Round, Memo> memos_;
  Round t_ = 0;
  Vec x_;
};

TEST(LpFtrl, IsTheClosedFormUnderDelays) {
  for (double p : kExponents) {
    RandomSequence random(3);
    Pair both(7, {p, 1.5});
    for (Round t = 1; t <= 3000; ++t) {
      both.play(t);
      while (!both.memos().empty() && random.uniform() < 0.49) {
        auto entry = both.memos().begin();
        std::advance(entry, static_cast<long>(random.below(both.memos().size())));
        if (random.uniform() < 0.1) {
          both.learner().abandon(entry->first, entry->second);
          both.memos().erase(entry);
          continue;
        }
        Vec g(7, 0.0);
        for (double& gi : g)
          if (random.uniform() < 0.6) gi = random.gaussian();
        both.receive(entry->first, Covector::dense(g));
      }
      SCOPED_TRACE(testing::Message() << "p " << p << ", round " << t);
      ASSERT_NO_FATAL_FAILURE(both.expect_same(1e-9));
    }
  }
}

// Up and down again: what is left of a sum may be far smaller than what it was.
TEST(LpFtrl, SurvivesSumsThatCancel) {
  for (double p : kExponents)
    for (double peak : {1e1, 1e3, 1e8, 1e40}) {
      RandomSequence random(5);
      Pair both(5, {p, 2});
      for (int cycle = 0; cycle < 4; ++cycle) {
        Vec sum(5, 0.0);
        for (int k = 0; k < 30; ++k) {
          Vec g(5);
          for (std::size_t i = 0; i < 5; ++i) sum[i] += g[i] = peak * random.gaussian();
          both.round(Covector::dense(g));
        }
        SCOPED_TRACE(testing::Message() << "p " << p << ", peak " << peak << ", cycle " << cycle);
        ASSERT_NO_FATAL_FAILURE(both.expect_same(1e-9));
        for (double& x : sum) x = -x;
        both.round(Covector::dense(sum));  // to zero, or what rounding leaves
        ASSERT_NO_FATAL_FAILURE(both.expect_same(1e-9));
        const Vec small = {1, -0.5, 0, 0.25, 1e-3};
        both.round(Covector::dense(small));
        ASSERT_NO_FATAL_FAILURE(both.expect_same(1e-9));
        const Vec back = {-1, 0.5, 0, -0.25, -1e-3};
        both.round(Covector::dense(back));
        ASSERT_NO_FATAL_FAILURE(both.expect_same(1e-9));
      }
    }
}

// S stays small while the sum swings a thousandfold: steps are never so short that the norm does not matter.
TEST(LpFtrl, SurvivesSlowSwings) {
  for (double p : {1.02, 1.05, 1.5, 2.0}) {
    Pair both(3, {p, 1});
    for (int swing = 0; swing < 6; ++swing)
      for (int k = 0; k < 400; ++k) {
        const double way = k < 200 ? 1 : -1;
        const Vec g = {way * (0.1 + 0.01 * (k % 7)), 0, k % 50 == 0 ? 0.3 * way : 0};
        both.round(Covector::dense(g));
        SCOPED_TRACE(testing::Message() << "p " << p << ", swing " << swing << ", step " << k);
        ASSERT_NO_FATAL_FAILURE(both.expect_same(1e-9));
      }
  }
}

TEST(LpFtrl, TakesGradientsOfAnySize) {
  for (double p : kExponents)
    for (double size : {1e-140, 1e-30, 1e30, 1e100}) {
      RandomSequence random(7);
      Pair both(4, {p, 0.3});
      for (int k = 0; k < 200; ++k) {
        Vec g(4);
        for (double& gi : g) gi = size * random.uniform(-1, 1);
        both.round(Covector::dense(g));
        SCOPED_TRACE(testing::Message() << "p " << p << ", size " << size << ", round " << k);
        ASSERT_NO_FATAL_FAILURE(both.expect_same(1e-9));
      }
    }
}

TEST(LpFtrl, RisesThroughManyScales) {
  for (double p : kExponents) {
    Pair both(3, {p, 1});
    RandomSequence random(9);
    for (int k = -120; k <= 95; ++k) {
      const double size = std::pow(10.0, k);
      const Vec g = {size * random.gaussian(), size * random.gaussian(), size / 7};
      both.round(Covector::dense(g));
      SCOPED_TRACE(testing::Message() << "p " << p << ", size 1e" << k);
      ASSERT_NO_FATAL_FAILURE(both.expect_same(1e-9));
    }
  }
}

// With an exponent so near 1 that powers of one half underflow.
TEST(LpFtrl, StandsExponentsNextToOne) {
  Pair both(3, {1.0005, 1});
  for (const Vec& g : {Vec{0.7, 0.1, -0.2}, Vec{0.5, 0.3, 0}, Vec{-1, -0.3, 0.1}, Vec{-0.4, 0, 0.05}}) {
    both.round(Covector::dense(g));
    ASSERT_NO_FATAL_FAILURE(both.expect_same(1e-9));
  }
}

TEST(LpFtrl, IsTheLightGaugeFtrlOnTheL2Ball) {
  const L2Ball set(6, 1.7);
  LpFtrl here(6, {2, 1.7});
  GaugeFtrl there(set, GaugeStep::kLight, 0);
  RandomSequence random(11);
  std::map<Round, std::pair<Memo, Memo>> memos;
  Vec x(6), y(6);
  for (Round t = 1; t <= 2000; ++t) {
    here.play(t, nullptr, memos[t].first);
    there.play(t, nullptr, memos[t].second);
    here.write(x);
    there.write(y);
    for (std::size_t i = 0; i < 6; ++i) ASSERT_NEAR(x[i], y[i], 1e-9) << "round " << t;
    while (!memos.empty() && random.uniform() < 0.49) {
      auto entry = memos.begin();
      std::advance(entry, static_cast<long>(random.below(memos.size())));
      Vec g(6);
      for (double& gi : g) gi = random.gaussian() * (random.uniform() < 0.05 ? 50 : 1);
      here.receive(entry->first, {.gradient = Covector::dense(g)}, entry->second.first);
      there.receive(entry->first, {.gradient = Covector::dense(g)}, entry->second.second);
      memos.erase(entry);
    }
  }
}

TEST(LpFtrl, PredictsWhatItWouldWrite) {
  constexpr Index kDimension = 50;
  for (double p : kExponents) {
    LpFtrl learner(kDimension, {p, 1});
    RandomSequence random(13);
    Vec x(kDimension);
    for (Round t = 1; t <= 500; ++t) {
      std::vector<Index> at;
      Vec a;
      for (Index i = 0; i < kDimension; ++i)
        if (random.uniform() < 0.1) {
          at.push_back(i);
          a.push_back(random.gaussian());
        }
      const Covector features = Covector::sparse(at, a);
      Memo memo;
      const double prediction = learner.play(t, &features, memo);
      EXPECT_EQ(memo.size(), 1u);
      learner.write(x);
      ASSERT_NEAR(prediction, features.dot(x), 1e-12) << "round " << t;
      const double slope = prediction > 0.2 ? 1 : -1;
      for (double& ai : a) ai *= slope;
      learner.receive(t, {.gradient = Covector::sparse(at, a), .slope = slope}, memo);
    }
  }
}

TEST(LpFtrl, TheCertificateIsItsBoundAtS) {
  for (double p : kExponents) {
    Pair both(4, {p, 2});
    RandomSequence random(17);
    for (int k = 0; k < 50; ++k) {
      const Vec g = {random.gaussian(), random.gaussian(), 0, 1};
      both.round(Covector::dense(g));
    }
    const double expected =
        2 * (2 / std::sqrt(p - 1) + 2 * std::sqrt(2)) * std::sqrt(static_cast<double>(both.plain().s()));
    EXPECT_NEAR(*both.learner().bound({.rounds = 50, .gradient_bound = 9}), expected, 1e-9 * expected);
  }
}

TEST(LpFtrl, StaysWithinItsBound) {
  constexpr Round kRounds = 300;
  const Vec axis = {1, 0, 0};
  for (double p : kExponents)
    for (const char* delay : {R"({"type": "none"})", R"({"type": "fixed", "delay": 17})",
                              R"({"type": "pareto", "shape": 1.2, "scale": 2})", R"({"type": "burst", "period": 25})",
                              R"({"type": "adversarial", "hold": 15})", R"({"type": "geometric", "mean": 12})"})
      for (const lab::RawStream& stream :
           {lab::constant_stream(axis, 1), lab::sign_block_stream(axis, 1, 17, 5), lab::square_wave_stream(axis, 1, 34),
            lab::random_stream(3, 1, 7), lab::drifting_stream(3, 1, kRounds, 9), lab::adaptive_stream(1)}) {
        const LpBall set(3, p, 1.5);
        Model model(set, LpFtrl(3, {p, 1.5}));
        const auto delays = lab::delays_from(delay, 11);
        const double regret = lab::regret(set, lab::play_raw(model, stream, kRounds, *delays)).high;
        ASSERT_TRUE(model.certificate());
        EXPECT_LE(regret, *model.certificate()) << "p " << p << ", " << delay;
      }
}

TEST(LpFtrl, ContinuesFromASnapshotBitForBit) {
  LpFtrl learner(5, {1.3, 1}), copy(5, {1.3, 1});
  RandomSequence random(19);
  std::map<Round, Memo> memos;
  Vec x(5), y(5);
  for (Round t = 1; t <= 120; ++t) {
    learner.play(t, nullptr, memos[t]);
    if (t > 60) {
      Memo same;
      copy.play(t, nullptr, same);
      EXPECT_EQ(same, memos[t]);
    }
    if (t > 8) {
      Vec g(5);
      for (double& gi : g) gi = random.gaussian();
      learner.receive(t - 8, {.gradient = Covector::dense(g)}, memos.at(t - 8));
      if (t > 60) copy.receive(t - 8, {.gradient = Covector::dense(g)}, memos.at(t - 8));
    }
    if (t == 60) load_learner(copy, save_learner(learner));
    if (t < 60) continue;
    learner.write(x);
    copy.write(y);
    ASSERT_EQ(x, y);
  }
  EXPECT_EQ(save_learner(learner), save_learner(copy));
}

// Alternating gradients undo each other: even then nothing may look at all n coordinates.
TEST(LpFtrl, CostsTheFeaturesWhateverTheDimension) {
  const auto seconds = [](Index n, double p) {
    LpFtrl learner(n, {p, 1});
    const std::vector<Index> at = {3, 17, 900, 4000};
    const Vec a = {1, -0.5, 0.25, 2};
    const Covector features = Covector::sparse(at, a);
    double best = INFINITY, sum = 0;
    for (int attempt = 0; attempt < 5; ++attempt) {
      const auto begin = std::chrono::steady_clock::now();
      for (Round t = 1; t <= 2000; ++t) {
        Memo memo;
        sum += learner.play(t, &features, memo);
        Vec g = a;
        for (double& x : g) x *= t % 2 == 1 ? 1 : -1;
        learner.receive(t, {.gradient = Covector::sparse(at, g)}, memo);
      }
      best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    EXPECT_TRUE(std::isfinite(sum));
    return best;
  };
  for (double p : {2.0, 1.07}) EXPECT_LT(seconds(Index{1} << 20, p), 4 * seconds(Index{1} << 12, p) + 1e-3) << p;
}

}  // namespace
}  // namespace tarry
