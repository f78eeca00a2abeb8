#include "tarry/lab/streams/choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <queue>

#include "tarry/base/elementary.h"
#include "tarry/base/random.h"
#include "tarry/data/formats/csv_reader.h"
#include "tarry/data/infer/csv_profile.h"
#include "tarry/model/choice.h"

namespace tarry::lab {

using namespace data;
namespace {

using spec::Node;

constexpr std::uint64_t kEarly = 0x6561726C79;  // the stream of the draws of `early`

// Feedback that is known before the next row is seen: strictly, as with recorded times.
class LateByReward final : public Delays {
 public:
  LateByReward(const Choices& choices, const bool& reward, double wait)
      : choices_(choices), reward_(reward), wait_(wait) {}

  void played(Round t, const AskGradient&) override {
    const double known = std::max(choices_.known(t - 1, reward_), choices_.seen(t - 1) + wait_);
    never_.push_back(!std::isfinite(known));
    if (!never_.back()) coming_.push({known, t});
  }

  std::vector<Round> arriving(Round t) override {
    std::vector<Round> rounds;
    if (t >= choices_.data.rows()) return rounds;  // no row follows
    for (; !coming_.empty() && coming_.top().first < choices_.seen(t); coming_.pop())
      rounds.push_back(coming_.top().second);
    return rounds;
  }

  bool never(Round t) const override { return never_[t - 1]; }

 private:
  using Known = std::pair<double, Round>;
  const Choices& choices_;
  const bool& reward_;
  double wait_;
  std::vector<bool> never_;
  std::priority_queue<Known, std::vector<Known>, std::greater<>> coming_;
};

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const ColumnProfile& column(const CsvProfile& profile, const std::string& name, const Node& node, const char* key) {
  for (const ColumnProfile& one : profile.columns)
    if (one.name == name) return one;
  node.at(key).fail("a column of the file");
}

// All keys of the file, read before it is opened.
struct FileKeys {
  std::string path, label, event_time, feedback_time;
  std::vector<std::string> words, ignored;
  char delimiter;
  std::size_t limit;

  explicit FileKeys(const Node& node)
      : path(node.text("path")),
        label(node.text_or("label", "")),
        event_time(node.text_or("event_time", "")),
        feedback_time(node.text_or("feedback_time", "")),
        words(names_or_none(node, "categorical")),
        ignored(names_or_none(node, "ignore")),
        delimiter(delimiter_or(node, ',')),
        limit(limit_or_all(node)) {
    if (event_time.empty() != feedback_time.empty()) node.fail_whole("give event_time and feedback_time, or neither");
  }
};

// Every column that is not the label or a time is a feature: a number where all of its cells are.
CsvOptions options_of(const FileKeys& keys, const CsvProfile& profile, const Node& node) {
  CsvOptions options;
  options.label = keys.label.empty() ? profile.columns.back().name : keys.label;
  options.event_time = keys.event_time;
  options.feedback_time = keys.feedback_time;
  for (const std::string& name : keys.words) column(profile, name, node, "categorical");
  for (const std::string& name : keys.ignored) column(profile, name, node, "ignore");
  for (const ColumnProfile& one : profile.columns) {
    if (one.name == options.label || one.name == options.event_time || one.name == options.feedback_time) continue;
    if (one.name.empty() || one.empty() || has(keys.ignored, one.name)) continue;
    (one.numbers() && !has(keys.words, one.name) ? options.features : options.categorical).push_back(one.name);
  }
  options.classes = column(profile, options.label, node, "label").values;
  if (options.classes.size() < 2 || options.classes.size() >= ColumnProfile::kValues)
    node.fail_whole(fmt::format("label must have 2 to {} classes (column {} has {}{})", ColumnProfile::kValues - 1,
                                spec::brief({options.label}), options.classes.size() < 2 ? "" : "at least ",
                                options.classes.size()));
  options.intercept = false;
  options.lenient = true;
  options.missing = Missing::kAbsent;
  options.names = true;
  options.delimiter = keys.delimiter;
  options.limit = keys.limit;
  return options;
}

// Geometric with the given mean, at least 1 round.
Vec drawn_early(double mean, std::size_t rows, std::uint64_t seed) {
  Vec early(rows, 1);
  const Random random(seed, kEarly);
  if (mean > 1)
    for (std::size_t row = 0; row < rows; ++row)
      early[row] = 1 + std::floor(tarry::log(random.uniform(row)) / tarry::log(1 - 1 / mean));
  return early;
}

Stream make_choices(const Node& node, Round, std::uint64_t seed) {
  const FileKeys keys(node);
  Choices choices;
  if (node.has("window")) choices.window = node.positive_or("window", 0);
  const double early = node.positive_or("early", 1);
  if (early < 1) node.at("early").fail("at least 1");
  if (node.has("early") && !keys.event_time.empty())
    node.at("early").fail("left out: the file has times at which rewards came");
  node.refuse_unknown_keys();
  TextLines lines(keys.path);
  const CsvOptions options = options_of(keys, profile_csv(lines, keys.delimiter), node);
  TextLines again(keys.path);
  choices.data = read_csv(again, options);
  for (const std::string& name : options.classes) choices.actions.push_back({name});
  if (!choices.data.has_times()) choices.early = drawn_early(early, choices.data.rows(), seed);
  Stream stream;
  stream.name = std::filesystem::path(keys.path).filename();
  stream.rounds = choices.data.rows();
  stream.rule = std::make_shared<const Choices>(std::move(choices));
  return stream;
}

}  // namespace

// A reward never comes after the window: what has not come by then counts as none.
double Choices::known(std::size_t row, bool reward) const {
  if (data.has_times()) {
    const double time = data.feedback_time[row];
    if (!window) return time;
    const double end = seen(row) + *window;
    return reward ? std::min(time, end) : end;
  }
  const double rounds = reward || !window ? std::min(early[row], window.value_or(early[row])) : *window;
  return seen(row) + std::max(rounds, 1.0) - 1;
}

std::unique_ptr<Delays> late_by_reward(const Choices& choices, const bool& reward, double wait) {
  return std::make_unique<LateByReward>(choices, reward, wait);
}

StreamEntry choices_entry() {
  return {
      .name = "classes_as_choices",
      .summary =
          "a table of classes played as choices, for models that choose: the right class earns 1, others nothing",
      .keys = {{"path", "a file of comma-separated text with a header, plain or gzip", ""},
               {"label", "the column of the classes, which are the actions", "the last"},
               {"categorical", "an array of columns of numbers that stand for words", "[]"},
               {"ignore", "an array of columns to leave out", "[]"},
               {"event_time", "the column of when the context was seen", "optional"},
               {"feedback_time", "the column of when a reward was known; empty: never", "optional"},
               {"early", "with the delay recorded, where the file has no times: a reward's mean delay in rounds", "1"},
               {"window", "with the delay recorded: that there is no reward is known so long after its round",
                "as rewards"},
               {"delimiter", "one character", ","},
               {"limit", "how many rows to play at most", "optional"}},
      .make = make_choices,
      .seeded = true,
      .examples = {R"({"type": "classes_as_choices", "path": "iris.csv"})",
                   R"({"type": "classes_as_choices", "path": "iris.csv", "early": 20, "window": 500})"},
  };
}

}  // namespace tarry::lab
