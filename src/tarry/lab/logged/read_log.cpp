#include "tarry/lab/logged/read_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/error.h"
#include "tarry/base/overload.h"
#include "tarry/data/formats/reader_options.h"
#include "tarry/data/text/text_lines.h"

namespace tarry::lab {
namespace {

using evaluation::RewardRange;
using spec::Node;

constexpr std::string_view kForCsv = "CSV: ";  // how keys begin that are about columns

// What is said of rewards whatever the format.
struct RewardKeys {
  std::optional<RewardRange> range = std::nullopt;
  std::optional<double> wait = std::nullopt;
  double otherwise = 0;
  double least_probability = 0;
};

RewardKeys reward_keys(const Node& node) {
  RewardKeys keys;
  if (const auto range = node.find("reward_range")) {
    const Vec ends = range->numbers();
    if (ends.size() != 2 || !(ends[0] < ends[1])) range->fail("the lowest and the highest reward, [0, 1]");
    keys.range = RewardRange{ends[0], ends[1]};
  }
  if (node.has("reward_wait")) keys.wait = node.positive("reward_wait");
  keys.otherwise = node.number_or("default_reward", 0);
  if (node.has("default_reward") && !keys.wait) node.fail_whole("default_reward needs reward_wait");
  if (const auto least = node.find("least_probability")) {
    keys.least_probability = least->number();
    if (!(keys.least_probability > 0 && keys.least_probability <= 1)) least->fail("above 0 and at most 1");
  }
  return keys;
}

// Before any file is opened.
void refuse_unlisted(const Node& node) {
  for (const spec::Key& key : log_keys()) node.has(key.name);
  node.refuse_unknown_keys();
}

// Events in JSON say themselves what is what.
void refuse_columns(const Node& node) {
  for (const spec::Key& key : log_keys())
    if (key.wanted.starts_with(kForCsv) && node.has(key.name))
      node.at(key.name).fail("for a log in CSV, which this is not");
}

enum class Format { kCsv, kDsjson, kReplay };

Format format_of(const std::string& path) {
  data::TextLines lines(path);
  std::string_view line;
  while (lines.next(line))
    if (line = data::trimmed(line); !line.empty()) break;
  if (line.empty()) lines.fail_whole("is empty (wanted a log of choices)");
  if (line.front() != '{') return Format::kCsv;
  return line.find("\"tarry-replay/") != std::string_view::npos ? Format::kReplay : Format::kDsjson;
}

Logged read_as(Format format, const std::string& path, const Node& node) {
  if (format == Format::kCsv) return read_csv_log(path, node);
  if (format == Format::kReplay) return read_replay_log(path);
  data::TextLines lines(path);
  return read_dsjson_log(lines);
}

// Nobody waits longer: a reward that came later, or never, is the default one, known when the wait was over. Rounds
// whose wait was not over when the log ended do not count, whatever came of them: else quick rewards would count more.
void end_waits(Logged& log, double wait, double otherwise) {
  Dataset& data = log.data;
  double end = data.event_time.back();
  for (const double time : data.feedback_time)
    if (std::isfinite(time)) end = std::max(end, time);
  std::size_t by_default = 0;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const double over = data.event_time[row] + wait;
    if (over <= end) log.counted = row + 1;
    if (over > end || data.feedback_time[row] <= over) continue;
    data.labels[row] = otherwise;
    data.feedback_time[row] = over;
    ++by_default;
  }
  log.read_as.push_back(fmt::format("the wait was over for {} of {} rounds, {} of them without a reward: {} counts",
                                    log.counted, data.rows(), by_default, otherwise));
}

void check_rewards(Logged& log, const std::string& path) {
  std::size_t open = 0;
  for (std::size_t row = 0; row < log.counted; ++row) {
    const double reward = log.data.labels[row];
    open += std::isnan(reward) ? 1 : 0;
    log.yes_or_no = log.yes_or_no && (std::isnan(reward) || reward == 0 || reward == 1);
    if (log.range && (reward < log.range->low || reward > log.range->high))
      throw Error(Code::kBadInput, fmt::format("{}: row {}: reward must be within reward_range, {} to {} ({} came)",
                                               path, row + 1, log.range->low, log.range->high, reward));
  }
  if (log.counted == open) throw Error(Code::kBadInput, path + ": has no rewards");
  if (log.yes_or_no && !log.range) {
    log.range = RewardRange{};
    log.read_as.emplace_back("rewards are 0 or 1");
  }
  if (!log.range) log.read_as.emplace_back("give reward_range for intervals of IPS and DR");
  if (open > 0)
    log.read_as.push_back(fmt::format(
        "{} rewards have not come: they are in no estimate, and in intervals at their worst; or say how long to wait "
        "(reward_wait)",
        open));
}

void check_least_probability(Logged& log, const std::string& path) {
  if (log.least_probability == 0) return;
  for (std::size_t row = 0; row < log.choices.size(); ++row)
    if (const double p = log.choices[row].probability; p < log.least_probability)
      throw Error(Code::kBadInput, fmt::format("{}: row {}: probability must not be below least_probability, {} ({} "
                                               "came)",
                                               path, row + 1, log.least_probability, p));
}

}  // namespace

std::vector<spec::Key> log_keys() {
  return {{"path", "a file, plain or gzip: CSV, DSJSON, or a log that tarry replays", ""},
          {"reward_range", "the lowest and the highest reward", "[0, 1] where all are 0 or 1"},
          {"reward_wait", "how long rewards are waited for, in the unit of the times", "optional"},
          {"default_reward", "what counts for a reward that did not come in that time", "0"},
          {"least_probability", "with which any action was taken, for intervals of DR", "optional"},
          {"action", "CSV: the column of the action that was taken", "action"},
          {"probability", "CSV: the column of how likely that was", "probability"},
          {"reward", "CSV: the column of what it earned; empty: nothing came", "reward"},
          {"event_time", "CSV: the column of when it was taken", "by its name"},
          {"feedback_time", "CSV: the column of when the reward came; empty: never", "by its name"},
          {"actions", "CSV: an array of all actions", "those that were taken"},
          {"categorical", "CSV: an array of columns of numbers that stand for words", "[]"},
          {"ignore", "CSV: an array of columns to leave out", "[]"},
          {"policies", "CSV: an array of columns with policies of your own", "[]"},
          {"dates", "CSV: \"day/month/year\" or \"month/day/year\"", "optional"},
          {"delimiter", "CSV: one character", "by the header"}};
}

Logged read_log(const Node& node) {
  const std::string path = node.text("path");
  refuse_unlisted(node);
  const RewardKeys keys = reward_keys(node);
  const Format format = format_of(path);
  if (format != Format::kCsv) refuse_columns(node);
  Logged log = read_as(format, path, node);
  if (log.choices.empty()) throw Error(Code::kBadInput, path + ": has no choices");
  log.range = keys.range;
  log.least_probability = keys.least_probability;
  log.counted = log.choices.size();
  if (keys.wait) {
    if (!log.data.has_times()) node.at("reward_wait").fail("for a log with event_time and feedback_time");
    end_waits(log, *keys.wait, keys.otherwise);
    if (log.counted == 0) throw Error(Code::kBadInput, path + ": reward_wait is over for no round");
  }
  check_rewards(log, path);
  check_least_probability(log, path);
  return log;
}

double as_reward(const LabelValue& reward) {
  const LabelValue plain =
      std::holds_alternative<std::string>(reward) ? plain_label(std::get<std::string>(reward)) : reward;
  return std::visit(Overload{[](double x) { return x; }, [](bool x) { return x ? 1.0 : 0.0; },
                             [](const std::string& x) -> double {
                               throw Error(
                                   Code::kBadInput,
                                   fmt::format("reward must be a number, or yes or no ({} came)", spec::brief({x})));
                             }},
                    static_cast<const LabelValue::Kinds&>(plain));
}

void check_probability(double probability, const std::string& name) {
  if (!(probability > 0 && probability <= 1))
    throw Error(Code::kBadInput, fmt::format("{} must be above 0 and at most 1 ({} came)", name, probability));
  if (probability < kLeastLogged)
    throw Error(
        Code::kBadInput,
        fmt::format("{} must be at least 1e-9, or one round would outweigh all others ({} came)", name, probability));
}

}  // namespace tarry::lab
