// Recorded games, played by an independent implementation: every decision agrees to 1e-9, through the dense track
// and, where the set allows it, through the sparse or the factored one with sparse feedback.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "paths.h"
#include "tarry/model/replay.h"
#include "tarry/spec/json.h"

namespace tarry {
namespace {

constexpr double kAgreement = 1e-9;

std::vector<std::string> read_lines(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> game_names(const std::string& prefix = "") {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(paths::kGames)) {
    const std::string file = entry.path().filename().string();
    if (const auto at = file.find(".log.jsonl"); at != std::string::npos && file.starts_with(prefix))
      names.push_back(file.substr(0, at));
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Plays the lines and returns the largest difference to the recorded decisions.
double largest_error(const std::vector<std::string>& log, const std::vector<std::string>& expected) {
  Replay replay;
  std::size_t played = 0;
  double error = 0;
  for (const std::string& line : log) {
    if (replay.line(line).empty()) continue;
    const Vec played_now = replay.model().decision();
    const spec::Value record = spec::parse_json(expected.at(played++));
    const Vec decision = spec::Node(record, "record").numbers("decision");
    EXPECT_EQ(decision.size(), played_now.size());
    for (std::size_t i = 0; i < decision.size(); ++i) error = std::max(error, std::fabs(decision[i] - played_now[i]));
  }
  EXPECT_EQ(played, expected.size());
  return error;
}

void set_key(spec::Value& object, const std::string& key, spec::Value value) {
  std::get<spec::Object>(object.as).emplace_back(key, std::move(value));
}

// The same game with `storage` asked for and each dense gradient given as indices and values, largest index first.
std::vector<std::string> with_storage(const std::vector<std::string>& log, const std::string& storage) {
  std::vector<std::string> changed;
  for (const std::string& line : log) {
    spec::Value value = spec::parse_json(line);
    if (value.find("format") != nullptr) {
      for (auto& [key, member] : std::get<spec::Object>(value.as)) {
        if (key != "learner") continue;
        set_key(member, "storage", {storage});
        if (storage == "factored") set_key(member, "oracle_error", {0.0});
      }
    } else if (const spec::Value* gradient = value.find("gradient"); gradient != nullptr && storage != "dense") {
      const auto numbers = std::get<spec::Numbers>(gradient->as);
      spec::Numbers indices, values;
      for (std::size_t i = numbers.size(); i-- > 0;) {
        if (numbers[i] == 0) continue;
        indices.push_back(static_cast<double>(i));
        values.push_back(numbers[i]);
      }
      std::erase_if(std::get<spec::Object>(value.as), [](const auto& member) { return member.first == "gradient"; });
      set_key(value, "indices", {indices});
      set_key(value, "values", {values});
    }
    changed.push_back(spec::to_json(value));
  }
  return changed;
}

class GoldenGame : public testing::TestWithParam<std::string> {
 protected:
  std::filesystem::path file(const std::string& suffix) const {
    return std::filesystem::path(paths::kGames) / (GetParam() + suffix);
  }
};

TEST_P(GoldenGame, AgreesWithTheRecord) {
  EXPECT_LT(largest_error(read_lines(file(".log.jsonl")), read_lines(file(".expected.jsonl"))), kAgreement);
}

class GoldenGameOnTracks : public GoldenGame {};  // of the learners that keep one

TEST_P(GoldenGameOnTracks, AgreesThroughEachTrack) {
  const auto log = read_lines(file(".log.jsonl")), expected = read_lines(file(".expected.jsonl"));
  EXPECT_LT(largest_error(with_storage(log, "dense"), expected), kAgreement);
  const bool one_coordinate =
      GetParam().find("l1_ball") != std::string::npos || GetParam().find("simplex") != std::string::npos;
  if (one_coordinate) {
    EXPECT_LT(largest_error(with_storage(log, "sparse"), expected), kAgreement);
  }
  if (GetParam().find("nuclear_ball") != std::string::npos) {
    EXPECT_LT(largest_error(with_storage(log, "factored"), expected), kAgreement);
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& game) {
  std::string name = game.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, GoldenGame, testing::ValuesIn(game_names()), test_name);
INSTANTIATE_TEST_SUITE_P(All, GoldenGameOnTracks, testing::ValuesIn(game_names("ofw")), test_name);

TEST(GoldenGames, AreThere) { EXPECT_EQ(game_names().size(), 164u); }

}  // namespace
}  // namespace tarry
