// Planted streams of late labels, with the truth of every row known: the task `binary`, told nothing, beside what
// honest baselines make of the same labels, in loss and in calibration.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>

#include "sanitized.h"
#include "tarry/base/random.h"
#include "tarry/model/model.h"
#include "tarry/model/model_spec.h"

namespace tarry {
namespace {

constexpr Round kStoryRounds = 30000;
constexpr double kNever = 1e18;

struct Planted {
  double x;
  bool a;  // of a feature with the values a and b
  double chance;
  bool label;
  double due;
};

// What decides a row: the chance of a positive, and the delay of its label.
struct Draw {
  RandomSequence& random;
  double t, x;
  bool a;
  double after(double mean) { return -mean * std::log(1 - random.uniform()); }
  bool with(double chance) { return random.uniform() < chance; }
};

double sigmoid(double margin) { return 1 / (1 + std::exp(-margin)); }

struct Scenario {
  std::string name;
  std::function<double(Draw&)> chance;
  std::function<double(Draw&, bool)> delay;
  bool by_class = false;  // delays depend on the class, given the features
  bool knowable = true;   // from the data
  double whole = 1.1;     // of the best baseline's loss, at most
};

std::vector<Scenario> scenarios() {
  const auto usual = [](Draw& d) { return sigmoid(-1 + d.x); };
  const auto rare = [](Draw& d) { return sigmoid(-5 + d.x); };
  const auto by_a = [](Draw& d) { return d.a ? 0.7 : 0.02; };
  return {
      {"independent", usual, [](Draw& d, bool) { return d.after(1000); }},
      {"rare_lost", rare, [](Draw& d, bool) { return d.with(0.1) ? kNever : d.after(300); }},
      {"rare_tail", rare, [](Draw& d, bool) { return d.after(d.with(0.9) ? 300 : 30000); }},
      {"outage", rare, [](Draw& d, bool) { return d.t >= 5000 && d.t < 7000 ? kNever : d.after(200); }},
      {"negatives_lost", [](Draw&) { return 0.02; },
       [](Draw& d, bool y) { return !y && d.with(0.5) ? kNever : d.after(100); }, true, false},
      {"conversions", [](Draw& d) { return sigmoid(-1.5 + d.x); },
       [](Draw& d, bool y) { return y ? std::min(3000.0, d.after(300)) : 3000; }, true},
      {"chargebacks", rare, [](Draw& d, bool y) { return y ? 3000 + 5990 * d.random.uniform() : 9000; }, true, true,
       0.9},
      {"positives_late", usual, [](Draw& d, bool y) { return d.after(y ? 5000 : 100); }, true},
      {"speed_up", usual, [](Draw& d, bool y) { return d.after(d.t >= 15000 ? 20
                                                               : y          ? 10000
                                                                            : 200); }, true},
      {"slow_down", usual, [](Draw& d, bool y) { return d.after(y && d.t >= 10000 ? 8000 : 100); }, true},
      {"by_feature", by_a, [](Draw& d, bool) { return d.after(d.a ? 8000 : 50); }},
      {"by_feature_lost", by_a, [](Draw& d, bool) { return d.a && d.with(0.9) ? kNever : d.after(50); }},
      {"by_both", [](Draw& d) { return sigmoid(-1 + d.x + (d.a ? 1 : -0.5)); },
       [](Draw& d, bool y) { return d.after(d.a == y ? 5000 : 100); }, true},
      {"mondays", [](Draw& d) { return sigmoid(-3 + d.x); },
       [](Draw& d, bool) { return 700 - std::fmod(d.t, 700) + 0.5; }},
      {"new_office", usual,
       [](Draw& d, bool) { return d.after(200) + (d.t >= 10000 && d.t < 20000 ? 20000 - d.t : 0); }},
  };
}

std::vector<Planted> planted(const Scenario& scenario, std::uint64_t seed) {
  RandomSequence random(seed);
  std::vector<Planted> rows;
  for (Round t = 0; t < kStoryRounds; ++t) {
    Draw draw{random, static_cast<double>(t), random.gaussian(), random.uniform() < 0.3};
    const double chance = scenario.chance(draw);
    const bool label = random.uniform() < chance;
    rows.push_back({draw.x, draw.a, chance, label, draw.t + scenario.delay(draw, label)});
  }
  return rows;
}

// Predictions of all rows; labels are told when they are due, or `wait` rounds after the play where that is later.
template <class Predict, class Learn>
Vec played(const std::vector<Planted>& rows, double wait, Predict predict, Learn learn) {
  std::priority_queue<std::pair<double, std::size_t>, std::vector<std::pair<double, std::size_t>>, std::greater<>> due;
  Vec predictions;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    const auto now = static_cast<double>(t);
    for (; !due.empty() && due.top().first < now; due.pop()) learn(due.top().second, rows[due.top().second].label);
    predictions.push_back(predict(rows[t]));
    if (rows[t].due < kNever) due.push({std::max(rows[t].due, now + wait), t});
  }
  return predictions;
}

Vec by_model(const std::vector<Planted>& rows, const std::string& spec) {
  Model model = make_model(ModelSpec::parse(spec));
  const auto predict = [&](const Planted& row) {
    const NamedFeatures features{{"x", row.x}, {"z", std::string(row.a ? "a" : "b")}};
    return model.shown(model.play(FeaturesView(features)).prediction);
  };
  return played(rows, 0, predict, [&](std::size_t t, bool y) { model.apply(Label{t + 1, y}); });
}

Vec by_share(const std::vector<Planted>& rows) {
  double labels = 1, positives = 0.5;
  return played(
      rows, 0, [&](const Planted&) { return positives / labels; },
      [&](std::size_t, bool y) {
        labels += 1;
        positives += y ? 1 : 0;
      });
}

Vec by_adagrad(const std::vector<Planted>& rows, double rate, double wait) {
  Vec w(4, 0.0), squares(4, 1.0);
  const auto row_of = [](const Planted& row) { return Vec{1, row.x, row.a ? 1.0 : 0.0, row.a ? 0.0 : 1.0}; };
  const auto predict = [&](const Planted& row) {
    const Vec x = row_of(row);
    return sigmoid(std::clamp(w[0] * x[0] + w[1] * x[1] + w[2] * x[2] + w[3] * x[3], -30.0, 30.0));
  };
  return played(rows, wait, predict, [&](std::size_t t, bool y) {
    const Vec x = row_of(rows[t]);
    const double slope = predict(rows[t]) - (y ? 1 : 0);
    for (std::size_t i = 0; i < 4; ++i) {
      squares[i] += slope * x[i] * slope * x[i];
      w[i] -= rate * slope * x[i] / std::sqrt(squares[i]);
    }
  });
}

struct Judged {
  double whole = 0, second_half = 0, predicted = 0, planted = 0;
};

Judged judged(const std::vector<Planted>& rows, const Vec& predictions) {
  Judged sum;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    const double p = std::clamp(predictions[t], 1e-12, 1 - 1e-12), loss = -std::log(rows[t].label ? p : 1 - p);
    sum.whole += loss;
    if (t < rows.size() / 2) continue;
    sum.second_half += loss;
    sum.predicted += p;
    sum.planted += rows[t].chance;
  }
  return sum;
}

Judged best_baseline(const std::vector<Planted>& rows) {
  Judged best = judged(rows, by_share(rows));
  for (const Judged& one : {judged(rows, by_adagrad(rows, 0.1, 0)), judged(rows, by_adagrad(rows, 0.5, 0)),
                            judged(rows, by_adagrad(rows, 0.1, 3000))}) {
    best.whole = std::min(best.whole, one.whole);
    best.second_half = std::min(best.second_half, one.second_half);
  }
  return best;
}

constexpr const char* kTold = R"({"task": "binary"})";

TEST(LateLabels, AreAsGoodAsTheBestHonestBaselineWithNothingSet) {
  if (kSanitized) GTEST_SKIP() << "long, and nothing in it is new to the sanitizers";
  double log_ratios = 0, count = 0;
  for (const Scenario& scenario : scenarios()) {
    Judged own, best;
    for (std::uint64_t seed : {1, 2}) {
      const std::vector<Planted> rows = planted(scenario, seed);
      const Judged one = judged(rows, by_model(rows, kTold)), baseline = best_baseline(rows);
      own.whole += one.whole;
      own.second_half += one.second_half;
      own.predicted += one.predicted;
      own.planted += one.planted;
      best.whole += baseline.whole;
      best.second_half += baseline.second_half;
    }
    EXPECT_LT(own.whole, scenario.whole * best.whole) << scenario.name;
    EXPECT_LT(own.second_half, 1.03 * best.second_half) << scenario.name;
    if (!scenario.knowable) continue;
    EXPECT_NEAR(own.predicted / own.planted, 1, 0.15) << scenario.name;
    log_ratios += std::log(own.whole / best.whole);
    count += 1;
  }
  EXPECT_LT(std::exp(log_ratios / count), 1);
}

TEST(LateLabels, AWindowThatIsToldHelpsFromTheFirstRound) {
  if (kSanitized) GTEST_SKIP() << "long, and nothing in it is new to the sanitizers";
  const auto all = scenarios();
  const auto told = [&](const std::string& name, const std::string& window) {
    const auto scenario = std::find_if(all.begin(), all.end(), [&](const Scenario& one) { return one.name == name; });
    const std::vector<Planted> rows = planted(*scenario, 3);
    const Judged own = judged(rows, by_model(rows, R"({"task": "binary", "expiry": {"rounds": )" + window +
                                                       R"(, "then": {"label": false}}})"));
    EXPECT_NEAR(own.predicted / own.planted, 1, 0.15) << name;
    return own.whole / best_baseline(rows).whole;
  };
  EXPECT_LT(told("conversions", "3002"), 1);
  EXPECT_LT(told("chargebacks", "9002"), 0.5);
}

// Half of the negatives never come: nothing in the data shows it.
TEST(LateLabels, ThatAreLostByClassAreCalibratedOnceItIsTold) {
  if (kSanitized) GTEST_SKIP() << "long, and nothing in it is new to the sanitizers";
  const auto all = scenarios();
  const auto scenario =
      std::find_if(all.begin(), all.end(), [](const Scenario& one) { return one.name == "negatives_lost"; });
  Judged own;
  for (std::uint64_t seed : {1, 2, 3}) {
    const std::vector<Planted> rows = planted(*scenario, seed);
    const Judged one = judged(rows, by_model(rows, R"({"task": "binary", "lost": {"no": 0.5}})"));
    own.predicted += one.predicted;
    own.planted += one.planted;
  }
  EXPECT_NEAR(own.predicted / own.planted, 1, 0.1);
}

TEST(LateLabels, ThatAreLostAtRandomSayNothing) {
  if (kSanitized) GTEST_SKIP() << "long, and nothing in it is new to the sanitizers";
  const auto all = scenarios();
  const auto scenario =
      std::find_if(all.begin(), all.end(), [](const Scenario& one) { return one.name == "rare_lost"; });
  const std::vector<Planted> rows = planted(*scenario, 4);
  const Judged own = judged(rows, by_model(rows, R"({"task": "binary", "lost": "random"})"));
  EXPECT_NEAR(own.predicted / own.planted, 1, 0.15);
}

}  // namespace
}  // namespace tarry
