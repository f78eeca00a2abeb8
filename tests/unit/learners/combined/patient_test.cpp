// `patient`, and `auto` where it is that: planted streams whose labels come late, and spoilt ones.
#include "tarry/learners/combined/patient.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "tarry/base/random.h"
#include "tarry/model/model.h"
#include "tarry/model/model_spec.h"

namespace tarry {
namespace {

constexpr Round kRounds = 6000;
constexpr double kForever = std::numeric_limits<double>::infinity();

struct Planted {
  Vec features;
  double label;
  double delay;
};

struct Stream {
  std::vector<Planted> rounds;
  bool classes;  // ±1, or numbers
};

double logistic(double p, double y) { return std::log1p(std::exp(-std::fabs(p))) + std::max(0.0, -y * p); }

// ±1 by four features; labels of class 1 take `times` as long.
Stream two_classes(double signal, double times, std::function<void(Round, Planted&)> spoil = {}, double turn = 1) {
  Stream stream{{}, true};
  RandomSequence random(5);
  const Vec truth = {1, -0.5, 0.5, -1};
  for (Round t = 1; t <= kRounds; ++t) {
    Planted one{Vec(5, 1.0), -1, 0};
    double p = -0.4;
    for (std::size_t i = 0; i < 4; ++i) {
      one.features[i] = random.gaussian();
      p += (t > kRounds / 2 ? turn : 1) * signal * truth[i] * one.features[i];
    }
    if (random.uniform() < 1 / (1 + std::exp(-p))) one.label = 1;
    one.delay = -60 * (one.label > 0 ? times : 1) * std::log(1 - random.uniform());
    if (spoil) spoil(t, one);
    stream.rounds.push_back(one);
  }
  return stream;
}

Stream numbers(std::function<void(Round, Planted&)> spoil = {}) {
  Stream stream{{}, false};
  RandomSequence random(6);
  for (Round t = 1; t <= kRounds; ++t) {
    Planted one{{random.gaussian(), 100 + 5 * random.gaussian(), random.gaussian(), 1}, 0, 0};
    one.label = 40 + 3 * one.features[0] + 0.4 * (one.features[1] - 100) + random.gaussian();
    one.delay = -60 * std::log(1 - random.uniform());
    if (spoil) spoil(t, one);
    stream.rounds.push_back(one);
  }
  return stream;
}

Stream shuffled(Stream stream) {  // the same delays, for other rounds
  RandomSequence random(8);
  for (std::size_t i = stream.rounds.size(); i > 1; --i)
    std::swap(stream.rounds[i - 1].delay,
              stream.rounds[static_cast<std::size_t>(random.uniform() * static_cast<double>(i))].delay);
  return stream;
}

struct Played {
  Vec losses;
  double from(double share) const { return mean(share, 1); }
  double mean(double begin, double end) const {
    const auto first = static_cast<std::size_t>(begin * static_cast<double>(losses.size()));
    const auto last = static_cast<std::size_t>(end * static_cast<double>(losses.size()));
    double sum = 0;
    for (std::size_t i = first; i < last; ++i) sum += losses[i];
    return sum / static_cast<double>(last - first);
  }
};

Played play(const Stream& stream, const std::string& learner = "auto") {
  const std::string n = std::to_string(stream.rounds.front().features.size());
  Model model = make_model(ModelSpec::parse(
      R"({"set": {"type": "box", "dimension": )" + n + R"(, "lower": -10, "upper": 10}, "learner": {"type": ")" +
      learner + R"("}, "standardise": true, "loss": ")" + (stream.classes ? "logistic" : "squared") + "\"}"));
  std::multimap<double, Round> due;
  Played played;
  for (Round t = 1; t <= stream.rounds.size(); ++t) {
    for (; !due.empty() && due.begin()->first < static_cast<double>(t); due.erase(due.begin())) {
      const Round k = due.begin()->second;
      model.label(k, stream.rounds[k - 1].label, std::nullopt);
    }
    const Planted& now = stream.rounds[t - 1];
    const double p = model.play(FeaturesView(Covector::dense(now.features))).prediction;
    played.losses.push_back(stream.classes ? logistic(p, now.label) : (p - now.label) * (p - now.label));
    if (now.delay < kForever) due.emplace(static_cast<double>(t) + now.delay, t);
  }
  return played;
}

// The share of ones among the labels that have come.
double share_so_far(const Stream& stream) {
  std::multimap<double, double> due;
  double ones = 0.5, all = 1, sum = 0;
  for (std::size_t t = 0; t < stream.rounds.size(); ++t) {
    for (; !due.empty() && due.begin()->first < static_cast<double>(t); due.erase(due.begin())) {
      ones += due.begin()->second > 0 ? 1 : 0;
      all += 1;
    }
    const Planted& now = stream.rounds[t];
    sum += logistic(std::log(ones / (all - ones)), now.label);
    due.emplace(static_cast<double>(t) + now.delay, now.label);
  }
  return sum / static_cast<double>(stream.rounds.size());
}

TEST(Patient, IsAutoOverABoxWithStandardisedFeatures) {
  const Stream stream = two_classes(1, 3);
  EXPECT_EQ(play(stream, "auto").losses, play(stream, "patient").losses);
}

TEST(Patient, IsFairToAClassWhoseLabelsComeLater) {
  for (double times : {3, 10, 30})
    for (double signal : {0.0, 1.0}) {
      const Stream stream = two_classes(signal, times);
      EXPECT_LT(play(stream).from(0.5), 1.02 * play(shuffled(stream)).from(0.5))
          << times << " times, signal " << signal;
    }
}

// Labels of one class come first, and nothing else is to be known: the share of what has come believes them.
TEST(Patient, IsAheadOfTheShareSoFarWhereLabelsOfOneClassComeFirst) {
  for (double times : {3, 10, 30}) {
    const Stream stream = two_classes(0, times);
    EXPECT_LT(play(stream).from(0), share_so_far(stream)) << times;
  }
}

TEST(Patient, FollowsASuddenChange) {
  const Played same = play(two_classes(1, 1)), turned = play(two_classes(1, 1, {}, -1));
  EXPECT_LT(turned.from(0.8), 1.1 * same.mean(0.3, 0.5));
}

// Each spoilt in one way; the last fifth must be as good as if it were not.
TEST(Patient, IsNotSpoiltByAFew) {
  const auto spoilt = [](const std::string& how, Round t, Planted& one) {
    if (how == "constant") one.features[2] = 7;
    if (how == "rescaled" && t > kRounds / 2) one.features[0] *= 1e12;
    if (how == "absurd feature" && t == kRounds / 3) one.features[0] = 1e15;
    if (how == "absurd label" && t == kRounds / 3) one.label = 1e15;
    if (how == "very late" && t == 10) one.delay = kRounds * 0.9;
    if (how == "never" && t % 10 == 0) one.delay = kForever;
    if (how == "beyond the end" && t == 10) one.delay = 1e6;
  };
  const double clean = play(numbers()).from(0.8);
  for (const std::string how : {"constant", "absurd feature", "absurd label", "very late", "never", "beyond the end"})
    EXPECT_LT(play(numbers([&](Round t, Planted& one) { spoilt(how, t, one); })).from(0.8), 1.1 * clean) << how;
  const double sure = play(two_classes(1, 1)).from(0.8);
  for (const std::string how : {"rescaled", "absurd feature", "very late", "never", "beyond the end"})
    EXPECT_LT(play(two_classes(1, 1, [&](Round t, Planted& one) { spoilt(how, t, one); })).from(0.8), 1.1 * sure)
        << how << ", two classes";
}

// Numbers by name, one in twenty of them not there: each missing one costs no more than not knowing it must.
TEST(Patient, TakesMissingCellsForMissing) {
  const auto played = [](double missing) {
    Model model = make_model(ModelSpec::parse(R"({"task": "regression", "products": 0})"));
    RandomSequence random(12);
    Vec labels;
    double sum = 0, count = 0;
    for (Round t = 1; t <= kRounds; ++t) {
      if (t > 60) model.label(t - 60, labels[t - 61]);
      const double a = 1000 + random.gaussian(), b = random.gaussian();
      const bool there = random.uniform() >= missing;
      NamedFeatures features{{"b", b}};
      if (there) features.insert(features.begin(), {"a", a});
      labels.push_back(5 + 2 * (a - 1000) + b + 0.3 * random.gaussian());
      const double error = model.play(FeaturesView(Features(features))).prediction - labels.back();
      if (t <= kRounds * 4 / 5 || !there) continue;  // what a row without it costs is not the learner's fault
      sum += error * error;
      count += 1;
    }
    return std::sqrt(sum / count);
  };
  EXPECT_LT(played(0.05), 1.1 * played(0));
}

// Half of one class's labels never come: what is predicted leans to the other, and nothing in the data tells.
TEST(Patient, CannotKnowOfLabelsThatAreLostByTheirClass) {
  RandomSequence random(13);
  const Stream whole = two_classes(0, 1);
  Stream lossy = whole;
  for (Planted& one : lossy.rounds)
    if (one.label > 0 && random.uniform() < 0.5) one.delay = kForever;
  const double clean = play(whole).from(0.5), lost = play(lossy).from(0.5);
  EXPECT_GT(lost, 1.02 * clean);  // it is not noticed ...
  EXPECT_LT(lost, 1.15 * clean);  // ... and costs what predicting the shares of what came costs
}

// Where labels are as late whatever they are, caring costs next to nothing.
TEST(Patient, LosesLittleWhereDelaysSayNothing) {
  for (double signal : {0.0, 1.0}) {
    const Stream stream = two_classes(signal, 1);
    EXPECT_LT(play(stream).from(0), 1.01 * play(stream, "adagrad").from(0)) << signal;
  }
}

TEST(Patient, WeighsPortfoliosByTheirWealth) {
  RandomSequence random(9);
  Model model = make_model(ModelSpec::parse(
      R"({"set": {"type": "simplex", "dimension": 5}, "learner": {"type": "auto"}, "loss": "log_wealth"})"));
  double own = 0, equal = 0;
  for (Round t = 1; t <= 600; ++t) {
    Vec relatives(5);
    double mean = 0;
    for (double& x : relatives) mean += (x = std::exp(0.1 * random.gaussian())) / 5;
    const Vec shares = [&] {
      model.play(std::nullopt);
      return model.decision();
    }();
    double grown = 0;
    for (std::size_t i = 0; i < 5; ++i) grown += shares[i] * relatives[i];
    own += std::log(grown);
    equal += std::log(mean);
    model.label(t, 0.0, FeaturesView(Covector::dense(relatives)));
  }
  EXPECT_GT(own, equal + std::log(0.97));
}

}  // namespace
}  // namespace tarry
