// A log of choices as a table: a column for the action, one for its probability, one for the reward, and perhaps two
// for the times; the others are the context.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include "tarry/base/error.h"
#include "tarry/data/formats/csv_reader.h"
#include "tarry/data/text/csv_records.h"
#include "tarry/lab/logged/log_columns.h"
#include "tarry/lab/logged/read_log.h"

namespace tarry::lab {

using namespace data;
namespace {

using spec::Node;

// The character of , ; tab | that the header has most of.
char delimiter_in(std::string_view header) {
  char best = ',';
  for (const char c : {';', '\t', '|'})
    if (std::count(header.begin(), header.end(), c) > std::count(header.begin(), header.end(), best)) best = c;
  return best;
}

std::string first_line(const std::string& path) {
  TextLines lines(path);
  std::string_view line;
  return lines.next(line) ? std::string(line) : "";
}

std::string spoken(const Names& names) {
  constexpr std::size_t kMostSpoken = 12;
  if (names.empty()) return "none";
  if (names.size() <= kMostSpoken) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{}, … ({} in all)", fmt::join(names.begin(), names.begin() + kMostSpoken, ", "), names.size());
}

// What a row says of its choice is in it by name.
class Choices {
 public:
  Choices(const LogColumns& columns, const std::string& path, const CsvProfile& profile)
      : columns_(columns), path_(path) {
    auto all = std::make_shared<std::vector<Action>>();
    for (const std::string& id : columns.actions) add(*all, id);
    actions_ = all;
    if (!columns.actions.empty()) return;
    for (const ColumnProfile& column : profile.columns)  // as many as a profile keeps; the rows may bring more
      if (column.name == columns.action)
        for (const std::string& id : column.values) add(*all, id);
  }

  void read(Logged& log) {
    NamedFeatures row;
    for (std::size_t r = 0; r < log.data.rows(); ++r) {
      log.data.named.write(r, row);
      try {
        log.choices.push_back(choice_in(row));
        for (const std::string& column : columns_.policies) log.policies[column].push_back(cell(row, column));
      } catch (const Error& error) {
        const std::size_t line = log.data.origin.empty() ? r : log.data.origin[r];
        throw Error(error.code(), fmt::format("{}: row {}: {}", path_, line + 1, error.what()));
      }
    }
    for (LoggedChoice& choice : log.choices) choice.actions = actions_;
    if (actions_->size() < 2) throw Error(Code::kBadInput, path_ + ": a log needs two actions at least");
  }

  const std::vector<Action>& actions() const { return *actions_; }

 private:
  void add(std::vector<Action>& all, const std::string& id) {
    if (places_.emplace(id, all.size()).second) all.push_back({id});
  }

  static const FeatureValue& value(const NamedFeatures& row, const std::string& name) {
    static const FeatureValue kNothing;
    for (const NamedFeature& feature : row)
      if (feature.name == name) return feature.value;
    return kNothing;
  }

  static std::string cell(const NamedFeatures& row, const std::string& name) {
    const auto* word = std::get_if<std::string>(&value(row, name));
    return word == nullptr ? "" : *word;
  }

  LoggedChoice choice_in(const NamedFeatures& row) {
    const std::string id = cell(row, columns_.action);
    if (id.empty()) throw Error(Code::kBadInput, fmt::format("{} must be given (nothing came)", columns_.action));
    if (!places_.contains(id)) {
      if (!columns_.actions.empty())
        throw Error(Code::kBadInput,
                    fmt::format("{} must be one of the actions ({} came)", columns_.action, spec::brief({id})));
      auto more = std::make_shared<std::vector<Action>>(*actions_);
      add(*more, id);
      actions_ = more;
    }
    const auto* probability = std::get_if<double>(&value(row, columns_.probability));
    if (probability == nullptr)
      throw Error(Code::kBadInput, fmt::format("{} must be given (nothing came)", columns_.probability));
    check_probability(*probability, columns_.probability);
    return {.actions = nullptr, .taken = places_.at(id), .probability = *probability};
  }

  const LogColumns& columns_;
  const std::string& path_;
  std::shared_ptr<const std::vector<Action>> actions_;
  std::unordered_map<std::string, std::size_t> places_;
};

CsvOptions options_for(const LogColumns& columns, const LogContext& context) {
  CsvOptions options;
  options.label = columns.reward;
  options.features = context.numbers;
  options.features.push_back(columns.probability);
  options.categorical = context.words;
  options.categorical.push_back(columns.action);
  for (const std::string& column : columns.policies) options.categorical.push_back(column);
  options.event_time = columns.event_time;
  options.feedback_time = columns.feedback_time;
  options.sort = !columns.event_time.empty();
  options.missing = Missing::kAbsent;
  options.lenient = true;
  options.names = true;
  options.as_label = as_reward;
  return options;
}

}  // namespace

bool is_log(const std::string& path, const Node& node) {
  if (std::error_code failed; !std::filesystem::is_regular_file(path, failed)) return false;
  try {
    const std::string header = first_line(path);
    if (header.starts_with('{'))
      return header.find("\"tarry-replay/") < header.size() || header.find("\"_label") < header.size();
    TextLines lines(path);
    CsvRecords records(lines, delimiter_in(header));
    std::vector<std::string_view> cells;
    if (!records.next(cells)) return false;
    const Names names(cells.begin(), cells.end());
    const auto there = [&](const char* key) { return has(names, node.text_or(key, key)); };
    return there("action") && there("probability") && there("reward");
  } catch (const Error&) {  // what is wrong with it, its reader will say
    return false;
  }
}

Logged read_csv_log(const std::string& path, const Node& node) {
  LogColumns columns{.action = node.text_or("action", "action"),
                     .probability = node.text_or("probability", "probability"),
                     .reward = node.text_or("reward", "reward"),
                     .event_time = node.text_or("event_time", ""),
                     .feedback_time = node.text_or("feedback_time", ""),
                     .actions = names_or_none(node, "actions"),
                     .categorical = names_or_none(node, "categorical"),
                     .ignore = names_or_none(node, "ignore"),
                     .policies = names_or_none(node, "policies")};
  const DateOrder dates = date_order_or_none(node);
  const char delimiter = node.has("delimiter") ? delimiter_or(node, ',') : delimiter_in(first_line(path));
  TextLines first(path);
  const CsvProfile profile = profile_csv(first, delimiter);
  find_times(columns, profile);
  check_columns(columns, profile, path);
  const LogContext context = context_of(columns, profile);
  CsvOptions options = options_for(columns, context);
  options.dates = dates;
  options.delimiter = delimiter;
  TextLines second(path);
  Logged log{.data = read_csv(second, options), .choices = {}};
  Choices choices(columns, path, profile);
  choices.read(log);
  log.hidden = {columns.action, columns.probability};
  log.hidden.insert(log.hidden.end(), columns.policies.begin(), columns.policies.end());
  log.read_as.push_back(fmt::format("{} choices among {} actions (column {}), with {} and {}", log.choices.size(),
                                    choices.actions().size(), columns.action, columns.probability, columns.reward));
  if (!columns.event_time.empty())
    log.read_as.push_back(fmt::format("event time {}{}", columns.event_time,
                                      columns.feedback_time.empty() ? "" : ", feedback time " + columns.feedback_time));
  log.read_as.push_back(fmt::format("context: numbers: {}; words: {}; ignored: {}", spoken(context.numbers),
                                    spoken(context.words), spoken(context.ignored)));
  return log;
}

}  // namespace tarry::lab
