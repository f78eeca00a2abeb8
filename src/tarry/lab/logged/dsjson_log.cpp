// A log of choices as Vowpal Wabbit and Personalizer write it, one event a line:
//   {"_label_cost": -1, "_label_probability": 0.8, "_label_Action": 2, "a": [2, 1], "p": [0.8, 0.2], "c": {"User":
//   {"city": "Paris"}, "_multi": [{"_tag": "news", "Topic": {…}}, …]}, …}
// The reward is minus the cost. Actions are counted from 1. Names are paths, "User.city"; members whose names begin
// with _ are no features.
#include <fmt/format.h>

#include <set>

#include "tarry/base/error.h"
#include "tarry/base/overload.h"
#include "tarry/data/formats/dataset_builder.h"
#include "tarry/data/text/text_lines.h"
#include "tarry/lab/logged/read_log.h"
#include "tarry/spec/json.h"

namespace tarry::lab {
namespace {

using spec::Node;
using spec::Value;

[[noreturn]] void refuse(const std::string& why) { throw Error(Code::kBadInput, why); }

// Features of nested objects and arrays, each name once.
class Flat {
 public:
  void add(const std::string& name, const Value& value) {
    std::visit(
        Overload{[](std::monostate) {}, [&](bool x) { put(name, x); },
                 [&](std::int64_t x) { put(name, static_cast<double>(x)); }, [&](double x) { put(name, x); },
                 [&](const std::string& x) { put(name, x); }, [&](const spec::Numbers& x) { add_numbers(name, x); },
                 [&](const spec::Array& x) { add_array(name, x); },
                 [&](const spec::Object& x) { add_members(name, x); }},
        value.as);
  }

  void add_members(const std::string& path, const spec::Object& object) {
    for (const auto& [name, value] : object)
      if (!name.starts_with("_")) add(path.empty() ? name : path + "." + name, value);
  }

  NamedFeatures take() { return std::move(features_); }

 private:
  void put(const std::string& name, FeatureValue value) {
    std::string own = name;
    for (int again = 2; !names_.insert(own).second; ++again) own = fmt::format("{}.{}", name, again);
    features_.push_back({own, std::move(value)});
    check(features_.back());
  }
  void add_numbers(const std::string& name, const spec::Numbers& x) {
    for (std::size_t i = 0; i < x.size(); ++i) put(fmt::format("{}.{}", name, i), x[i]);
  }
  void add_array(const std::string& name, const spec::Array& x) {
    for (const Value& element : x) add(name, element);
  }

  NamedFeatures features_;
  std::set<std::string> names_;
};

const spec::Object& object_in(const Node& node) {
  const auto* object = std::get_if<spec::Object>(&node.value().as);
  if (object == nullptr) node.fail("an object");
  return *object;
}

// What an action calls itself: Personalizer's id, or a tag.
std::string own_id(const Value& action) {
  if (const Value* i = action.find("i"))
    if (const Value* id = i->find("id"))
      if (const auto* text = std::get_if<std::string>(&id->as)) return *text;
  const Value* tag = action.find("_tag");
  const auto* text = tag == nullptr ? nullptr : std::get_if<std::string>(&tag->as);
  return text == nullptr ? "" : *text;
}

// Ids that do not tell the actions apart are none: then it is their places, from 1.
std::vector<Action> actions_in(const Node& multi) {
  std::vector<Action> actions;
  std::set<std::string> ids;
  for (const Node& one : multi.list("an array of actions")) {
    Action& action = actions.emplace_back(Action{own_id(one.value())});
    ids.insert(action.id);
    Flat flat;
    for (const auto& [name, value] : object_in(one))
      if (!name.starts_with("_") && name != "i") flat.add(name, value);
    action.features = flat.take();
  }
  if (ids.size() < actions.size() || ids.contains(""))
    for (std::size_t a = 0; a < actions.size(); ++a) actions[a].id = fmt::format("{}", a + 1);
  return actions;
}

// `p` goes with the order of `a`; nothing where they do not fit the actions.
Vec probabilities_in(const Node& event, std::size_t count) {
  if (!event.has("a") || !event.has("p")) return {};
  const Vec order = event.numbers("a"), given = event.numbers("p");
  if (order.size() != count || given.size() != count) return {};
  Vec all(count, -1.0);
  for (std::size_t i = 0; i < count; ++i) {
    if (!(order[i] >= 1 && order[i] <= static_cast<double>(count) && given[i] >= 0 && given[i] <= 1)) return {};
    all[static_cast<std::size_t>(order[i]) - 1] = given[i];
  }
  for (const double p : all)
    if (p < 0) return {};
  return all;
}

class DsjsonReader {
 public:
  explicit DsjsonReader(data::TextLines& lines) : lines_(lines) {}

  Logged read() {
    std::string_view line;
    spec::JsonReader json;
    while (lines_.next(line)) {
      if (data::trimmed(line).empty()) continue;
      try {
        const Value value = json.read(line);
        take(Node(value, "event"));
      } catch (const Error& error) {
        throw Error(Code::kBadInput, fmt::format("{}: line {}: {}", std::string(lines_.place().file),
                                                 lines_.place().line, error.what()));
      }
    }
    log_.data = builder_.take(1);
    log_.read_as.push_back(fmt::format("{} choices, as Vowpal Wabbit and Personalizer write them{}",
                                       log_.choices.size(),
                                       skipped_ == 0 ? "" : fmt::format("; {} events without a choice", skipped_)));
    return std::move(log_);
  }

 private:
  // Events that were never activated, rewards whose event is not in the log, and the like are no choices.
  void take(const Node& event) {
    const auto context = event.find("c");
    const auto skip = event.find("_skipLearn");
    if (!context || (skip && skip->flag())) {
      ++skipped_;
      return;
    }
    if (context->has("_slots")) refuse("_slots: a log of several slots cannot be judged");
    LoggedChoice choice;
    std::vector<Action> actions = actions_in(context->at("_multi", "an array of actions"));
    if (actions.empty()) refuse("_multi must have an action at least");
    choice.taken =
        static_cast<std::size_t>(event.count("_label_Action", 1, static_cast<spec::Index>(actions.size()))) - 1;
    choice.probability = event.number("_label_probability");
    check_probability(choice.probability, "_label_probability");
    choice.probabilities = probabilities_in(event, actions.size());
    if (!choice.probabilities.empty()) choice.probabilities[choice.taken] = choice.probability;
    const double reward = 0.0 - event.number("_label_cost");
    Flat flat;
    flat.add_members("", object_in(*context));
    builder_.named();
    for (NamedFeature& feature : flat.take()) builder_.add_named(feature.name, std::move(feature.value));
    builder_.end_row(reward);
    const bool same = !log_.choices.empty() && *log_.choices.back().actions == actions;
    choice.actions =
        same ? log_.choices.back().actions : std::make_shared<const std::vector<Action>>(std::move(actions));
    log_.choices.push_back(std::move(choice));
  }

  data::TextLines& lines_;
  data::DatasetBuilder builder_;
  Logged log_;
  std::size_t skipped_ = 0;
};

}  // namespace

Logged read_dsjson_log(data::TextLines& lines) { return DsjsonReader(lines).read(); }

}  // namespace tarry::lab
