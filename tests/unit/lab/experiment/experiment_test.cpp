#include "tarry/lab/plan/experiment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "paths.h"
#include "tarry/spec/toml.h"
#include "unit/expect_error.h"

namespace tarry::lab {
namespace {

// The smallest experiment, after which more lines may come.
const std::string kSmall = R"(rounds = 10
[set]
type = "l2_ball"
dimension = 2
radius = 1
[stream]
type = "random_linear"
dimension = 2
[[learners]]
type = "delayed_ogd"
eta = 0.5
)";

Experiment read(const std::string& toml) { return read_experiment(spec::parse_toml(toml)); }

std::string overridden(const std::string& toml, const std::string& assignment) {
  spec::Value file = spec::parse_toml(toml);
  override_key(file, assignment);
  return spec::to_json(file);
}

TEST(Experiment, HasDefaults) {
  const Experiment e = read(kSmall);
  EXPECT_EQ(e.name, "experiment");
  EXPECT_EQ(e.rounds, 10u);
  EXPECT_TRUE(e.horizons.empty());
  EXPECT_EQ(e.seeds, std::vector<std::uint64_t>{1});
  EXPECT_EQ(e.checkpoints, 60);
  EXPECT_EQ(e.gap, 1e-3);
  EXPECT_TRUE(e.comparator);
  ASSERT_EQ(e.streams.size(), 1u);
  ASSERT_EQ(e.delays.size(), 1u);
  EXPECT_EQ(e.delays[0].name, "none");
  EXPECT_EQ(spec::to_json(e.delays[0].spec), R"({"type": "none"})");
  ASSERT_EQ(e.learners.size(), 1u);
  EXPECT_TRUE(e.learners[0].regret);
  EXPECT_TRUE(e.learners[0].initial.empty());
  EXPECT_TRUE(e.learners[0].runs_on("anything"));
}

TEST(Experiment, ReadsEveryKey) {
  const Experiment e = read(R"(name = "all"
rounds = 100
seeds = [3, 0, 9007199254740992]
checkpoints = 7
gap = 0.25
comparator = false
[set]
type = "l2_ball"
dimension = 2
radius = 1
[[streams]]
name = "first"
type = "random_linear"
dimension = 2
[[streams]]
type = "constant"
dimension = 2
bound = 2.5
[[delays]]
name = "late"
type = "fixed"
delay = 7
[[delays]]
type = "geometric"
mean = 1.5
lost = 0.25
[[learners]]
name = "one"
type = "delayed_ogd"
eta = 0.5
initial = [0.25, 0]
streams = ["first"]
regret = false
[[learners]]
type = "bold"
base = { type = "delayed_ofw", eta = 0.1 }
set = { type = "simplex", dimension = 2 }
)");
  EXPECT_EQ(e.name, "all");
  EXPECT_EQ(e.rounds, 100u);
  EXPECT_EQ(e.seeds, (std::vector<std::uint64_t>{3, 0, 9007199254740992}));
  EXPECT_EQ(e.checkpoints, 7);
  EXPECT_EQ(e.gap, 0.25);
  EXPECT_FALSE(e.comparator);
  ASSERT_EQ(e.streams.size(), 2u);
  EXPECT_EQ(e.streams[0].name, "first");
  EXPECT_EQ(spec::to_json(e.streams[0].spec), R"({"type": "random_linear", "dimension": 2})");
  EXPECT_EQ(e.streams[1].name, "constant 2 2.5");
  ASSERT_EQ(e.delays.size(), 2u);
  EXPECT_EQ(e.delays[0].name, "late");
  EXPECT_EQ(spec::to_json(e.delays[0].spec), R"({"type": "fixed", "delay": 7})");
  EXPECT_EQ(e.delays[1].name, "geometric 1.5 0.25");
  ASSERT_EQ(e.learners.size(), 2u);
  const LearnerSpec &one = e.learners[0], &two = e.learners[1];
  EXPECT_EQ(one.name, "one");
  EXPECT_EQ(spec::to_json(one.learner), R"({"type": "delayed_ogd", "eta": 0.5})");
  EXPECT_EQ(spec::to_json(one.set), R"({"type": "l2_ball", "dimension": 2, "radius": 1})");
  EXPECT_EQ(one.initial, (Vec{0.25, 0}));
  EXPECT_FALSE(one.regret);
  EXPECT_TRUE(one.runs_on("first"));
  EXPECT_FALSE(one.runs_on("constant 2 2.5"));
  EXPECT_EQ(two.name, "bold");
  EXPECT_EQ(spec::to_json(two.set), R"({"dimension": 2, "type": "simplex"})");
  EXPECT_EQ(spec::to_json(two.learner), R"({"type": "bold", "base": {"eta": 0.1, "type": "delayed_ofw"}})");
}

TEST(Experiment, ALearnerThatWaitsPlaysWithRecordedDelaysAlone) {
  const auto read = [](const std::string& wait, const std::string& delays = "[[delays]]\ntype = \"recorded\"\n") {
    return read_experiment(
        spec::parse_toml("[stream]\ntype = \"late_labels\"\npath = \"my.csv\"\n[[delays]]\ntype = \"none\"\n" + delays +
                         "[[learners]]\nname = \"w\"\ntask = \"binary\"\nwait = " + wait + "\n"));
  };
  const Experiment e = read("\"nine in ten\"");
  const LearnerSpec& learner = e.learners.front();
  EXPECT_TRUE(learner.wait && learner.wait->nine_in_ten);
  EXPECT_EQ(spec::to_json(learner.learner), R"({"task": "binary"})");
  EXPECT_FALSE(learner.runs_with(e.delays[0]));
  EXPECT_TRUE(learner.runs_with(e.delays[1]));
  EXPECT_EQ(read("7.5").learners.front().wait->time, 7.5);
  EXPECT_ERROR(read("-1"), Code::kBadSpec,
               "line 11: experiment: wait must be \"nine in ten\", or a number of at least 0 in the unit of the times "
               "(wait = -1)");
  EXPECT_ERROR(read("\"long\""), Code::kBadSpec,
               "line 11: experiment: wait must be \"nine in ten\", or a number of at least 0 in the unit of the times "
               "(wait = \"long\")");
  EXPECT_ERROR(read("3", ""), Code::kBadSpec,
               "line 1: experiment: learner \"w\" has wait, which needs a delay of the type recorded");
}

TEST(Experiment, SeedsAreANumberOfThemOrAList) {
  EXPECT_EQ(read("seeds = 3\n" + kSmall).seeds, (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_EQ(read("seeds = [7]\n" + kSmall).seeds, (std::vector<std::uint64_t>{7}));
}

TEST(Experiment, HorizonsReplaceRounds) {
  std::string toml = kSmall;
  toml.replace(0, toml.find('\n'), "horizons = [16, 64, 65]");
  const Experiment e = read(toml);
  EXPECT_EQ(e.horizons, (std::vector<Round>{16, 64, 65}));
  EXPECT_EQ(e.rounds, 0u);
}

TEST(Experiment, OneLearnerAndOneDelayMayBeTables) {
  std::string toml = kSmall;
  toml.replace(toml.find("[[learners]]"), 12, "[learner]");
  const Experiment e = read(toml + "[delay]\ntype = \"fixed\"\ndelay = 2\n");
  EXPECT_EQ(e.learners.size(), 1u);
  EXPECT_EQ(e.delays[0].name, "fixed 2");
}

struct Wrong {
  const char* from;  // a text of kSmall …
  const char* to;    // … and what is there instead
  const char* message;
};

TEST(Experiment, SaysWhatIsWrongAndWhere) {
  const std::vector<Wrong> all = {
      {"rounds = 10", "rouns = 10",
       "line 1: experiment: unknown key \"rouns\" (known keys: name, about, rounds, horizons, seeds, checkpoints, gap, "
       "comparator, stream, streams, delay, delays, set, standardise, products, bends, trees, learner, learners, top, "
       "keep); "
       "did you "
       "mean "
       "rounds?"},
      {"rounds = 10", "rounds = 0",
       "line 1: experiment: rounds must be a whole number from 1 to 1099511627776 (rounds = 0)"},
      {"rounds = 10", "rounds = 2.5",
       "line 1: experiment: rounds must be a whole number from 1 to 1099511627776 (rounds = 2.5)"},
      {"rounds = 10", "rounds = \"ten\"",
       "line 1: experiment: rounds must be a whole number from 1 to 1099511627776 (rounds = \"ten\")"},
      {"rounds = 10", "rounds = 10\nhorizons = [5]", "line 1: experiment: give either rounds or horizons, not both"},
      {"rounds = 10", "horizons = [5, 5]",
       "line 1: experiment: horizons must be ascending whole numbers of at least 1 (horizons = [5, 5])"},
      {"rounds = 10", "horizons = [0]",
       "line 1: experiment: horizons must be ascending whole numbers of at least 1 (horizons = [0])"},
      {"rounds = 10", "horizons = []",
       "line 1: experiment: horizons must be an array with at least one number of rounds (horizons = [])"},
      {"rounds = 10", "horizons = [1.5]",
       "line 1: experiment: horizons must be an array of whole numbers (horizons = [1.5])"},
      {"rounds = 10", "rounds = 10\nname = 3", "line 2: experiment: name must be a text (name = 3)"},
      {"rounds = 10", "rounds = 10\nseeds = 0",
       "line 2: experiment: seeds must be a whole number from 1 to 100000 (seeds = 0)"},
      {"rounds = 10", "rounds = 10\nseeds = []",
       "line 2: experiment: seeds must be a number of seeds, or an array with at least one (seeds = [])"},
      {"rounds = 10", "rounds = 10\nseeds = [-1]",
       "line 2: experiment: seeds must be a number of seeds, or an array of whole numbers of at least 0 (seeds = "
       "[-1])"},
      {"rounds = 10", "rounds = 10\nseeds = [2, 2]",
       "line 2: experiment: seeds must be different seeds (seeds = [2, 2])"},
      {"rounds = 10", "rounds = 10\nseeds = \"many\"",
       "line 2: experiment: seeds must be an array of numbers (seeds = \"many\")"},
      {"rounds = 10", "rounds = 10\ncheckpoints = 1",
       "line 2: experiment: checkpoints must be a whole number from 2 to 10000 (checkpoints = 1)"},
      {"rounds = 10", "rounds = 10\ngap = 0", "line 2: experiment: gap must be positive (gap = 0)"},
      {"rounds = 10", "rounds = 10\ncomparator = 1",
       "line 2: experiment: comparator must be true or false (comparator = 1)"},
      {"[stream]", "[streem]",
       "line 6: experiment: unknown key \"streem\" (known keys: name, about, rounds, horizons, seeds, checkpoints, "
       "gap, "
       "comparator, stream, streams, delay, delays, set, standardise, products, bends, trees, learner, learners, top, "
       "keep); "
       "did you "
       "mean "
       "stream?"},
      {"[stream]\ntype = \"random_linear\"\ndimension = 2\n", "",
       "line 1: experiment: stream is missing (give [stream] or [[streams]])"},
      {"[[learners]]\ntype = \"delayed_ogd\"\neta = 0.5\n", "",
       "line 1: experiment: learners is missing (give [[learners]])"},
      {"[[learners]]", "[learners]",
       "line 9: delayed_ogd: learners must be an array of tables ([[learners]]) (learners = {\"type\": "
       "\"delayed_ogd\", \"eta\": 0.5})"},
      {"[set]\ntype = \"l2_ball\"\ndimension = 2\nradius = 1\n", "",
       "line 5: delayed_ogd: set is missing (give [set] for all learners, or a set for this one)"},
      {"[stream]\ntype = \"random_linear\"", "[stream]",
       "line 6: experiment: type is missing (wanted the name of one)"},
      {"eta = 0.5", "eta = 0.5\nregret = 1", "line 12: delayed_ogd: regret must be true or false (regret = 1)"},
      {"eta = 0.5", "eta = 0.5\ninitial = \"x\"",
       "line 12: delayed_ogd: initial must be an array of numbers (initial = \"x\")"},
      {"eta = 0.5", "eta = 0.5\nstreams = \"x\"",
       "line 12: delayed_ogd: streams must be an array of streams' names (streams = \"x\")"},
      {"eta = 0.5", "eta = 0.5\nstreams = [\"other\"]",
       "line 1: experiment: learner \"delayed_ogd 0.5\" runs on \"other\", but no stream has that name"},
      {"eta = 0.5", "eta = 0.5\n[[learners]]\ntype = \"delayed_ogd\"\neta = 0.5",
       "line 1: experiment: two learners have the name \"delayed_ogd 0.5\": give one of them another `name`"},
      {"eta = 0.5", "eta = 0.5\n[[delays]]\nname = \"x\"\ntype = \"none\"\n[[delays]]\nname = \"x\"\ntype = \"none\"",
       "line 1: experiment: two delays have the name \"x\": give one of them another `name`"},
      {"eta = 0.5", "eta = 0.5\n[delay]\ntype = \"none\"\n[[delays]]\ntype = \"none\"",
       "line 1: experiment: give either delay or delays, not both"},
      {"eta = 0.5", "eta = 0.5\nname = 4", "line 12: delayed_ogd: name must be a text (name = 4)"},
  };
  for (const Wrong& wrong : all) {
    std::string toml = kSmall;
    const auto at = toml.find(wrong.from);
    ASSERT_NE(at, std::string::npos) << wrong.from;
    toml.replace(at, std::string(wrong.from).size(), wrong.to);
    SCOPED_TRACE(toml);
    EXPECT_ERROR(read(toml), Code::kBadSpec, wrong.message);
  }
}

TEST(Experiment, TwoStreamsOfOneNameAreRefused) {
  std::string toml = kSmall;
  toml.replace(toml.find("[stream]"), 8, "[[streams]]\ntype = \"random_linear\"\ndimension = 2\n[[streams]]");
  EXPECT_ERROR(read(toml), Code::kBadSpec,
               "line 1: experiment: two streams have the name \"random_linear 2\": give one of them another `name`");
}

TEST(Override, SetsKeysAtAnyDepth) {
  const std::string toml = "a = 1\n[b]\nc = 2\n[[d]]\ne = 3\n[[d]]\ne = 4\n";
  EXPECT_EQ(overridden(toml, "a=5"), R"({"a": 5, "b": {"c": 2}, "d": [{"e": 3}, {"e": 4}]})");
  EXPECT_EQ(overridden(toml, "b.c=2.5"), R"({"a": 1, "b": {"c": 2.5}, "d": [{"e": 3}, {"e": 4}]})");
  EXPECT_EQ(overridden(toml, "d.1.e=[1, 2]"), R"({"a": 1, "b": {"c": 2}, "d": [{"e": 3}, {"e": [1, 2]}]})");
  EXPECT_EQ(overridden(toml, "d.0={ x = true }"), R"({"a": 1, "b": {"c": 2}, "d": [{"x": true}, {"e": 4}]})");
  EXPECT_EQ(overridden(toml, "new=1"), R"({"a": 1, "b": {"c": 2}, "d": [{"e": 3}, {"e": 4}], "new": 1})");
  EXPECT_EQ(overridden("a = 1\n", "x.y.z=1"), R"({"a": 1, "x": {"y": {"z": 1}}})");
}

TEST(Override, WhatIsNoTomlIsAText) {
  for (const auto& [assignment, json] : std::vector<std::pair<std::string, std::string>>{
           {"a=word", R"({"a": "word"})"},
           {"a=\"word\"", R"({"a": "word"})"},
           {"a=flights.csv.gz", R"({"a": "flights.csv.gz"})"},
           {"a=/tmp/with \"quotes\".csv", R"({"a": "/tmp/with \"quotes\".csv"})"},
           {"a=b=c", R"({"a": "b=c"})"},
           {"a=", R"({"a": ""})"},
           {"a=true", R"({"a": true})"},
           {"a=-1e-3", R"({"a": -0.001})"},
           {"a=stream", R"({"a": "stream"})"}})
    EXPECT_EQ(overridden("a = 1\n", assignment), json) << assignment;
}

TEST(Override, SaysWhatIsWrong) {
  const std::string toml = "a = 1\nn = [1, 2]\n[b]\nc = 2\n[[d]]\ne = 3\n";
  for (const auto& [assignment, why] : std::vector<std::pair<std::string, std::string>>{
           {"a", "wanted key=value"},
           {"", "wanted key=value"},
           {"=3", "wanted key=value"},
           {"a.b=3", "b is inside a value that has no keys"},
           {"n.0=3", "0 is inside a value that has no keys"},
           {"d.1.e=3", "1 is not one of the 1 entries"},
           {"d.x.e=3", "x is not one of the 1 entries"},
           {"d.-1.e=3", "-1 is not one of the 1 entries"},
           {"d.99999999999999999999.e=3", "99999999999999999999 is not one of the 1 entries"}})
    EXPECT_ERROR(overridden(toml, assignment), Code::kBadSpec, "override \"" + assignment + "\": " + why);
}

// An error in a value that an override gave names no line: there is none.
TEST(Override, HasNoLine) {
  spec::Value file = spec::parse_toml(kSmall);
  override_key(file, "rounds=-4");
  EXPECT_ERROR(read_experiment(file), Code::kBadSpec,
               "experiment: rounds must be a whole number from 1 to 1099511627776 (rounds = -4)");
  override_key(file, "rounds=4");
  override_key(file, "learners.0={ type = \"delayed_ogd\", regret = 3 }");
  EXPECT_ERROR(read_experiment(file), Code::kBadSpec, "delayed_ogd: regret must be true or false (regret = 3)");
}

TEST(CheckpointRounds, AscendFromOneToTheLastAndAreAsManyAsAsked) {
  for (const Round rounds :
       {Round{1}, Round{2}, Round{3}, Round{10}, Round{59}, Round{1000}, Round{123456789}, Round{1} << 40})
    for (const int count : {2, 3, 10, 60, 1000}) {
      const std::vector<Round> list = checkpoint_rounds(rounds, count);
      EXPECT_EQ(list.front(), 1u);
      EXPECT_EQ(list.back(), rounds);
      EXPECT_LE(list.size(), static_cast<std::size_t>(count));
      EXPECT_TRUE(std::adjacent_find(list.begin(), list.end(), std::greater_equal<>()) == list.end());
    }
  EXPECT_EQ(checkpoint_rounds(1000, 4), (std::vector<Round>{1, 10, 100, 1000}));
  EXPECT_EQ(checkpoint_rounds(4, 60), (std::vector<Round>{1, 2, 3, 4}));
  EXPECT_EQ(checkpoint_rounds(Round{1} << 40, 60).size(), 60u);
}

TEST(Examples, AllParse) {
  int parsed = 0;
  for (const auto& file : std::filesystem::directory_iterator(paths::kExamples)) {
    if (file.path().extension() != ".toml") continue;
    SCOPED_TRACE(file.path());
    std::ostringstream text;
    text << std::ifstream(file.path()).rdbuf();
    const Experiment e = read(text.str());
    EXPECT_EQ(e.name, file.path().stem());
    EXPECT_FALSE(e.learners.empty());
    ++parsed;
  }
  EXPECT_GE(parsed, 7);
}

}  // namespace
}  // namespace tarry::lab
