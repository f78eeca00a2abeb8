#include "tarry/lab/report/verdict.h"

#include <gtest/gtest.h>

#include "tarry/lab/report/results.h"
#include "tarry/spec/toml.h"

namespace tarry::lab {
namespace {

Experiment told_experiment() {
  return read_experiment(spec::parse_toml(R"(
name = "t"
keep = "auto"
[stream]
name = "s"
type = "csv"
path = "t.csv"
[[delays]]
name = "at once"
type = "none"
[[delays]]
name = "late"
type = "recorded"
[[learners]]
name = "auto"
task = "binary"
[[learners]]
name = "base rate"
task = "binary"
only = []
learner = { type = "running_share" }
)"));
}

GroupSummary told_group(const std::string& delay, const std::string& learner, double loss, double accuracy) {
  GroupSummary g;
  g.stream = "s";
  g.delay = delay;
  g.learner = learner;
  g.metrics = {{"log_loss", loss}, {"accuracy", accuracy}};
  return g;
}

// Losses of auto and of the base rate, at once and late.
struct Losses {
  double auto_at_once, auto_late, base_at_once, base_late;
};

Verdict verdict_on(const Losses& x, const Reading& reading) {
  const Experiment e = told_experiment();
  const std::vector<GroupSummary> groups = {
      told_group("at once", "auto", x.auto_at_once, 0.8), told_group("at once", "base rate", x.base_at_once, 0.6),
      told_group("late", "auto", x.auto_late, 0.76), told_group("late", "base rate", x.base_late, 0.61)};
  const auto all = verdicts(e, leaderboards(e, groups), groups, {reading});
  EXPECT_EQ(all.size(), 1u);
  return all.at(0);
}

Reading told_reading(std::size_t no, std::size_t yes, bool late = false) {
  Reading r{.stream = "s", .lines = {}, .by_class = {{"not yes", no, {}}, {"yes", yes, {}}}};
  if (late) r.table.late = LateClass{"yes", 42 * 3600.0, 12 * 3600.0};
  return r;
}

bool has_text(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Verdict, SaysHowOftenItIsRightAndWhatWaitingCosts) {
  const Verdict v = verdict_on({0.4, 0.42, 0.6, 0.62}, told_reading(500, 300, true));
  EXPECT_FALSE(v.loses);
  ASSERT_EQ(v.says.size(), 3u);
  EXPECT_EQ(
      v.says[0],
      "auto would have been right in 76 % of cases; always naming the label that was most frequent so far, in 61 %.");
  EXPECT_EQ(v.says[1],
            "Waiting for labels costs 5.0 %: its log loss is 0.42, and with labels at once it would be 0.4.");
  EXPECT_TRUE(has_text(v.says[2], "Labels of \"yes\" come later than others (half of them within 42 hours"));
}

TEST(Verdict, SaysFirstThatItLosesAndThatThereIsOneClass) {
  const Verdict v = verdict_on({0.04, 0.05, 0.02, 0.02}, told_reading(998, 2));
  EXPECT_TRUE(v.loses);
  EXPECT_TRUE(has_text(v.says[0], "auto does not beat base rate here")) << v.says[0];
  EXPECT_TRUE(has_text(v.says[0], "Almost all labels are \"not yes\" (998 of 1000)")) << v.says[0];
}

TEST(Verdict, SaysThatTheColumnsSayNothing) {
  const Verdict v = verdict_on({0.70, 0.71, 0.69, 0.69}, told_reading(500, 500));
  EXPECT_TRUE(has_text(v.says[0], "Lateness is not the reason")) << v.says[0];
}

TEST(Verdict, SaysThatLabelsDecideHowLateTheyCome) {
  const Verdict v = verdict_on({0.4, 0.8, 0.69, 0.7}, told_reading(500, 500, true));
  EXPECT_TRUE(has_text(v.says[0], "With labels at once it would win (0.4 against 0.69)")) << v.says[0];
  EXPECT_TRUE(has_text(v.says[0], "the label decides how late it comes")) << v.says[0];
  EXPECT_TRUE(has_text(verdict_on({0.4, 0.8, 0.69, 0.7}, told_reading(500, 500)).says[0], "too late to be of use"));
}

}  // namespace
}  // namespace tarry::lab
