#include "tarry/learners/leaders/box_ftrl.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tarry/base/random.h"
#include "tarry/lab/verify/verify.h"
#include "tarry/learners/snapshot.h"
#include "tarry/model/model.h"
#include "tarry/sets/balls/l2_ball.h"
#include "tarry/sets/polytopes/box.h"

namespace tarry {
namespace {

const Bounds kBox = {{-1, 0, -3, 2, 1}, {1, 0.5, 1, 2, 7}};  // one coordinate has no width

// SPEC §4 with full copies of ĝ and N for every outstanding round.
class Plain {
 public:
  explicit Plain(Bounds box, double rate) : box_(std::move(box)), rate_(rate) {
    for (Vec* x : {&g_, &n_, &a_, &s_, &w_}) x->assign(static_cast<std::size_t>(box_.dimension()), 0.0);
  }

  void play(Round t) { kept_[t] = {g_, n_}; }
  Vec decision() const {
    Vec x(g_.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double c = (box_.lower(static_cast<Index>(i)) + box_.upper(static_cast<Index>(i))) / 2,
                   r = (box_.upper(static_cast<Index>(i)) - box_.lower(static_cast<Index>(i))) / 2;
      x[i] = lambda(i) > 0 ? c - std::clamp(rate_ * r * g_[i] / (2 * std::sqrt(lambda(i))), -r, r) : c;
    }
    return x;
  }
  void receive(Round k, const Vec& g) {
    const auto [g_k, n_k] = kept_.at(k);
    for (std::size_t i = 0; i < g.size(); ++i) arrive(i, g[i], g_[i] - g_k[i], n_[i] - n_k[i]);
    kept_.erase(k);
  }
  // As if all that ever came had come during this round's wait, and on its side.
  void receive_at_worst(Round k, const Vec& g) {
    for (std::size_t i = 0; i < g.size(); ++i) arrive(i, g[i], std::copysign(n_[i], g[i]), n_[i]);
    kept_.erase(k);
  }
  double lambda(std::size_t i) const { return std::max(a_[i], std::min(s_[i], w_[i] * w_[i])); }
  double bound() const {
    double sum = 0;
    for (std::size_t i = 0; i < g_.size(); ++i) {
      const double r = (box_.upper(static_cast<Index>(i)) - box_.lower(static_cast<Index>(i))) / 2, rho = rate_ * r;
      if (r > 0) sum += (r * r / rho + rho + 2 * std::sqrt(2) * r) * std::sqrt(lambda(i));
    }
    return sum;
  }

 private:
  void arrive(std::size_t i, double q, double moved, double b) {
    a_[i] += std::max(0.0, q * (q + moved));
    s_[i] += std::fabs(q) * (std::fabs(q) + b);
    if (q != 0) w_[i] = std::max(w_[i], std::fabs(q) + b);
    n_[i] += std::fabs(q);
    g_[i] += q;
  }

  Bounds box_;
  double rate_;
  Vec g_, n_, a_, s_, w_;
  std::map<Round, std::pair<Vec, Vec>> kept_;
};

struct Features {
  std::vector<Index> at;
  Vec a;

  Covector covector() const { return Covector::sparse(at, a); }
};

Features random_features(RandomSequence& random, Index n) {
  Features f;
  for (Index i = 0; i < n; ++i)
    if (random.uniform() < 0.5) {
      f.at.push_back(i);
      f.a.push_back(random.gaussian() * (random.uniform() < 0.1 ? 30 : 1));
    }
  return f;
}

// How a round is played and answered.
enum class Form { kFeatures, kNoFeatures, kOther };

void compare(double rate, const std::vector<Form>& forms, std::uint64_t seed) {
  RandomSequence random(seed);
  BoxFtrl learner(kBox, rate);
  Plain plain(kBox, rate);
  struct Waiting {
    Memo memo;
    Features features;
    Form form;
  };
  std::map<Round, Waiting> waiting;
  Vec x(5);
  for (Round t = 1; t <= 800; ++t) {
    Waiting& now = waiting[t];
    now.features = random_features(random, 5);
    now.form = forms[random.below(forms.size())];
    const Covector features = now.features.covector();
    plain.play(t);
    const double prediction = learner.play(t, now.form == Form::kNoFeatures ? nullptr : &features, now.memo);
    learner.write(x);
    const Vec expected = plain.decision();
    for (std::size_t i = 0; i < 5; ++i) {
      ASSERT_NEAR(x[i], expected[i], 1e-12) << "round " << t;
      ASSERT_GE(x[i], kBox.lower(static_cast<Index>(i)) - 1e-12);
      ASSERT_LE(x[i], kBox.upper(static_cast<Index>(i)) + 1e-12);
    }
    if (now.form != Form::kNoFeatures) {
      ASSERT_NEAR(prediction, features.dot(x), 1e-11);
      ASSERT_EQ(now.memo.size(), 1 + 2 * features.stored());
    }
    while (!waiting.empty() && random.uniform() < 0.48) {
      auto entry = waiting.begin();
      std::advance(entry, static_cast<long>(random.below(waiting.size())));
      const auto& [memo, given, form] = entry->second;
      if (random.uniform() < 0.1) {
        learner.abandon(entry->first, memo);
        waiting.erase(entry);
        continue;
      }
      Features other = given;
      const double slope = random.gaussian();
      for (double& a : other.a) a *= slope;
      std::optional<double> known = slope;
      if (form == Form::kOther) {  // as many entries as the features, and others
        known.reset();
        for (std::size_t j = 0; j < other.at.size(); ++j) other.at[j] = static_cast<Index>(5 - other.at.size() + j);
      }
      Vec full(5, 0.0);
      other.covector().add_to(full);
      learner.receive(entry->first, {.gradient = other.covector(), .slope = known}, memo);
      if (form == Form::kOther)
        plain.receive_at_worst(entry->first, full);
      else
        plain.receive(entry->first, full);
      waiting.erase(entry);
    }
  }
}

TEST(BoxFtrl, FollowsTheSpecification) {
  for (double rate : {0.1, 1.0, 3.0}) {
    compare(rate, {Form::kFeatures}, 3);
    compare(rate, {Form::kNoFeatures}, 5);
    compare(rate, {Form::kFeatures, Form::kNoFeatures}, 7);
  }
}

// A gradient on other coordinates than the features': what its round saw of them was not kept.
TEST(BoxFtrl, TakesOtherGradientsAtTheirWorst) {
  compare(1, {Form::kOther}, 9);
  compare(0.5, {Form::kFeatures, Form::kNoFeatures, Form::kOther}, 11);
}

// The same through a model, which sees for itself whether a gradient is a multiple of the features.
TEST(BoxFtrl, KnowsThroughTheModelWhichGradientsAreOfTheFeaturesForm) {
  const Bounds box = {{-1, -1, -1}, {1, 1, 1}};
  Model model(Box(box), BoxFtrl(box, 1));
  Plain plain(box, 1);
  const std::vector<Index> at = {0, 1}, elsewhere = {1, 2};
  const Vec a = {2, -1}, multiple = {3, -1.5}, other = {3, -1.4};
  Vec x(3);
  for (Round t = 1; t <= 9; ++t) {
    model.apply(Play{Covector::sparse(at, a)});
    plain.play(t);
  }
  Round next = 1;
  const auto tell = [&](const std::vector<Index>& indices, const Vec& g, bool is_multiple) {
    Vec full(3, 0.0);
    Covector::sparse(indices, g).add_to(full);
    model.apply(Gradient{next, Covector::sparse(indices, g)});
    if (is_multiple)
      plain.receive(next, full);
    else
      plain.receive_at_worst(next, full);
    ++next;
  };
  for (int k = 0; k < 3; ++k) {
    tell(at, multiple, true);
    tell(at, other, false);
    tell(elsewhere, multiple, false);
  }
  model.apply(Play{});
  model.write(x);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(x[i], plain.decision()[i], 1e-12);
}

TEST(BoxFtrl, TheCertificateIsItsBound) {
  const Bounds box = {{-1, 0, 2}, {1, 3, 2}};
  Model model(Box(box), BoxFtrl(box, 0.7));
  Plain plain(box, 0.7);
  RandomSequence random(13);
  for (Round t = 1; t <= 40; ++t) {
    model.apply(Play{});
    plain.play(t);
    if (t <= 5) continue;
    const Vec g = {random.gaussian(), random.gaussian(), 0};
    model.apply(Gradient{t - 5, Covector::dense(g)});
    plain.receive(t - 5, g);
  }
  EXPECT_FALSE(model.certificate());  // five could still add to any Λ
  for (Round t = 36; t <= 40; ++t) {
    const Vec g = {1, -1, 0.5};
    model.apply(Gradient{t, Covector::dense(g)});
    plain.receive(t, g);
  }
  ASSERT_TRUE(model.certificate());
  EXPECT_NEAR(*model.certificate(), plain.bound(), 1e-9 * plain.bound());
}

TEST(BoxFtrl, StaysWithinItsBoundWhateverTheDelaysAndTheAdversary) {
  constexpr Round kRounds = 300;
  const Bounds box = {{-1, 0, -0.5}, {1, 1, 2}};
  const Box set(box);
  const Vec axis = {1, 0, 0}, diagonal = {0.6, -0.64, 0.48};
  for (double rate : {0.25, 1.0, 4.0})
    for (const char* delay :
         {R"({"type": "none"})", R"({"type": "fixed", "delay": 17})", R"({"type": "uniform", "low": 1, "high": 40})",
          R"({"type": "pareto", "shape": 1.2, "scale": 2})", R"({"type": "burst", "period": 25})",
          R"({"type": "growing", "exponent": 0.6})", R"({"type": "adversarial", "hold": 15})"})
      for (const lab::RawStream& stream :
           {lab::constant_stream(axis, 1), lab::constant_stream(diagonal, 1), lab::sign_block_stream(axis, 1, 17, 5),
            lab::sign_block_stream(diagonal, 1, 3, 6), lab::square_wave_stream(diagonal, 1, 34),
            lab::random_stream(3, 1, 7), lab::drifting_stream(3, 1, kRounds, 9), lab::adaptive_stream(1)}) {
        Model model(set, BoxFtrl(box, rate));
        const auto delays = lab::delays_from(delay, 11);
        const double regret = lab::regret(set, lab::play_raw(model, stream, kRounds, *delays)).high;
        const auto certificate = model.certificate();
        if (!certificate) continue;  // some are still out
        EXPECT_LE(regret, *certificate) << "rate " << rate << ", " << delay;
      }
}

TEST(BoxFtrl, ContinuesFromASnapshotBitForBit) {
  BoxFtrl learner(kBox, 1), copy(kBox, 1);
  RandomSequence random(17);
  std::map<Round, std::pair<Memo, Features>> waiting;
  Vec x(5), y(5);
  for (Round t = 1; t <= 90; ++t) {
    auto& [memo, features] = waiting[t];
    features = random_features(random, 5);
    const Covector given = features.covector();
    const Covector* shown = t % 3 == 0 ? nullptr : &given;
    learner.play(t, shown, memo);
    if (t > 40) {
      Memo same;
      copy.play(t, shown, same);
      EXPECT_EQ(same, memo);
    }
    if (t > 7) {
      const auto& [old_memo, old] = waiting.at(t - 7);
      if (t % 5 == 0) {
        learner.abandon(t - 7, old_memo);
        if (t > 40) copy.abandon(t - 7, old_memo);
      } else {
        const Feedback feedback{.gradient = old.covector(), .slope = 1};
        learner.receive(t - 7, feedback, old_memo);
        if (t > 40) copy.receive(t - 7, feedback, old_memo);
      }
      waiting.erase(t - 7);
    }
    if (t == 40) load_learner(copy, save_learner(learner));
    if (t < 40) continue;
    learner.write(x);
    copy.write(y);
    ASSERT_EQ(x, y);
  }
  EXPECT_EQ(save_learner(learner), save_learner(copy));
}

TEST(BoxFtrl, NeedsABox) {
  EXPECT_FALSE(lab::can_make(R"({"type": "l2_ball", "dimension": 2, "radius": 1})", R"({"type": "box_ftrl"})"));
  EXPECT_TRUE(lab::can_make(R"({"type": "linf_ball", "dimension": 2, "radius": 1})", R"({"type": "box_ftrl"})"));
}

}  // namespace
}  // namespace tarry
