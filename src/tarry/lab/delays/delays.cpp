#include "tarry/lab/delays/delays.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "tarry/base/elementary.h"
#include "tarry/base/random.h"
#include "tarry/spec/registry.h"

namespace tarry::lab {
namespace {

constexpr double kLongest = 0x1p50;  // rounds: as good as never

enum Stream : std::uint64_t { kDelay = 11, kLost = 12 };

// Delays that do not depend on what the feedback says: a function of the round.
class Scheduled final : public Delays {
 public:
  using DelayOf = std::function<double(Round t, const Random& random)>;
  Scheduled(DelayOf delay_of, std::uint64_t seed) : delay_of_(std::move(delay_of)), random_(seed, kDelay) {}

  void played(Round t, const AskGradient&) override {
    const double delay = std::clamp(std::floor(delay_of_(t, random_)), 1.0, kLongest);
    if (delay == 1)
      at_once_.push_back(t);
    else
      waiting_[t + static_cast<Round>(delay) - 1].push_back(t);
  }

  std::vector<Round> arriving(Round t) override {
    std::vector<Round> rounds;
    if (auto due = waiting_.extract(t); !due.empty()) rounds = std::move(due.mapped());
    rounds.insert(rounds.end(), at_once_.begin(), at_once_.end());  // of this round
    at_once_.clear();
    if (rounds.size() > 1) std::sort(rounds.begin(), rounds.end());
    return rounds;
  }

 private:
  DelayOf delay_of_;
  Random random_;
  std::map<Round, std::vector<Round>> waiting_;
  std::vector<Round> at_once_;
};

// Keeps back a fixed number of gradients, always those that point most in the direction of all so far: what would teach
// the learner most comes last.
class Withholding final : public Delays {
 public:
  explicit Withholding(std::size_t hold) : hold_(hold) {}

  void played(Round t, const AskGradient& gradient) override {
    double usefulness = 0;
    gradient().each([&](Index i, double g) {
      const auto at = static_cast<std::size_t>(i);
      if (at >= sum_.size()) sum_.resize(at + 1, 0.0);
      sum_[at] += g;
      usefulness += sum_[at] * g;
    });
    held_.emplace(usefulness, t);
  }

  std::vector<Round> arriving(Round) override {
    std::vector<Round> released;
    while (held_.size() > hold_) {
      released.push_back(held_.begin()->second);
      held_.erase(held_.begin());
    }
    std::sort(released.begin(), released.end());
    return released;
  }

 private:
  std::size_t hold_;
  Vec sum_;
  std::multimap<double, Round> held_;  // by usefulness
};

class ArrivingAt final : public Delays {
 public:
  explicit ArrivingAt(std::vector<std::vector<Round>> rounds) : rounds_(std::move(rounds)) {}
  void played(Round, const AskGradient&) override {}
  std::vector<Round> arriving(Round t) override { return t < rounds_.size() ? rounds_[t] : std::vector<Round>{}; }
  bool corrects() const override { return true; }

 private:
  std::vector<std::vector<Round>> rounds_;
};

// Loses some of another's feedback for good.
class Losing final : public Delays {
 public:
  Losing(std::unique_ptr<Delays> inner, double probability, std::uint64_t seed)
      : inner_(std::move(inner)), probability_(probability), random_(seed, kLost) {}
  void played(Round t, const AskGradient& gradient) override { inner_->played(t, gradient); }
  std::vector<Round> arriving(Round t) override {
    std::vector<Round> rounds = inner_->arriving(t);
    std::erase_if(rounds, [&](Round k) { return is_lost(k); });
    return rounds;
  }
  std::optional<double> time_of(Round t) const override { return inner_->time_of(t); }
  bool corrects() const override { return inner_->corrects(); }
  bool never(Round t) const override { return is_lost(t) || inner_->never(t); }

 private:
  bool is_lost(Round t) const { return random_.uniform(t) < probability_; }

  std::unique_ptr<Delays> inner_;
  double probability_;
  Random random_;
};

std::unique_ptr<Delays> scheduled(Scheduled::DelayOf delay_of, std::uint64_t seed) {
  return std::make_unique<Scheduled>(std::move(delay_of), seed);
}

double at_least_one(const spec::Node& node, const std::string& key) {
  const spec::Node member = node.at(key, "a number of at least 1");
  if (member.number() < 1) member.fail("at least 1 (no delay is 1)");
  return member.number();
}

std::unique_ptr<Delays> make_uniform(const spec::Node& node, std::uint64_t seed, const Recorded&) {
  const auto low = static_cast<double>(node.count("low", 1, Index{1} << 40));
  const auto high = static_cast<double>(node.count("high", static_cast<spec::Index>(low), spec::Index{1} << 40));
  return scheduled([=](Round t, const Random& random) { return low + random.uniform(t) * (high - low + 1); }, seed);
}

// d = 1 + ⌊ln u / ln(1 − 1/mean)⌋ is geometric on 1, 2, … with the given mean.
std::unique_ptr<Delays> make_geometric(const spec::Node& node, std::uint64_t seed, const Recorded&) {
  const double mean = at_least_one(node, "mean");
  const double log_stay = tarry::log1p(-1 / mean);
  return scheduled(
      [=](Round t, const Random& random) {
        return mean == 1 ? 1 : 1 + std::floor(tarry::log(random.uniform(t)) / log_stay);
      },
      seed);
}

std::unique_ptr<Delays> make_pareto(const spec::Node& node, std::uint64_t seed, const Recorded&) {
  const double shape = node.positive("shape"), scale = node.has("scale") ? at_least_one(node, "scale") : 1;
  return scheduled([=](Round t, const Random& random) { return scale * tarry::pow(random.uniform(t), -1 / shape); },
                   seed);
}

}  // namespace

std::span<const DelayEntry> delay_registry() {
  using spec::Node;
  constexpr spec::Index kMost = spec::Index{1} << 40;
  static const std::vector<DelayEntry> entries = {
      {"none",
       "feedback before the next play",
       {},
       [](const Node&, std::uint64_t seed, const Recorded&) {
         return scheduled([](Round, const Random&) { return 1.0; }, seed);
       },
       {R"({"type": "none"})"}},
      {"fixed",
       "always the same delay",
       {{"delay", "a whole number of at least 1", ""}},
       [](const Node& node, std::uint64_t seed, const Recorded&) {
         const auto delay = static_cast<double>(node.count("delay", 1, kMost));
         return scheduled([=](Round, const Random&) { return delay; }, seed);
       },
       {R"({"type": "fixed", "delay": 7})"}},
      {"uniform",
       "any delay from low to high, equally likely",
       {{"low", "a whole number of at least 1", ""}, {"high", "a whole number of at least low", ""}},
       make_uniform,
       {R"({"type": "uniform", "low": 2, "high": 20})"}},
      {"geometric",
       "memoryless: each round the feedback comes with the same probability",
       {{"mean", "a number of at least 1", ""}},
       make_geometric,
       {R"({"type": "geometric", "mean": 10})"}},
      {"pareto",
       "heavy-tailed: P(d > x) = (scale/x)^shape",
       {{"shape", "a positive number", ""}, {"scale", "a number of at least 1", "1"}},
       make_pareto,
       {R"({"type": "pareto", "shape": 1.5, "scale": 2})"}},
      {"burst",
       "all feedback of a period comes at its end",
       {{"period", "a whole number of at least 1", ""}},
       [](const Node& node, std::uint64_t seed, const Recorded&) {
         const auto period = static_cast<Round>(node.count("period", 1, kMost));
         return scheduled([=](Round t, const Random&) { return static_cast<double>(period - (t - 1) % period); }, seed);
       },
       {R"({"type": "burst", "period": 16})"}},
      {"growing",
       "d_t = ⌈t^exponent⌉",
       {{"exponent", "a number from 0 to 1", ""}},
       [](const Node& node, std::uint64_t seed, const Recorded&) {
         const Node exponent = node.at("exponent", "a number from 0 to 1");
         const double power = exponent.number();
         if (power < 0 || power > 1) exponent.fail("from 0 to 1");
         return scheduled([=](Round t, const Random&) { return std::ceil(tarry::pow(static_cast<double>(t), power)); },
                          seed);
       },
       {R"({"type": "growing", "exponent": 0.5})"}},
      {"adversarial",
       "keeps back the feedback that points most along the sum of all gradients so far",
       {{"hold", "how many gradients are kept back", "16"}},
       [](const Node& node, std::uint64_t, const Recorded&) -> std::unique_ptr<Delays> {
         return std::make_unique<Withholding>(
             static_cast<std::size_t>(node.has("hold") ? node.count("hold", 0, kMost) : 16));
       },
       {R"({"type": "adversarial", "hold": 8})"}},
      {"recorded",
       "as in the data, for streams with event and feedback times",
       {{"wait", "feedback comes no sooner than this after its round, in the unit of the times", "0"}},
       [](const Node& node, std::uint64_t, const Recorded& recorded) {
         const double wait = node.number_or("wait", 0);
         if (wait < 0) node.at("wait").fail("at least 0");
         if (!recorded) node.fail_whole("the stream has no event and feedback times to take delays from");
         return recorded(wait);
       },
       {R"({"type": "recorded"})", R"({"type": "recorded", "wait": 30})"}},
  };
  return entries;
}

std::unique_ptr<Delays> make_delays(const spec::Node& node, std::uint64_t seed, const Recorded& recorded) {
  const double lost = node.number_or("lost", 0);
  if (lost < 0 || lost > 1) node.at("lost").fail("a probability from 0 to 1");
  auto delays = spec::make_registered(delay_registry(), "delay", node, seed, recorded);
  return lost > 0 ? std::make_unique<Losing>(std::move(delays), lost, seed) : std::move(delays);
}

std::unique_ptr<Delays> arriving_at(std::vector<std::vector<Round>> rounds) {
  return std::make_unique<ArrivingAt>(std::move(rounds));
}

}  // namespace tarry::lab
