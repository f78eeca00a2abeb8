#include "tarry/lab/play/run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "paths.h"
#include "tarry/base/random.h"
#include "tarry/lab/delays/recorded_delays.h"
#include "tarry/lab/experiment/lab.h"
#include "tarry/lab/report/results.h"
#include "tarry/sets/balls/l2_ball.h"
#include "tarry/spec/json.h"
#include "tarry/spec/toml.h"
#include "unit/data/timed_csv.h"
#include "unit/expect_error.h"

namespace tarry::lab {

using namespace data;
namespace {

namespace fs = std::filesystem;

Experiment read(const std::string& toml) { return read_experiment(spec::parse_toml(toml)); }

// ---- experiments on disk

class RunExperiment : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("tarry_run_{}", ::getpid());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  LabResult run(const std::string& toml, const std::string& out = "out", int jobs = 1) const {
    const Experiment e = read(toml);
    return run_experiment(e, {.out = folder_ / out, .jobs = jobs, .clock = {}, .progress = {}});
  }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  std::size_t run_files(const std::string& out = "out") const {
    const fs::directory_iterator files(folder_ / out / "runs");
    return static_cast<std::size_t>(std::count_if(begin(files), end(files), [](const auto& file) {
      return file.path().filename().string().starts_with("run-");
    }));
  }

  fs::path folder_;
};

const std::string kGrid = R"(rounds = 150
seeds = 2
checkpoints = 8
[set]
type = "l2_ball"
dimension = 3
radius = 1
[[streams]]
type = "random_linear"
dimension = 3
[[streams]]
type = "random_quadratic"
dimension = 3
beta = 1
reach = 0.5
[[delays]]
type = "none"
[[delays]]
type = "pareto"
shape = 1.2
lost = 0.1
[[learners]]
type = "delayed_ofw"
eta = 0.01
set = { type = "hypersimplex", dimension = 3, k = 1 }
[[learners]]
name = "twin"
type = "gauge_ftrl"
[[learners]]
type = "gauge_ftrl"
)";

// Everything but the seconds.
std::string without_seconds(LabResult result) {
  for (RunResult& run : result.runs) run.curves.seconds.assign(run.curves.seconds.size(), 0.0);
  return curves_csv(result.runs);
}

TEST_F(RunExperiment, GivesTheSameNumbersForAnyNumberOfJobsAndFromKeptRuns) {
  const LabResult one = run(kGrid, "one", 1);
  EXPECT_EQ(one.runs.size(), 24u);
  EXPECT_EQ(run_files("one"), 16u);  // twins share a file
  const std::string numbers = without_seconds(one);
  EXPECT_EQ(without_seconds(run(kGrid, "two", 2)), numbers);
  const LabResult kept = run(kGrid, "one", 2);
  EXPECT_EQ(kept.kept, 24u);
  EXPECT_EQ(without_seconds(kept), numbers);
}

TEST_F(RunExperiment, RegretIsTheLossBesideTheBestAlways) {
  for (const RunResult& run : run(kGrid).runs) {
    ASSERT_EQ(run.curves.regret_low.size(), run.curves.round.size());
    for (std::size_t i = 0; i < run.curves.round.size(); ++i) {
      EXPECT_LE(run.curves.regret_low[i], run.curves.regret_high[i]);
      if (!std::isnan(run.curves.bound[i])) {
        EXPECT_LE(run.curves.regret_high[i], run.curves.bound[i] + 0.01);
      }
    }
  }
  EXPECT_TRUE(run("comparator = false\n" + kGrid).runs.front().curves.regret_low.empty());
}

TEST_F(RunExperiment, FailsBeforeAnythingHasRunWhereTheLastLearnerIsWrong) {
  for (const auto& [wrong, message] : std::vector<std::pair<std::string, std::string>>{
           {"[[learners]]\ntype = \"delayed_ofw\"\neta = 0.1\nspeed = 3\n", "line 34: delayed_ofw: unknown key "},
           {"[[learners]]\ntype = \"delayed_ofw\"\neta = 0\n", "line 33: delayed_ofw: eta must be positive"},
           {"[[learners]]\ntype = \"nobody\"\n", "line 32: unknown learner type \"nobody\""},
           {"[[delays]]\ntype = \"fixed\"\n", "line 31: fixed: delay is missing"},
           {"[[delays]]\ntype = \"recorded\"\n",
            "line 31: recorded: the stream has no event and feedback times to take delays from"},
           {"[[streams]]\ntype = \"constant\"\ndimension = 4\n",
            "line 25: hypersimplex: dimension must be the stream's, 4 (it is 3)"}}) {
    const Thrown thrown = thrown_by([&] { run(kGrid + wrong); });
    EXPECT_NE(thrown.message.find(message), std::string::npos) << thrown.message;
    EXPECT_EQ(run_files(), 0u);
  }
}

// ---- data whose labels come at their own times

// One column of numbers, one of words, times with ties, late and missing labels.
std::string timed_csv(std::size_t rows) {
  RandomSequence random(8);
  std::string text = "asked,known,x,word,y\n";
  double now = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    now += std::floor(random.uniform(0, 3));  // also at the same minute
    const double x = random.gaussian(), wait = std::floor(random.uniform(0, 40));
    const bool lost = random.uniform(0, 1) < 0.05;
    const std::string known = lost ? "" : fmt::format("{}", now + wait);
    const std::string y = lost && i % 2 == 0 ? "" : fmt::format("{}", 3 * x - 1 + random.gaussian());
    text += fmt::format("{},{},{},w{},{}\n", now, known, x, i % 7, y);
  }
  return text;
}

std::vector<TimedRow> timed_rows(const std::string& csv) {
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  std::vector<TimedRow> rows;
  while (std::getline(lines, line)) {
    const auto cells = cells_of(line);
    rows.push_back({std::stod(cells[0]),
                    cells[1].empty() ? INFINITY : std::stod(cells[1]),
                    cells[4].empty() ? std::nan("") : std::stod(cells[4]),
                    {{0, std::stod(cells[2])}, {1 + slot_of("word", cells[3], 16), 1}, {17, 1}}});
  }
  return rows;
}

std::string timed_toml(const std::string& path, const std::string& delay) {
  return fmt::format(R"(checkpoints = 10000
comparator = false
[set]
type = "l2_ball"
dimension = "stream"
radius = 2.5
[stream]
type = "csv"
path = "{}"
label = "y"
loss = "squared"
features = ["x"]
categorical = ["word"]
hash_dimension = 16
event_time = "asked"
feedback_time = "known"
[delay]
{}
[[learners]]
type = "delayed_ogd"
eta = 0.02
)",
                     path, delay);
}

// A learner that writes down what happens to it.
struct Witness {
  std::vector<Happening>* log;
  double play(Round t, const Covector*, Memo&) {
    log->push_back({'p', t});
    return 0;
  }
  void write(std::span<double>) const {}
  void receive(Round t, const Feedback&, const Memo&) { log->push_back({'r', t}); }
  void abandon(Round, const Memo&) {}
  double predict(const Covector&) const { return 0; }
  void save(ByteWriter&) const {}
  void load(ByteReader&) {}
};

std::vector<Happening> witnessed(const Stream& stream) {
  std::vector<Happening> log;
  Model model(L2Ball(stream.dimension, 1), Witness{&log}, stream.table()->loss);
  const auto delays = recorded_delays(*stream.table()->data);
  play_game(model, stream, *delays, {.rounds = stream.rounds, .after = {}, .clock = {}});
  return log;
}

// Whether the summed losses of a run are those of the second reading, at each of its checkpoints.
bool same_losses(const Curves& curves, const std::vector<double>& losses) {
  for (std::size_t i = 0; i < curves.round.size(); ++i) {
    const double expected = losses[curves.round[i] - 1];
    if (!(std::fabs(curves.loss[i] - expected) <= 1e-9 * std::max(1.0, expected))) return false;
  }
  return !curves.round.empty();
}

TEST_F(RunExperiment, LabelsComeWhenTheyAreKnownAndNoSooner) {
  const std::string csv = timed_csv(3000);
  const std::string toml = timed_toml(write("timed.csv", csv), "type = \"recorded\"");
  const std::vector<TimedRow> rows = timed_rows(csv);
  const auto truth = simulate(rows), leak = simulate(rows, 1);
  const Experiment e = read(toml);
  const auto seen = witnessed(make_stream(spec::Node(e.streams[0].spec, "stream"), 0, 1));
  // After the last query nothing is played that a label could help.
  EXPECT_EQ(seen, truth);
  EXPECT_NE(seen, leak);

  const Curves curves = run(toml).runs.front().curves;
  EXPECT_GT(curves.round.size(), 300u);
  EXPECT_TRUE(same_losses(curves, descend(rows, truth, 18, 0.02, 2.5)));
  EXPECT_FALSE(same_losses(curves, descend(rows, leak, 18, 0.02, 2.5)));
}

// The check sees a leak planted on the other side too: feedback times that are a little too early.
TEST_F(RunExperiment, ALeakInTheDataIsSeen) {
  const std::string csv = timed_csv(1000);
  std::vector<TimedRow> rows = timed_rows(csv);
  std::string leaky = "asked,known,x,word,y\n";
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const auto cells = cells_of(line);
    std::string known;
    if (!cells[1].empty()) known = fmt::format("{}", std::max(std::stod(cells[0]), std::stod(cells[1]) - 1));
    leaky += fmt::format("{},{},{},{},{}\n", cells[0], known, cells[2], cells[3], cells[4]);
  }
  const auto truth = descend(rows, simulate(rows), 18, 0.02, 2.5);
  const std::string delay = "type = \"recorded\"";
  EXPECT_TRUE(same_losses(run(timed_toml(write("a.csv", csv), delay)).runs.front().curves, truth));
  EXPECT_FALSE(same_losses(run(timed_toml(write("b.csv", leaky), delay)).runs.front().curves, truth));
}

TEST_F(RunExperiment, RowsWithoutALabelAreNeitherJudgedNorAnswered) {
  const std::string csv = "asked,known,x,word,y\n1,1.5,1,a,2\n2,,1,a,\n3,3.5,1,a,2\n4,,1,a,7\n5,6,1,a,2\n7,8,1,a,2\n";
  for (const char* delay : {"type = \"recorded\"", "type = \"none\"", "type = \"adversarial\"\nhold = 1"}) {
    SCOPED_TRACE(delay);
    const RunResult result = run(timed_toml(write("gaps.csv", csv), delay), delay).runs.front();
    ASSERT_EQ(result.curves.round, (std::vector<Round>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(result.curves.loss[0], 4);
    EXPECT_EQ(result.curves.loss[1], 4);
    EXPECT_EQ(result.curves.metrics.at("mae")[1], 2);
    EXPECT_GT(result.curves.loss[3], result.curves.loss[2]);  // a label that came to nobody still judges
    for (double loss : result.curves.loss) EXPECT_TRUE(std::isfinite(loss));
  }
}

TEST_F(RunExperiment, RecordedDelaysMayLoseFeedbackToo) {
  const std::string path = write("timed.csv", timed_csv(500));
  const RunResult all = run(timed_toml(path, "type = \"recorded\"")).runs.front();
  const RunResult some = run(timed_toml(path, "type = \"recorded\"\nlost = 0.5")).runs.front();
  EXPECT_NEAR(static_cast<double>(some.delays.answered), static_cast<double>(all.delays.answered) / 2, 50);
  EXPECT_ERROR(run(timed_toml(path, "type = \"recorded\"\nfound = 1")), Code::kBadSpec,
               "line 19: recorded: unknown key \"found\" (known keys: lost, type, wait)");
}

TEST_F(RunExperiment, RunsAgainWhenADataFileHasChangedEvenWithinItsSize) {
  std::string csv = timed_csv(100);
  const std::string toml = timed_toml(write("timed.csv", csv), "type = \"none\"");
  const double before = run(toml).runs.front().curves.loss.back();
  EXPECT_EQ(run(toml).kept, 1u);
  csv.replace(csv.rfind(",w"), 3, ",w9");
  csv[csv.size() - 2] = csv[csv.size() - 2] == '9' ? '1' : '9';
  write("timed.csv", csv);
  const LabResult after = run(toml);
  EXPECT_EQ(after.kept, 0u);
  EXPECT_NE(after.runs.front().curves.loss.back(), before);
}

TEST_F(RunExperiment, RunFilesThatAreDamagedAreRunAgain) {
  const std::string numbers = without_seconds(run(kGrid));
  std::size_t damaged = 0;
  for (const auto& file : fs::directory_iterator(folder_ / "out" / "runs")) {
    if (damaged % 3 == 0) {
      fs::resize_file(file.path(), fs::file_size(file.path()) / 2);
    } else if (damaged % 3 == 1) {
      std::ofstream(file.path()) << "{}";
    } else {
      std::ofstream(file.path()) << R"({"low": [1], "high": [2], "metrics": 7})";
    }
    ++damaged;
  }
  EXPECT_GT(damaged, 16u);
  const LabResult again = run(kGrid);
  EXPECT_LE(again.kept, 8u);  // twins find what was run a moment ago
  EXPECT_EQ(without_seconds(again), numbers);
}

// ---- the real flights, where they are at hand

std::string data_folder() {
  const char* given = std::getenv("TARRY_DATA");
  return given != nullptr ? given : paths::kData;
}

TEST_F(RunExperiment, FlightsAreLearntFromOnlyOnceTheyHaveLanded) {
  const std::string path = data_folder() + "/flights/derived_hflights_stream.csv.gz";
  if (!fs::exists(path)) GTEST_SKIP() << "no " << path;
  constexpr std::size_t kRows = 5000;
  std::vector<TimedRow> rows;
  FILE* text = ::popen(("gzip -dc '" + path + "'").c_str(), "r");
  ASSERT_NE(text, nullptr);
  char line[4096];
  ASSERT_NE(std::fgets(line, sizeof line, text), nullptr);
  auto header = cells_of(std::string(line, std::strcspn(line, "\r\n")));
  const auto column = [&](const char* name) {
    return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
  };
  while (rows.size() < kRows && std::fgets(line, sizeof line, text) != nullptr) {
    const auto cells = cells_of(std::string(line, std::strcspn(line, "\r\n")));
    const auto number = [&](const char* name) { return std::stod(cells.at(column(name))); };
    rows.push_back({number("t_depart_min"),
                    number("t_feedback_min"),
                    number("ArrDelay"),
                    {{0, number("DepDelay") / 30},
                     {1, number("TaxiOut") / 10},
                     {2, number("Distance") / 1000},
                     {3 + slot_of("UniqueCarrier", cells.at(column("UniqueCarrier")), 256), 1},
                     {3 + slot_of("Dest", cells.at(column("Dest")), 256), 1},
                     {259, 1}}});
  }
  ::pclose(text);

  std::ostringstream toml;
  toml << std::ifstream(fs::path(paths::kExamples) / "flights.toml").rdbuf();
  spec::Value file = spec::parse_toml(toml.str());
  for (const std::string& assignment :
       {"stream.path=\"" + path + "\"", fmt::format("stream.limit={}", kRows), std::string("comparator=false"),
        std::string("checkpoints=10000"), std::string("delays=[{ type = \"recorded\" }]"),
        std::string("learners=[{ type = \"delayed_ogd\", eta = 0.001 }]")})
    override_key(file, assignment);
  const Experiment e = read_experiment(file);
  const auto truth = simulate(rows), leak = simulate(rows, 1);
  EXPECT_EQ(witnessed(make_stream(spec::Node(e.streams[0].spec, "stream"), 0, 1)), truth);
  const LabResult result = run_experiment(e, {.out = folder_ / "flights", .jobs = 1, .clock = {}, .progress = {}});
  EXPECT_TRUE(same_losses(result.runs.front().curves, descend(rows, truth, 260, 0.001, 60)));
  EXPECT_FALSE(same_losses(result.runs.front().curves, descend(rows, leak, 260, 0.001, 60)));
}

}  // namespace
}  // namespace tarry::lab
