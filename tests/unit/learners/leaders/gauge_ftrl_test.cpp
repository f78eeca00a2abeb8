#include "tarry/learners/leaders/gauge_ftrl.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "tarry/base/random.h"
#include "tarry/geometry/dense_direction.h"
#include "tarry/lab/verify/verify.h"
#include "tarry/linalg/norms.h"
#include "tarry/sets/balls/ellipsoid.h"
#include "tarry/sets/balls/l2_ball.h"
#include "tarry/sets/balls/lp_ball.h"

namespace tarry {
namespace {

struct Curved {
  const char* name;
  AnySet set;
  std::function<double(const Vec&)> gauge;
  double mu;  // by SPEC §7
};

std::vector<Curved> curved_sets() {
  const Vec axes = {1, 0.5, 2};
  return {{"l2", L2Ball(3, 1.5), [](const Vec& x) { return norm2(x) / 1.5; }, 1 / 2.25},
          {"lp 1.5", LpBall(3, 1.5, 2), [](const Vec& x) { return norm(x, 1.5) / 2; }, 0.5 / 4},
          {"lp 1.2", LpBall(2, 1.2, 1), [](const Vec& x) { return norm(x, 1.2); }, 0.2},
          {"ellipsoid", Ellipsoid(axes, {}),
           [axes](const Vec& x) {
             return std::sqrt(std::pow(x[0] / axes[0], 2) + std::pow(x[1] / axes[1], 2) + std::pow(x[2] / axes[2], 2));
           },
           1 / 4.0}};
}

// min over gauge(x) ≤ 1 of ⟨g, x⟩ + gauge(x)²/(2η), by search over rays and along each ray.
Vec brute_force_leader(const Curved& k, const Vec& g, double eta, RandomSequence& random) {
  const auto at = [&](const Vec& u, double s) {  // the point of gauge s on the ray of u
    Vec x = u;
    const double gauge = k.gauge(u);
    for (double& xi : x) xi *= s / gauge;
    return x;
  };
  const auto value = [&](const Vec& u, double s) {
    const Vec x = at(u, s);
    double sum = s * s / (2 * eta);
    for (std::size_t i = 0; i < x.size(); ++i) sum += g[i] * x[i];
    return sum;
  };
  const auto best_along = [&](const Vec& u) {
    double low = 0, high = 1;
    for (int step = 0; step < 60; ++step) {
      const double a = low + (high - low) / 3, b = high - (high - low) / 3;
      (value(u, a) < value(u, b) ? high : low) = value(u, a) < value(u, b) ? b : a;
    }
    return (low + high) / 2;
  };
  Vec best(g.size());
  for (std::size_t i = 0; i < g.size(); ++i) best[i] = -g[i];
  double best_value = value(best, best_along(best));
  for (double reach = 1; reach > 1e-7; reach *= 0.7)
    for (int attempt = 0; attempt < 25; ++attempt) {
      Vec u = best;
      for (double& x : u) x += reach * random.gaussian();
      if (const double v = value(u, best_along(u)); v < best_value) {
        best = u;
        best_value = v;
      }
    }
  return at(best, best_along(best));
}

TEST(GaugeFtrl, IsTheRegularisedLeader) {
  RandomSequence random(3);
  for (const Curved& k : curved_sets())
    for (double eta : {0.02, 0.3, 5.0}) {
      SCOPED_TRACE(k.name);
      GaugeFtrl learner(k.set, GaugeStep::kFixed, eta);
      const auto n = static_cast<std::size_t>(k.set.dimension());
      Vec sum(n, 0), x(n);
      for (Round t = 1; t <= 4; ++t) {
        Memo memo;
        learner.play(t, nullptr, memo);
        learner.write(x);
        if (t == 1) {
          EXPECT_EQ(x, Vec(n, 0.0));
        } else {
          const Vec leader = brute_force_leader(k, sum, eta, random);
          for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(x[i], leader[i], 1e-4) << "eta " << eta << ", round " << t;
        }
        Vec g(n);
        for (std::size_t i = 0; i < n; ++i) sum[i] += g[i] = random.gaussian();
        learner.receive(t, {.gradient = Covector::dense(g)}, memo);
      }
    }
}

TEST(GaugeFtrl, TheSetsSayTheCurvatureOfTheSpecification) {
  for (const Curved& k : curved_sets()) EXPECT_NEAR(*k.set.gauge_curvature(), k.mu, 1e-12) << k.name;
}

// SPEC §4 with a full copy of ĝ and N for every outstanding round.
class PlainAdaptive {
 public:
  PlainAdaptive(AnySet set, bool light) : set_(std::move(set)), light_(light) {
    g_.assign(static_cast<std::size_t>(set_.dimension()), 0.0);
  }

  Vec play(Round t) {
    kept_[t] = {n_, g_};
    const double lambda = this->lambda();
    Vec x(g_.size(), 0.0);
    if (lambda == 0 || norm2(g_) == 0) return x;
    write(set_.oracle(DenseDirection(g_, set_.shape())), x);
    double h = 0;
    for (std::size_t i = 0; i < x.size(); ++i) h -= g_[i] * x[i];
    const double factor = std::min(1.0, h * std::sqrt(*set_.gauge_curvature()) / (2 * std::sqrt(lambda)));
    for (double& xi : x) xi *= factor;
    return x;
  }

  void receive(Round k, const Vec& g) {
    const auto [n_k, g_k] = kept_.at(k);
    const double q = norm2(g), b = n_ - n_k;
    Vec moved = g;
    for (std::size_t i = 0; i < g.size(); ++i) moved[i] += g_[i] - g_k[i];
    a_ += q * norm2(moved);
    s_ += q * (q + b);
    w_ = std::max(w_, q + b);
    n_ += q;
    for (std::size_t i = 0; i < g.size(); ++i) g_[i] += g[i];
    kept_.erase(k);
  }

  double lambda() const { return light_ ? s_ : std::max(a_, std::min(s_, w_ * w_)); }

 private:
  AnySet set_;
  bool light_;
  Vec g_;
  double n_ = 0, a_ = 0, s_ = 0, w_ = 0;
  std::map<Round, std::pair<double, Vec>> kept_;
};

TEST(GaugeFtrl, AdaptsAsTheSpecificationSays) {
  RandomSequence random(5);
  for (const bool light : {false, true})
    for (const Curved& k : curved_sets()) {
      SCOPED_TRACE(k.name);
      GaugeFtrl learner(k.set, light ? GaugeStep::kLight : GaugeStep::kAdaptive, 0);
      PlainAdaptive plain(k.set, light);
      const auto n = static_cast<std::size_t>(k.set.dimension());
      std::map<Round, Memo> memos;
      Vec x(n);
      for (Round t = 1; t <= 200; ++t) {
        learner.play(t, nullptr, memos[t]);
        learner.write(x);
        const Vec expected = plain.play(t);
        for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(x[i], expected[i], 1e-11) << "round " << t;
        while (!memos.empty() && random.uniform() < 0.48) {  // any outstanding round, whatever its age
          auto entry = memos.begin();
          std::advance(entry, static_cast<long>(random.below(memos.size())));
          Vec g(n);
          for (double& gi : g) gi = random.gaussian() * (random.uniform() < 0.1 ? 20 : 1);
          if (random.uniform() < 0.1) {
            learner.abandon(entry->first, entry->second);
          } else {
            learner.receive(entry->first, {.gradient = Covector::dense(g)}, entry->second);
            plain.receive(entry->first, g);
          }
          memos.erase(entry);
        }
      }
    }
}

TEST(GaugeFtrl, TheAnytimeStepCountsTheRoundsOutstanding) {
  const L2Ball set(2, 1);
  GaugeFtrl learner(set, GaugeStep::kAnytime, 2);
  std::map<Round, Memo> memos;
  Vec x(2), sum(2, 0.0);
  double weighted = 0;
  RandomSequence random(6);
  for (Round t = 1; t <= 60; ++t) {
    weighted += static_cast<double>(memos.size()) + 0.5;
    learner.play(t, nullptr, memos[t]);
    learner.write(x);
    const double length = norm2(sum), factor = std::min(1.0, length / (2 * 2 * std::sqrt(weighted)));
    for (std::size_t i = 0; i < 2; ++i)
      ASSERT_NEAR(x[i], length > 0 ? -factor * sum[i] / length : 0, 1e-12) << "round " << t;
    while (!memos.empty() && random.uniform() < 0.45) {
      const Vec g = {random.uniform(-1, 1), random.uniform(-1, 1)};
      learner.receive(memos.begin()->first, {.gradient = Covector::dense(g)}, memos.begin()->second);
      memos.erase(memos.begin());
      for (std::size_t i = 0; i < 2; ++i) sum[i] += g[i];
    }
  }
}

// ---- regret

const std::vector<std::string> kDelays = {
    R"({"type": "none"})",
    R"({"type": "fixed", "delay": 17})",
    R"({"type": "uniform", "low": 1, "high": 40})",
    R"({"type": "geometric", "mean": 12})",
    R"({"type": "pareto", "shape": 1.2, "scale": 2})",
    R"({"type": "burst", "period": 25})",
    R"({"type": "growing", "exponent": 0.6})",
    R"({"type": "adversarial", "hold": 15})",
    R"({"type": "geometric", "mean": 12, "lost": 0.2})",
};

std::vector<lab::RawStream> streams(Index n, Round rounds) {
  Vec axis(static_cast<std::size_t>(n), 0.0);
  axis[0] = 1;
  return {lab::constant_stream(axis, 1), lab::sign_block_stream(axis, 1, 17, 5), lab::square_wave_stream(axis, 1, 34),
          lab::random_stream(n, 1, 7),   lab::drifting_stream(n, 1, rounds, 9),  lab::adaptive_stream(1)};
}

TEST(GaugeFtrl, StaysWithinItsBoundWhateverTheDelaysAndTheAdversary) {
  constexpr Round kRounds = 300;
  for (const Curved& k : curved_sets())
    for (const auto& [step, value] : std::vector<std::pair<GaugeStep, double>>{
             {GaugeStep::kFixed, 0.05}, {GaugeStep::kAnytime, 1}, {GaugeStep::kAdaptive, 0}, {GaugeStep::kLight, 0}})
      for (const std::string& delay : kDelays)
        for (const lab::RawStream& stream : streams(k.set.dimension(), kRounds)) {
          Model model(k.set, GaugeFtrl(k.set, step, value));
          const auto delays = lab::delays_from(delay, 11);
          const double regret = lab::regret(k.set, lab::play_raw(model, stream, kRounds, *delays)).high;
          const double outstanding = model.ledger().delays().sum_outstanding, t = kRounds;
          const double weighted = outstanding + t / 2, root = std::sqrt((t + outstanding) / k.mu);
          const double bound = step == GaugeStep::kFixed     ? 1 / (2 * value) + value / k.mu * weighted
                               : step == GaugeStep::kAnytime ? 2 * std::sqrt(weighted / k.mu)
                                                             : 4.83 * root;
          EXPECT_LE(regret, bound) << k.name << ", " << delay;
          ASSERT_TRUE(model.certificate());
          EXPECT_LE(regret, *model.certificate()) << k.name << ", " << delay;
          EXPECT_LE(*model.certificate(), bound * (1 + 1e-9)) << k.name << ", " << delay;
        }
}

double regret_of(const std::string& learner, const lab::RawStream& stream, Round rounds, Round delay) {
  Model model = lab::make_model(R"({"type": "l2_ball", "dimension": 3, "radius": 1})", learner);
  const auto delays = lab::delays_from(R"({"type": "fixed", "delay": )" + std::to_string(delay) + "}", 1);
  return lab::regret(model.set(), lab::play_raw(model, stream, rounds, *delays)).high;
}

// √(d T) against T^{2/3}: on a long constant stream the difference is plain.
TEST(GaugeFtrl, BeatsAlgorithmOneOnLongConstantStreams) {
  for (Round delay : {1u, 5u, 20u})
    for (Round rounds : {4000u, 32000u}) {
      const lab::RawStream constant = lab::constant_stream({0.6, 0, 0.8}, 1);
      const std::string t = std::to_string(rounds);
      const double ofw = regret_of(
          R"({"type": "delayed_ofw", "horizon": )" + t + R"(, "gradient_bound": 1, "setting": "strongly_convex_set"})",
          constant, rounds, delay);
      for (const char* spec : {R"({"type": "gauge_ftrl"})", R"({"type": "gauge_ftrl", "gradient_bound": 1})"})
        EXPECT_LT(regret_of(spec, constant, rounds, delay), 0.8 * ofw) << spec << ", d = " << delay << ", T = " << t;
    }
}

}  // namespace
}  // namespace tarry
