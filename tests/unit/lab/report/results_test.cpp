#include "tarry/lab/report/results.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <bit>
#include <cmath>
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include "tarry/data/text/write_file.h"
#include "tarry/lab/report/report_template.h"
#include "tarry/spec/json.h"
#include "tarry/spec/node.h"
#include "unit/expect_error.h"

namespace tarry::lab {
namespace {

namespace fs = std::filesystem;

const double kNaN = std::nan("");

RunResult example_run() {
  RunResult run;
  run.stream = "random, linear";
  run.delay = "a \"late\" one";
  run.learner = "OFW";
  run.set = "l2_ball";
  run.seed = 9007199254740993;  // no double
  run.curves.round = {1, 10, Round{1} << 40};
  run.curves.loss = {0.1, -1.0 / 3, 1e-310};
  run.curves.bound = {kNaN, 1e150, 2};
  run.curves.outstanding = {0, 1, 2};
  run.curves.oracle_calls = {1, 2, 3};
  run.curves.seconds = {1e-9, 0.1 + 0.2, 1};
  run.curves.state_bytes = {100, 200, 300};
  run.curves.metrics = {{"rmse", {kNaN, 2.5, -0.0}}, {"mae", {1, 2, 3}}};
  run.delays.answered = 40;
  run.delays.sum = 123456789;
  run.delays.largest = 17;
  run.delays.most_outstanding = 5;
  run.delays.sum_outstanding = 99;
  run.delays.histogram[0] = 3;
  run.delays.histogram[4] = 7;
  run.lost = 2;
  run.on_its_way = 3;
  run.waits = Waits{1, 20, 300};
  return run;
}

RunResult with_regret(RunResult run) {
  add_regret(run, {{-1, -0.5}, {-2, -1}, {-4, -4}});
  return run;
}

std::vector<std::uint64_t> bits(const Vec& x) {
  std::vector<std::uint64_t> all;
  for (double xi : x) all.push_back(std::isnan(xi) ? 0 : std::bit_cast<std::uint64_t>(xi));
  return all;
}

void expect_same(const RunResult& a, const RunResult& b) {
  EXPECT_EQ(a.stream, b.stream);
  EXPECT_EQ(a.delay, b.delay);
  EXPECT_EQ(a.learner, b.learner);
  EXPECT_EQ(a.set, b.set);
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.lost, b.lost);
  EXPECT_EQ(a.on_its_way, b.on_its_way);
  ASSERT_EQ(a.waits.has_value(), b.waits.has_value());
  if (a.waits) {
    EXPECT_EQ(a.waits->longest, b.waits->longest);
  }
  EXPECT_EQ(a.curves.round, b.curves.round);
  for (Vec Curves::*column : {&Curves::loss, &Curves::regret_low, &Curves::regret_high, &Curves::bound,
                              &Curves::outstanding, &Curves::oracle_calls, &Curves::seconds, &Curves::state_bytes})
    EXPECT_EQ(bits(a.curves.*column), bits(b.curves.*column));
  ASSERT_EQ(a.curves.metrics.size(), b.curves.metrics.size());
  for (const auto& [name, column] : a.curves.metrics) EXPECT_EQ(bits(column), bits(b.curves.metrics.at(name))) << name;
  EXPECT_EQ(a.delays.answered, b.delays.answered);
  EXPECT_EQ(a.delays.sum, b.delays.sum);
  EXPECT_EQ(a.delays.largest, b.delays.largest);
  EXPECT_EQ(a.delays.most_outstanding, b.delays.most_outstanding);
  EXPECT_EQ(a.delays.sum_outstanding, b.delays.sum_outstanding);
  EXPECT_EQ(a.delays.histogram, b.delays.histogram);
}

// Three checkpoints with a summed loss of 8: one where the best is known, one where it is known but for rounding, and
// one whose interval is wider than all that was lost.
TEST(AddRegret, ShowsNoIntervalThatSaysNothing) {
  RunResult run = example_run();
  run.curves.round = {10, 100, 1000};
  run.curves.loss = {8, 8, 8};
  add_regret(run, {{3, 3.5}, {5, 5}, {0, 1e6}}, true);
  EXPECT_NEAR(run.curves.regret_low[0], 4.5, 1e-12);
  EXPECT_NEAR(run.curves.regret_high[0], 5, 1e-12);
  EXPECT_LT(run.curves.regret_low[1], 3);  // the loss was summed with rounding
  EXPECT_GT(run.curves.regret_high[1], 3);
  EXPECT_NEAR(run.curves.regret_high[1], run.curves.regret_low[1], 1e-12);
  EXPECT_TRUE(std::isnan(run.curves.regret_low[2]) && std::isnan(run.curves.regret_high[2]));
  EXPECT_FALSE(summarise({run}).front().regret_high);
  run.curves.loss = {1e9, 1e9, 1e9};  // beside which it is narrow
  add_regret(run, {{3, 3.5}, {5, 5}, {0, 1e6}}, true);
  EXPECT_NEAR(*summarise({run}).front().regret_low, 1e9 - 1e6, 1);
}

TEST(RunFiles, KeepEveryBit) {
  for (const RunResult& run : {example_run(), with_regret(example_run())}) {
    const std::string json = to_json(run);
    expect_same(run_from_json(json), run);
    EXPECT_EQ(to_json(run_from_json(json)), json);
    EXPECT_TRUE(json.ends_with("}\n"));
    EXPECT_EQ(std::count(json.begin(), json.end(), '\n'), 1);
  }
}

TEST(RunFiles, ThatAreNotWholeAreErrors) {
  const std::string json = to_json(with_regret(example_run()));
  for (std::size_t length = 0; length + 2 < json.size(); ++length) {
    try {
      run_from_json(json.substr(0, length));
      ADD_FAILURE() << "read the first " << length << " bytes";
    } catch (const Error&) {  // anything else ends the test
    }
  }
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = json;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  for (const std::string& wrong :
       {changed("\"metrics\": {", "\"metrics\": 3, \"x\": {"), changed("\"loss\": [", "\"loss\": [1, "),
        changed("\"mae\": [1, ", "\"mae\": ["), changed("\"seed\": ", "\"seat\": "), std::string("[]"),
        std::string("3"), std::string("null")})
    EXPECT_NE(thrown_by([&] { run_from_json(wrong); }).message, "nothing was thrown") << wrong;
}

TEST(IntervalFiles, KeepEveryBit) {
  const std::vector<Interval> intervals = {{-1.0 / 3, 0.1}, {1e-300, 5}};
  const auto again = intervals_from_json(intervals_to_json(intervals));
  ASSERT_EQ(again.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(again[i].low, intervals[i].low);
    EXPECT_EQ(again[i].high, intervals[i].high);
  }
}

TEST(CurvesCsv, HasItsColumnsAndQuotesNames) {
  RunResult plain = example_run();
  plain.stream = "two\nlines";
  plain.curves.metrics.clear();
  plain.seed = 2;
  const std::string csv = curves_csv({with_regret(example_run()), plain});
  EXPECT_EQ(csv,
            "stream,delay,learner,set,seed,round,loss,regret_low,regret_high,bound,outstanding,oracle_calls,seconds,"
            "state_bytes,mae,rmse\n"
            "\"random, linear\",\"a \"\"late\"\" one\",OFW,l2_ball,9007199254740993,1,0.1,0.6,1.1,,0,1,1e-09,100,1,\n"
            "\"random, linear\",\"a \"\"late\"\" one\",OFW,l2_ball,9007199254740993,10,-0.3333333333333333,"
            "0.6666666666666667,1.6666666666666667,1e+150,1,2,0.30000000000000004,200,2,2.5\n"
            "\"random, linear\",\"a \"\"late\"\" one\",OFW,l2_ball,9007199254740993,1099511627776,1e-310,4,4,2,2,3,1,"
            "300,3,-0\n"
            "\"two\nlines\",\"a \"\"late\"\" one\",OFW,l2_ball,2,1,0.1,,,,0,1,1e-09,100,,\n"
            "\"two\nlines\",\"a \"\"late\"\" one\",OFW,l2_ball,2,10,-0.3333333333333333,,,1e+150,1,2,"
            "0.30000000000000004,200,,\n"
            "\"two\nlines\",\"a \"\"late\"\" one\",OFW,l2_ball,2,1099511627776,1e-310,,,2,2,3,1,300,,\n");
}

TEST(Summary, IsTheMeanOverSeedsAndTheExponentOfTheSecondHalf) {
  std::vector<RunResult> runs;
  for (const double size : {1.0, 3.0}) {
    RunResult run;
    run.learner = "one";
    Curves& c = run.curves;
    for (Round t = 1; t <= 1024; t *= 2) {
      c.round.push_back(t);
      c.regret_high.push_back(t < 32 ? 1 : size * std::pow(static_cast<double>(t), 0.75));
      c.regret_low.push_back(c.regret_high.back() - 1);
    }
    const Vec column(c.round.size(), 2 * size);
    c.loss = c.bound = c.outstanding = c.oracle_calls = c.seconds = c.state_bytes = column;
    c.metrics["rmse"] = column;
    runs.push_back(run);
  }
  runs.push_back(runs.front());
  runs.back().learner = "other";
  runs.back().curves.regret_low.clear();
  runs.back().curves.regret_high.clear();
  runs.back().curves.bound.back() = kNaN;
  const auto groups = summarise(runs);
  ASSERT_EQ(groups.size(), 2u);
  const GroupSummary& g = groups[0];
  const double power = std::pow(1024.0, 0.75);
  EXPECT_EQ(g.seeds, 2u);
  EXPECT_EQ(g.loss, 4);
  EXPECT_EQ(g.bound, 4);
  EXPECT_EQ(g.metrics, (std::map<std::string, double>{{"rmse", 4}}));
  EXPECT_NEAR(*g.regret_high, 2 * power, 1e-9);
  EXPECT_NEAR(*g.regret_low, 2 * power - 1, 1e-9);
  EXPECT_NEAR(*g.regret_sd, std::sqrt(2) * power, 1e-9);  // of a sample: n − 1
  EXPECT_NEAR(*g.exponent, 0.75, 1e-12);
  EXPECT_NEAR(g.seconds_per_round, 4 / 1024.0, 1e-15);
  EXPECT_EQ(groups[1].seeds, 1u);
  EXPECT_FALSE(groups[1].regret_high || groups[1].regret_sd || groups[1].exponent || groups[1].bound);
}

TEST(Report, HoldsTheRunsWhateverTheSpecificationSays) {
  const ReportInput input{"a <b> name", "# </script><!--<script> & \\u003c \"\n", "2020-01-01"};
  const std::vector<RunResult> runs = {with_regret(example_run())};
  const std::string html = report_html(input, runs);
  const std::string_view before = kReportData.substr(0, kReportData.find("{}"));
  const std::size_t begin = html.find(before) + before.size();
  const std::string data = html.substr(begin, html.find("</script>", begin) - begin);
  EXPECT_EQ(data.find('<'), std::string::npos);
  EXPECT_EQ(spec::to_json(spec::parse_json(data)), spec::to_json(spec::parse_json(summary_json(input, runs))));
  const spec::Value summary = spec::parse_json(data);
  EXPECT_EQ(spec::Node(summary, "summary").text("spec"), input.spec_text);
  EXPECT_EQ(html.size(), kReportPage.text.size() - 2 + data.size());
  EXPECT_EQ(html.substr(0, begin), kReportPage.text.substr(0, begin));
  EXPECT_TRUE(html.ends_with("</html>\n"));
}

class WriteFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("tarry_write_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& file : fs::directory_iterator(folder_)) names.push_back(file.path().filename());
    return names;
  }
  static std::string read(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }

  fs::path folder_;
};

TEST_F(WriteFile, WritesAllOfItAndReplacesWhatWasThere) {
  const std::string text(100000, 'x');
  data::write_file(folder_ / "a", text);
  EXPECT_EQ(read(folder_ / "a"), text);
  data::write_file(folder_ / "a", "short");
  EXPECT_EQ(read(folder_ / "a"), "short");
  data::write_file(folder_ / "a", "");
  EXPECT_EQ(read(folder_ / "a"), "");
  EXPECT_EQ(files(), std::vector<std::string>{"a"});
}

TEST_F(WriteFile, SaysWhyItCannot) {
  const std::string missing = folder_ / "no" / "a", place = folder_ / "place";
  EXPECT_ERROR(data::write_file(missing, "x"), Code::kIo, missing + ": cannot be created: No such file or directory");
  fs::create_directories(fs::path(place) / "inside");
  EXPECT_ERROR(data::write_file(place, "x"), Code::kIo, place + ": cannot be renamed into place: Is a directory");
  EXPECT_EQ(files(), std::vector<std::string>{"place"});
}

// A full disk: no byte beyond the limit can be written.
TEST_F(WriteFile, LeavesTheOldFileWhereTheNewOneDoesNotFit) {
  const fs::path path = folder_ / "a";
  data::write_file(path, "old");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{4096, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const Thrown thrown = thrown_by([&] { data::write_file(path, std::string(10000, 'x')); });
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(thrown.message, path.string() + ": cannot be written: File too large");
  EXPECT_EQ(read(path), "old");
  EXPECT_EQ(files(), std::vector<std::string>{"a"});
}

TEST_F(WriteFile, ThreadsMayWriteOnePathAtTheSameTime) {
  const fs::path path = folder_ / "a";
  const std::string one(50000, '1'), two(60000, '2');
  const auto write_often = [&](const std::string& text) {
    for (int i = 0; i < 200; ++i) data::write_file(path, text);
  };
  std::thread other([&] { EXPECT_NO_THROW(write_often(one)); });
  EXPECT_NO_THROW(write_often(two));
  other.join();
  const std::string found = read(path);
  EXPECT_TRUE(found == one || found == two);
  EXPECT_EQ(files(), std::vector<std::string>{"a"});
}

}  // namespace
}  // namespace tarry::lab
