// Several Frank-Wolfe steps per gradient: `oracle_calls`.
#include "tarry/learners/frank_wolfe/frank_wolfe.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tarry/base/random.h"
#include "tarry/geometry/dense_direction.h"
#include "tarry/lab/verify/verify.h"
#include "tarry/learners/registry.h"
#include "tarry/learners/snapshot.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

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

// The state written out: p, y and F(y) = ⟨p, y⟩ + (b/2)‖y‖², with as many steps as one likes.
class Plain {
 public:
  Plain(AnySet set, double eta, double beta) : set_(std::move(set)), eta_(eta), beta_(beta), y_(set_.start().dense()) {
    p_ = y_;
    for (double& x : p_) x *= beta > 0 ? 0 : -2;
  }

  void add(const Vec& g) {
    tau_ += 1;
    for (std::size_t i = 0; i < g.size(); ++i) p_[i] += beta_ > 0 ? g[i] - beta_ * y_[i] : eta_ * g[i];
  }
  double b() const { return beta_ > 0 ? beta_ * tau_ : 2; }
  double objective(const Vec& y) const {
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += p_[i] * y[i] + b() / 2 * y[i] * y[i];
    return sum;
  }
  // One step; returns the Frank-Wolfe gap before it, which is at least F(y) − min F.
  double descend() {
    Vec c = p_, v(y_.size());
    for (std::size_t i = 0; i < c.size(); ++i) c[i] += b() * y_[i];
    write(set_.oracle(DenseDirection(c, set_.shape())), v);
    double gap = 0, width = 0;
    for (std::size_t i = 0; i < c.size(); ++i) {
      gap += c[i] * (y_[i] - v[i]);
      width += (v[i] - y_[i]) * (v[i] - y_[i]);
    }
    const double sigma = gap > 0 && width > 0 ? std::min(1.0, gap / (b() * width)) : 0;
    for (std::size_t i = 0; i < c.size(); ++i) y_[i] += sigma * (v[i] - y_[i]);
    return gap;
  }
  double gap_at(const Vec& y) const {
    Plain copy = *this;
    copy.y_ = y;
    return std::max(0.0, copy.descend());
  }
  const Vec& y() const { return y_; }
  void adopt(const Vec& y) { y_ = y; }

 private:
  AnySet set_;
  double eta_, beta_, tau_ = 0;
  Vec p_, y_;
};

struct Case {
  const char* keys;
  double eta, beta;
};

const std::vector<Case> kCases = {{R"("type": "delayed_ofw", "eta": 0.3)", 0.3, 0},
                                  {R"("type": "delayed_ofw", "eta": 4)", 4, 0},
                                  {R"("type": "delayed_ofw_sc", "beta": 0.6)", 0, 0.6}};

std::string spec_of(const Case& c, int calls, const char* storage = "auto") {
  return std::string("{") + c.keys + R"(, "storage": ")" + storage + R"(", "oracle_calls": )" + std::to_string(calls) +
         "}";
}

Vec random_gradient(RandomSequence& random, Index n) {
  Vec g(static_cast<std::size_t>(n));
  for (double& x : g) x = random.gaussian();
  return g;
}

// Where the oracle's answer is unique the k steps are the plain ones, coordinate by coordinate.
TEST(OracleCalls, AreStepsOnTheSameObjective) {
  for (const char* json :
       {R"({"type": "l2_ball", "dimension": 5, "radius": 1.5})", R"({"type": "ellipsoid", "semi_axes": [1, 0.4, 2]})",
        R"({"type": "product", "parts": [{"type": "l2_ball", "dimension": 2, "radius": 1},
                               {"type": "lp_ball", "dimension": 3, "p": 1.5, "radius": 1}]})"})
    for (const Case& c : kCases)
      for (int calls : {1, 2, 5}) {
        const AnySet set = set_of(json);
        AnyLearner learner = learner_of(spec_of(c, calls), set);
        Plain plain(set, c.eta, c.beta);
        RandomSequence random(41);
        Vec y(static_cast<std::size_t>(set.dimension()));
        for (Round t = 1; t <= 60; ++t) {
          Memo memo;
          learner.play(t, nullptr, memo);
          const Vec g = random_gradient(random, set.dimension());
          learner.receive(t, {.gradient = Covector::dense(g)}, memo);
          plain.add(g);
          for (int i = 0; i < calls; ++i) plain.descend();
          learner.write(y);
          for (std::size_t i = 0; i < y.size(); ++i)
            ASSERT_NEAR(y[i], plain.y()[i], 1e-9) << json << c.keys << calls << " round " << t;
          plain.adopt(y);
        }
      }
}

// From one and the same state, more calls never end higher; over a run they leave smaller gaps on average.
TEST(OracleCalls, MoreOfThemLeaveSmallerGaps) {
  for (const char* json :
       {R"({"type": "l1_ball", "dimension": 12, "radius": 2})", R"({"type": "simplex", "dimension": 8})",
        R"({"type": "box", "lower": [-1, 0, -2], "upper": [1, 2, 0.5]})",
        R"({"type": "nuclear_ball", "rows": 3, "cols": 4, "radius": 1})",
        R"({"type": "product", "parts": [{"type": "l1_ball", "dimension": 4, "radius": 1},
            {"type": "simplex", "dimension": 5}]})"})
    for (const Case& c : kCases) {
      const AnySet set = set_of(json);
      Vec mean_gap;
      for (int calls : {1, 3, 10}) {
        AnyLearner learner = learner_of(spec_of(c, calls), set);
        Plain plain(set, c.eta, c.beta);
        RandomSequence random(43);
        Vec y(static_cast<std::size_t>(set.dimension())), fewer = y;
        double sum = 0;
        constexpr Round kRounds = 150;
        for (Round t = 1; t <= kRounds; ++t) {
          Memo memo;
          learner.play(t, nullptr, memo);
          const Vec g = random_gradient(random, set.dimension());
          AnyLearner once = learner_of(spec_of(c, 1), set);
          load_learner(once, save_learner(learner));
          const Feedback feedback{.gradient = Covector::dense(g)};
          learner.receive(t, feedback, memo);
          once.receive(t, feedback, memo);
          plain.add(g);
          learner.write(y);
          once.write(fewer);
          ASSERT_TRUE(set.contains(y, 1e-9));
          const double f = plain.objective(y), f_once = plain.objective(fewer);
          ASSERT_LE(f, f_once + 1e-9 * (1 + std::abs(f_once))) << json << c.keys << calls << " round " << t;
          sum += plain.gap_at(y);
          plain.adopt(y);
        }
        mean_gap.push_back(sum / kRounds);
      }
      EXPECT_LE(mean_gap[1], mean_gap[0] * (1 + 1e-9) + 1e-9) << json << c.keys;
      EXPECT_LE(mean_gap[2], mean_gap[1] * (1 + 1e-9) + 1e-9) << json << c.keys;
    }
}

TEST(OracleCalls, OneIsTheDefaultBitForBit) {
  for (const Case& c : kCases) {
    const AnySet set = set_of(R"({"type": "l1_ball", "dimension": 9, "radius": 1})");
    AnyLearner one = learner_of(spec_of(c, 1), set);
    AnyLearner unset = learner_of(std::string("{") + c.keys + "}", set);
    RandomSequence random(47);
    for (Round t = 1; t <= 50; ++t) {
      Memo memo;
      const Vec g = random_gradient(random, 9);
      for (AnyLearner* learner : {&one, &unset}) {
        learner->play(t, nullptr, memo);
        learner->receive(t, {.gradient = Covector::dense(g)}, memo);
      }
      ASSERT_EQ(save_learner(one), save_learner(unset));
    }
  }
}

TEST(OracleCalls, SparseAndDenseStoragesAgree) {
  const AnySet set = set_of(R"({"type": "l1_ball", "dimension": 400, "radius": 3})");
  for (const Case& c : kCases) {
    AnyLearner dense = learner_of(spec_of(c, 4, "dense"), set), sparse = learner_of(spec_of(c, 4, "sparse"), set);
    RandomSequence random(53);
    Plain plain(set, c.eta, c.beta);
    Vec y(400), z(400);
    for (Round t = 1; t <= 80; ++t) {
      Memo memo;
      std::vector<Index> at;
      for (Index i = static_cast<Index>(random.below(20)); i < 400; i += 1 + static_cast<Index>(random.below(90)))
        at.push_back(i);
      Vec g;
      for (std::size_t j = 0; j < at.size(); ++j) g.push_back(random.gaussian());
      Vec full(400, 0.0);
      Covector::sparse(at, g).add_to(full);
      plain.add(full);
      for (AnyLearner* learner : {&dense, &sparse}) {
        learner->play(t, nullptr, memo);
        learner->receive(t, {.gradient = Covector::sparse(at, g)}, memo);
      }
      dense.write(y);
      sparse.write(z);
      // Ties may fall either way; what was minimised may not.
      ASSERT_NEAR(plain.objective(y), plain.objective(z), 1e-6 * (1 + std::abs(plain.objective(y)))) << "round " << t;
      if (c.beta > 0) break;  // from here on p depends on y
    }
  }
}

TEST(OracleCalls, KeepTheBound) {
  for (const char* calls : {"1", "4"})
    for (const char* delay : {R"({"type": "none"})", R"({"type": "fixed", "delay": 17})"}) {
      Model model = lab::make_model(R"({"type": "l1_ball", "dimension": 4, "radius": 1})",
                                    std::string(R"({"type": "delayed_ofw", "horizon": 500, "gradient_bound": 1,)") +
                                        R"( "oracle_calls": )" + calls + "}");
      const auto delays = lab::delays_from(delay, 3);
      const double regret =
          lab::regret(model.set(), lab::play_raw(model, lab::random_stream(4, 1, 7), 500, *delays)).high;
      ASSERT_TRUE(model.certificate());
      EXPECT_LE(regret, *model.certificate());
    }
}

TEST(OracleCalls, AreAtLeastOne) {
  const AnySet set = set_of(R"({"type": "simplex", "dimension": 3})");
  EXPECT_ERROR(learner_of(R"({"type": "delayed_ofw", "eta": 1, "oracle_calls": 0})", set), Code::kBadSpec,
               "delayed_ofw: oracle_calls must be a whole number from 1 to 1048576 (oracle_calls = 0)");
}

}  // namespace
}  // namespace tarry
