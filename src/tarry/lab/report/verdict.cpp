#include "tarry/lab/report/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "tarry/data/text/duration.h"
#include "tarry/lab/report/results.h"
#include "tarry/model/tasks.h"

namespace tarry::lab {
namespace {

constexpr double kFewOthers = 0.01;  // of the labels are of another class than the first: there is hardly one to tell
constexpr double kFewLabels = 10;    // or so few
constexpr double kNothing = 0.005;   // a share that is not worth a number
constexpr double kFewRows = 300;

std::string short_number(double x) { return fmt::format("{:.3g}", x); }
std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }
std::string percent_finely(double share) {
  return std::fabs(share) < 0.1 ? fmt::format("{:.1f} %", 100 * share) : percent(share);
}

// "log loss", "root mean squared error": as people call the metrics that rank.
std::string spoken(const std::string& metric) {
  if (metric == "rmse") return "root mean squared error";
  std::string words = metric;
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

// The learner that looks at no feature.
bool is_baseline(const LearnerSpec& learner) {
  const spec::Value* own = learner.is_task ? learner.learner.find("learner") : &learner.learner;
  const spec::Value* type = own != nullptr ? own->find("type") : nullptr;
  const auto* name = type != nullptr ? std::get_if<std::string>(&type->as) : nullptr;
  return name != nullptr && *name == baseline_learner();
}

// What there is to say about one board.
class Judge {
 public:
  Judge(const Leaderboard& board, const std::vector<GroupSummary>& groups, const Reading* reading,
        const std::string& learner, const std::string& baseline)
      : board_(board),
        reading_(reading),
        mine_(row_of(learner)),
        base_(row_of(baseline)),
        my_group_(group_of(groups, learner)),
        base_group_(group_of(groups, baseline)) {}

  bool possible() const { return mine_ != nullptr && my_group_ != nullptr && std::isfinite(mine_->value); }
  bool loses() const { return base_ != nullptr && std::isfinite(base_->value) && mine_->value >= base_->value; }

  std::vector<std::string> says() const {
    std::vector<std::string> all;
    if (loses()) all.push_back(fmt::format("{} {}", does_not_beat(), why()));
    all.push_back(how_right());
    if (const std::string cost = what_waiting_costs(); !cost.empty()) all.push_back(cost);
    if (const std::string late = who_comes_late(); !late.empty()) all.push_back(late);
    if (const std::string better = who_was_better(); !better.empty()) all.push_back(better);
    return all;
  }

 private:
  const LeaderboardRow* row_of(const std::string& learner) const {
    const auto found = std::find_if(board_.rows.begin(), board_.rows.end(),
                                    [&](const LeaderboardRow& row) { return row.learner == learner; });
    return found == board_.rows.end() ? nullptr : &*found;
  }

  const GroupSummary* group_of(const std::vector<GroupSummary>& groups, const std::string& learner) const {
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const GroupSummary& g) {
      return g.stream == board_.stream && g.delay == board_.delay && g.learner == learner;
    });
    return found == groups.end() ? nullptr : &*found;
  }

  std::string does_not_beat() const {
    return fmt::format("{} does not beat {} here, which looks at no feature: {} {} against {}.", mine_->learner,
                       base_->learner, spoken(board_.metric), short_number(mine_->value), short_number(base_->value));
  }

  // Why a learner that sees features can lose to one that does not: in this order, as each hides the next.
  std::string why() const {
    if (reading_ != nullptr && !reading_->by_class.empty()) {
      double all = 0, most = 0;
      std::string name;
      for (const ClassWaits& one : reading_->by_class) {
        const auto labels = static_cast<double>(one.labels);
        all += labels;
        if (labels <= most) continue;
        most = labels;
        name = one.name;
      }
      if (all - most < std::max(kFewLabels, kFewOthers * all))
        return fmt::format("Almost all labels are \"{}\" ({:.0f} of {:.0f}): there is hardly another class to learn.",
                           name, most, all);
    }
    if (!mine_->undelayed || !base_->undelayed) return "";
    const std::string both =
        fmt::format("({} against {})", short_number(*mine_->undelayed), short_number(*base_->undelayed));
    if (*mine_->undelayed >= *base_->undelayed)
      return fmt::format(
          "Lateness is not the reason: with labels at once it would lose, too {}. The columns say nothing "
          "about the label that {} could find{}.",
          both, mine_->learner, is_short() ? " in so few rows" : "");
    if (reading_ != nullptr && reading_->table.late)
      return fmt::format(
          "With labels at once it would win {}. But the label decides how late it comes, so the labels that "
          "have come are not like those that are still open.",
          both);
    return fmt::format("With labels at once it would win {}: here labels come too late to be of use.", both);
  }

  bool is_short() const {
    double labels = 0;
    if (reading_ != nullptr)
      for (const ClassWaits& one : reading_->by_class) labels += static_cast<double>(one.labels);
    return labels > 0 && labels < kFewRows;
  }

  std::string how_right() const {
    const auto metric = [](const GroupSummary* group, const char* name) -> std::optional<double> {
      if (group == nullptr) return std::nullopt;
      const auto found = group->metrics.find(name);
      return found == group->metrics.end() || !std::isfinite(found->second) ? std::nullopt
                                                                            : std::optional(found->second);
    };
    if (const auto mine = metric(my_group_, "accuracy")) {
      const auto base = metric(base_group_, "accuracy");
      const std::string guess =
          base ? fmt::format("; always naming the label that was most frequent so far, in {}", percent(*base)) : "";
      return fmt::format("{} would have been right in {} of cases{}.", mine_->learner, percent(*mine), guess);
    }
    if (const auto mine = metric(my_group_, "mae")) {
      const auto base = metric(base_group_, "mae");
      const std::string unit =
          reading_ != nullptr && !reading_->table.label_unit.empty() ? " " + reading_->table.label_unit : "";
      const std::string guess = base ? fmt::format("; the mean so far, by {}{}", short_number(*base), unit) : "";
      return fmt::format("{} would have been off by {}{} on average{}.", mine_->learner, short_number(*mine), unit,
                         guess);
    }
    return fmt::format("{} ends with a {} of {}.", mine_->learner, spoken(board_.metric), short_number(mine_->value));
  }

  std::string what_waiting_costs() const {
    if (!mine_->lateness || !mine_->undelayed) return "";
    const std::string both = fmt::format("its {} is {}, and with labels at once it would be {}", spoken(board_.metric),
                                         short_number(mine_->value), short_number(*mine_->undelayed));
    if (std::fabs(*mine_->lateness) < kNothing)
      return fmt::format("Waiting for labels costs next to nothing: {}.", both);
    if (*mine_->lateness < 0) return fmt::format("Waiting for labels costs nothing here: {}.", both);
    return fmt::format("Waiting for labels costs {}: {}.", percent_finely(*mine_->lateness), both);
  }

  std::string who_comes_late() const {
    if (reading_ == nullptr || !reading_->table.late) return "";
    const LateClass& late = *reading_->table.late;
    const bool later = late.half > late.others;
    return fmt::format(
        "Labels of \"{}\" come {} than others (half of them within {}, of the others within {}), so among "
        "the labels that have come there are always too {} of them.",
        late.name, later ? "later" : "sooner", data::spoken_duration(late.half), data::spoken_duration(late.others),
        later ? "few" : "many");
  }

  std::string who_was_better() const {
    const LeaderboardRow& first = board_.rows.front();
    if (&first == mine_ || (base_ != nullptr && &first == base_) || !(first.value < mine_->value)) return "";
    return fmt::format("The learner \"{}\" did better here: {} {} against {}.", first.learner, spoken(board_.metric),
                       short_number(first.value), short_number(mine_->value));
  }

  const Leaderboard& board_;
  const Reading* reading_;
  const LeaderboardRow *mine_, *base_;
  const GroupSummary *my_group_, *base_group_;
};

}  // namespace

std::vector<Verdict> verdicts(const Experiment& experiment, const std::vector<Leaderboard>& boards,
                              const std::vector<GroupSummary>& groups, const std::vector<Reading>& readings) {
  if (experiment.keep.empty()) return {};
  const auto base = std::find_if(experiment.learners.begin(), experiment.learners.end(), is_baseline);
  const std::string baseline = base == experiment.learners.end() ? "" : base->name;
  std::vector<Verdict> all;
  for (const Leaderboard& board : boards) {
    if (!board.compared_to || (board.metric != "rmse" && board.metric != "log_loss")) continue;
    const auto reading =
        std::find_if(readings.begin(), readings.end(), [&](const Reading& one) { return one.stream == board.stream; });
    const Judge judge(board, groups, reading == readings.end() ? nullptr : &*reading, experiment.keep, baseline);
    if (!judge.possible()) continue;
    all.push_back({board.stream, board.delay, experiment.keep, baseline, judge.loses(), judge.says()});
  }
  return all;
}

spec::Value to_value(const Verdict& verdict) {
  spec::Array says;
  for (const std::string& line : verdict.says) says.push_back({line});
  return {spec::Object{{"stream", {verdict.stream}},
                       {"delay", {verdict.delay}},
                       {"learner", {verdict.learner}},
                       {"against", {verdict.against}},
                       {"loses", spec::Value{verdict.loses}},
                       {"says", spec::Value{says}}}};
}

}  // namespace tarry::lab
