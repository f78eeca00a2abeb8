// Fixed games, and the bits they must give: every reply and the state in the end, as one hash for each number of the
// arithmetic. Where it changes, base/arithmetic.h must say so, or stores would be compared that cannot be equal.
#include "tarry/base/arithmetic.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "paths.h"
#include "tarry/base/sha256.h"
#include "tarry/model/replay.h"

namespace tarry {
namespace {

// By number. One that stands here is never changed: another hash needs another number.
const std::map<std::uint64_t, std::string> kPinned = {
    {1, "97c5e1a082e249ab58610be3fe2b93de95118e5fac3c5f71ec62c8e7f8609ae9"},
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

// A task with named features: labels come late and in another order, some rounds are void, some are given up.
void play_task(const std::string& task, const std::vector<std::string>& labels, Sha256& all) {
  Played played;
  played.line(fmt::format(R"({{"format": "tarry-replay/2", "model": {}}})", task));
  std::uint64_t state = 1;
  const auto draw = [&](std::uint64_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
  };
  std::vector<int> waiting;
  for (int t = 1; t <= 120; ++t) {
    played.line(fmt::format(
        R"({{"play": {}, "features": {{"x": {}, "city": "c{}", "new": {}, "user": "u{}", "item": "i{}"}}}})", t,
        static_cast<double>(draw(1000)) / 64 - 7, draw(5), draw(2) == 0 ? "true" : "false", draw(6), draw(4)));
    waiting.push_back(t);
    if (waiting.size() < 6) continue;
    const std::size_t which = draw(waiting.size());
    const int round = waiting[which];
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(which));
    const std::uint64_t fate = draw(12);
    if (fate == 0)
      played.line(fmt::format(R"({{"void": {}}})", round));
    else if (fate == 1)
      played.line(fmt::format(R"({{"expire": {}}})", round));
    else
      played.line(fmt::format(R"({{"label": {}, "value": {}}})", round, labels[draw(labels.size())]));
  }
  played.finish(all);
}

TEST(Arithmetic, GivesTheBitsOfItsNumber) {
  Sha256 all;
  play_recorded(all);
  play_task(R"({"task": "binary", "features": {"capacity": 64}})", {"true", "false"}, all);
  play_task(R"({"task": "regression", "features": {"capacity": 64}})", {"0.5", "-2", "3.25", "11"}, all);
  play_task(R"({"task": "classes", "classes": 4, "features": {"capacity": 32}})", {"\"a\"", "\"b\"", "\"c\""}, all);
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
