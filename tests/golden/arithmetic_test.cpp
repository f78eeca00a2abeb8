// Fixed games, and the bits they must give: every reply and the state in the end, as one hash for each number of the
// arithmetic. Where it changes, base/arithmetic.h must say so, or stores would be compared that cannot be equal.
#include "tarry/base/arithmetic.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "paths.h"
#include "tarry/base/error.h"
#include "tarry/base/sha256.h"
#include "tarry/model/replay.h"

namespace tarry {
namespace {

// By number. One that stands here is never changed: another hash needs another number.
const std::map<std::uint64_t, std::string> kPinned = {
    {1, "baaab181004682c9bd8f4bf7fdfd42c98d77c1c1109223a92e242072b4c8e46c"},
    {2, "3a51743b49323eee2651e1f3eebfb6e1fdbed3b44fe35897ea5bef00dd8ee5e1"},
    {3, "03bb8532c1589b802ba849e1f1b61446e42df0f9e72542a2da5b667fa750c901"},
    {4, "71900d854ed6cdc0c8f5c32edad420f675fb22b317d5fc07894e81c2a117d274"},
    {5, "ed1b80962cf78d9b59f8824400af9c2feae5d376ecd4963129863719e683b65f"},
    {6, "88500355a297e2dd67017e1ff7877078957d1652dbb437180770f794a67b57d7"},
    {7, "62cf8076669d497f4e6c70d266fdc57ef0cd10037994b840b8c4d84c07edc152"},
    {8, "b6b34d2018f597b6b5aa6e29ab6c8880d0bbbeab38568286930c4e6d603e599d"},
};

class Played {
 public:
  void line(const std::string& text) { hash_.add(replay_.line(text) + "\n"); }
  void finish(Sha256& all) {
    all.add(hash_.hex());
    all.add(replay_.last_line());
  }

 private:
  Replay replay_;
  Sha256 hash_;
};

// The recorded games of gradients, those with heavy delays: each learner on each set.
void play_recorded(Sha256& all) {
  std::vector<std::filesystem::path> games;
  for (const auto& entry : std::filesystem::directory_iterator(paths::kGames))
    if (entry.path().string().ends_with("-heavy.log.jsonl")) games.push_back(entry.path());
  std::sort(games.begin(), games.end());
  ASSERT_EQ(games.size(), 32u);
  for (const auto& game : games) {
    Played played;
    std::ifstream in(game);
    for (std::string line; std::getline(in, line);) played.line(line);
    played.finish(all);
  }
}

// The same numbers everywhere.
class Draws {
 public:
  std::uint64_t below(std::uint64_t bound) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (state_ >> 33) % bound;
  }
  double number() { return static_cast<double>(below(1000)) / 64 - 7.8125; }
  std::string numbers(std::size_t count) {
    std::vector<double> list(count);
    for (double& each : list) each = number();
    return fmt::format("[{}]", fmt::join(list, ", "));
  }

 private:
  std::uint64_t state_ = 1;
};

// Rounds whose answers come late and in another order. `play` and `answer` give the lines of a round.
template <class Play, class Answer>
void play_late(Played& played, Draws& draws, Play play, Answer answer) {
  std::vector<int> waiting;
  for (int t = 1; t <= 60; ++t) {
    played.line(play(t));
    waiting.push_back(t);
    if (waiting.size() < 5) continue;
    const std::size_t which = draws.below(waiting.size());
    played.line(answer(waiting[which]));
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(which));
  }
}

std::string number_play(int t) { return fmt::format(R"({{"play": {}}})", t); }

// Gradients, for a learner on a set. One that the set does not take is left out, and that must stay so.
void play_gradients(const std::string& set, std::size_t dimension, const std::string& learner, Sha256& all) {
  Played played;
  try {
    played.line(fmt::format(R"({{"format": "tarry-replay/1", "set": {}, "learner": {}}})", set, learner));
  } catch (const Error&) {
    all.add("refused");
    return;
  }
  Draws draws;
  play_late(played, draws, number_play, [&](int round) {
    return fmt::format(R"({{"receive": {}, "gradient": {}}})", round, draws.numbers(dimension));
  });
  played.finish(all);
}

// Labels of rounds with four features.
void play_labels(const std::string& learner, const std::string& loss, Sha256& all) {
  Played played;
  played.line(fmt::format(
      R"({{"format": "tarry-replay/2", "model": {{"set": {{"type": "box", "dimension": 4, "lower": -2, "upper": 2}},
          "learner": {}, "loss": {}, "standardise": true}}}})",
      learner, loss));
  Draws draws;
  play_late(
      played, draws, [&](int t) { return fmt::format(R"({{"play": {}, "features": {}}})", t, draws.numbers(4)); },
      [&](int round) { return fmt::format(R"({{"label": {}, "value": {}}})", round, draws.below(2) == 0 ? 0 : 1); });
  played.finish(all);
}

// A task with named features; some rounds are void, some are given up.
void play_task(const std::string& task, const std::vector<std::string>& labels, Sha256& all) {
  Played played;
  played.line(fmt::format(R"({{"format": "tarry-replay/2", "model": {}}})", task));
  Draws draws;
  const bool ratings = task.find("ratings") != std::string::npos;
  play_late(
      played, draws,
      [&](int t) {
        const std::string named = ratings
                                      ? fmt::format(R"("user": "u{}", "item": "i{}")", draws.below(6), draws.below(4))
                                      : fmt::format(R"("x": {}, "city": "c{}", "new": {})", draws.number(),
                                                    draws.below(5), draws.below(2) == 0 ? "true" : "false");
        return fmt::format(R"({{"play": {}, "features": {{{}}}}})", t, named);
      },
      [&](int round) {
        const std::uint64_t fate = draws.below(12);
        if (fate < 2) return fmt::format(R"({{"{}": {}}})", fate == 0 ? "void" : "expire", round);
        return fmt::format(R"({{"label": {}, "value": {}}})", round, labels[draws.below(labels.size())]);
      });
  played.finish(all);
}

// Choices among actions of which some have features; each reward comes late.
void play_choices(const std::string& reward, const std::vector<std::string>& rewards, Sha256& all) {
  Played played;
  played.line(fmt::format(
      R"({{"format": "tarry-replay/2", "model": {{"task": "choose", "reward": "{}", "features": {{"capacity": 64}}}}}})",
      reward));
  Draws draws;
  play_late(
      played, draws,
      [&](int t) {
        return fmt::format(
            R"({{"play": {}, "context": {{"x": {}, "city": "c{}"}}, "actions": ["a", "b", {{"id": "c", "features": {{"price": {}}}}}]}})",
            t, draws.number(), draws.below(3), draws.below(4));
      },
      [&](int round) {
        return fmt::format(R"({{"label": {}, "value": {}}})", round, rewards[draws.below(rewards.size())]);
      });
  played.finish(all);
}

// Trees, which begin to count after some hundred labels: what they see is which two numbers have the same sign.
void play_trees(const std::string& task, Sha256& all) {
  Played played;
  played.line(fmt::format(
      R"({{"format": "tarry-replay/2", "model": {{"task": "{}", "trees": true, "features": {{"capacity": 16}}}}}})",
      task));
  Draws draws;
  std::vector<bool> same;
  for (int t = 1; t <= 700; ++t) {
    const double x = draws.number(), y = draws.number();
    same.push_back((x > 0) == (y > 0));
    played.line(fmt::format(R"({{"play": {}, "features": {{"x": {}, "y": {}}}}})", t, x, y));
    if (t > 5)
      played.line(fmt::format(R"({{"label": {}, "value": {}}})", t - 5, same[static_cast<std::size_t>(t - 6)]));
  }
  played.finish(all);
}

const std::vector<std::string> kLearners = {
    R"({"type": "delayed_ofw", "eta": 0.1})",
    R"({"type": "delayed_ofw", "horizon": "unknown", "gradient_bound": 3})",
    R"({"type": "delayed_ofw", "horizon": 100, "gradient_bound": "unknown"})",
    R"({"type": "delayed_ofw", "eta": 0.1, "oracle_calls": 3})",
    R"({"type": "delayed_ofw", "eta": 0.1, "sample": true, "seed": 7})",
    R"({"type": "delayed_ofw_sc", "beta": 0.7})",
    R"({"type": "delayed_ospf", "delta": 0.25, "block": 4})",
    R"({"type": "delayed_ospf", "setting": "linear", "gradient_bound": 3})",
    R"({"type": "gauge_ftrl"})",
    R"({"type": "gauge_ftrl", "light": true})",
    R"({"type": "box_ftrl"})",
    R"({"type": "box_ftrl_sc", "beta": 0.7})",
    R"({"type": "adagrad"})",
    R"({"type": "hedge", "learners": [{"type": "delayed_ofw", "eta": 0.02}, {"type": "delayed_ofw_sc", "beta": 0.7}]})",
    R"({"type": "auto"})",
    R"({"type": "patient"})",
    R"({"type": "per_block", "learners": [{"type": "delayed_ofw", "eta": 0.01}, {"type": "delayed_ofw_sc", "beta": 0.7}]})",
    R"({"type": "stay"})",
    R"({"type": "delayed_eg"})",
    R"({"type": "delayed_ogd", "eta": 0.1})",
    R"({"type": "delayed_ogd_sc", "beta": 0.7})",
    R"({"type": "bold", "base": {"type": "delayed_ogd", "eta": 0.1}})",
    R"({"type": "round_robin", "delay": 3, "base": {"type": "delayed_ofw", "eta": 0.1}})",
};

struct NamedSet {
  std::size_t dimension;
  const char* spec;
};
const std::vector<NamedSet> kSets = {
    {4, R"({"type": "box", "lower": [-1, -1, 0, 0], "upper": [1, 0.5, 2, 1]})"},
    {6, R"({"type": "simplex", "dimension": 6})"},
    {6, R"({"type": "l1_ball", "dimension": 6, "radius": 1.5})"},
    {5, R"({"type": "l2_ball", "dimension": 5, "radius": 1.2})"},
    {5, R"({"type": "product", "parts": [{"type": "simplex", "dimension": 3},
                                         {"type": "l2_ball", "dimension": 2, "radius": 1.5}]})"},
};
// What only its own oracle tells apart.
const std::vector<NamedSet> kMoreSets = {
    {4, R"({"type": "linf_ball", "dimension": 4, "radius": 0.8})"},
    {5, R"({"type": "lp_ball", "dimension": 5, "p": 1.5, "radius": 2})"},
    {4, R"({"type": "unit_simplex", "dimension": 4, "radius": 1.5})"},
    {3, R"({"type": "ellipsoid", "semi_axes": [1, 0.5, 2]})"},
    {6, R"({"type": "hypersimplex", "dimension": 6, "k": 2})"},
    {5, R"({"type": "k_sparse", "dimension": 5, "k": 2, "radius": 1.5})"},
    {5, R"({"type": "group_ball", "groups": [[0, 2], [1, 3, 4]], "p": 2, "radius": 1.5})"},
    {5, R"({"type": "permutahedron", "dimension": 5})"},
    {6, R"({"type": "nuclear_ball", "rows": 3, "cols": 2, "radius": 1.5})"},
    {6, R"({"type": "schatten_ball", "rows": 3, "cols": 2, "p": 1.5, "radius": 2})"},
    {9, R"({"type": "spectrahedron", "dimension": 3, "trace": 1.5})"},
    {4, R"({"type": "budget", "total": 4, "floor": [0, 0.5, -1, 0], "cap": [2, 1, 3, 2.5]})"},
    {9, R"({"type": "birkhoff", "size": 3})"},
    {3, R"({"type": "translate", "set": {"type": "l1_ball", "dimension": 3, "radius": 2}, "by": [1, 0, -0.5]})"},
};

TEST(Arithmetic, GivesTheBitsOfItsNumber) {
#ifdef __clang__
  GTEST_SKIP() << "the bits are pinned for GCC, which builds the program";
#endif
  Sha256 all;
  play_recorded(all);
  for (const std::string& learner : kLearners)
    for (const NamedSet& set : kSets) play_gradients(set.spec, set.dimension, learner, all);
  for (const NamedSet& set : kMoreSets) play_gradients(set.spec, set.dimension, kLearners[0], all);
  for (const char* loss : {"squared", "logistic", "hinge", "absolute", "huber"})
    for (const char* learner : {"auto", "adagrad", "patient", "box_ftrl", "stay"})
      play_labels(fmt::format(R"({{"type": "{}"}})", learner), fmt::format(R"({{"type": "{}"}})", loss), all);
  play_task(R"({"task": "binary", "features": {"capacity": 64}})", {"true", "false"}, all);
  play_task(R"({"task": "regression", "features": {"capacity": 64}})", {"0.5", "-2", "3.25", "11"}, all);
  play_task(R"({"task": "classes", "classes": 4, "features": {"capacity": 32}})", {"\"a\"", "\"b\"", "\"c\""}, all);
  play_task(R"({"task": "ratings", "users": 8, "items": 8, "range": [1, 5]})", {"1", "3.5", "5"}, all);
  play_choices("binary", {"true", "false"}, all);
  play_choices("number", {"0.5", "-2", "3.25"}, all);
  play_trees("binary", all);
  play_trees("regression", all);
  const std::string now = all.hex();
  ASSERT_TRUE(kPinned.contains(kArithmetic)) << "pin " << now << " for arithmetic " << kArithmetic << " here";
  EXPECT_EQ(now, kPinned.at(kArithmetic))
      << "the same events give other bits than arithmetic " << kArithmetic
      << " gave: raise kArithmetic in base/arithmetic.h, and pin the new hash beside the old one";
}

TEST(Arithmetic, NumbersAreRaisedOneByOne) {
  for (std::uint64_t number = 1; number <= kArithmetic; ++number) EXPECT_TRUE(kPinned.contains(number)) << number;
}

}  // namespace
}  // namespace tarry
