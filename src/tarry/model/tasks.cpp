#include "tarry/model/tasks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tarry/base/error.h"
#include "tarry/features/bends.h"
#include "tarry/features/beside_features.h"
#include "tarry/features/feature_spec.h"
#include "tarry/features/products.h"
#include "tarry/spec/json.h"

namespace tarry {
namespace {

using spec::Node;
using spec::Value;

constexpr double kWeight = 10;       // the largest weight of a standardised feature
constexpr Index kClasses = 32;       // room for classes whose names are not given
constexpr Index kMultiplied = 1024;  // features that have products: half a million at most, if each meets each
constexpr Index kPeople = 1 << 19;   // room for users, and for items

Value text(const std::string& x) { return {x}; }
Value typed(const std::string& type, spec::Object rest = {}) {
  rest.insert(rest.begin(), {"type", text(type)});
  return {std::move(rest)};
}
Value box(Index dimension, double lower, double upper) {
  return typed("box", {{"dimension", Value{dimension}}, {"lower", Value{lower}}, {"upper", Value{upper}}});
}

// Of how many features rows have products: of the first ones, where the learner can tell whether they help.
Index products(const Node& node, const FeatureSpec& features, Index outputs) {
  if (const auto given = node.find("products"))  // products by name are the encoder's
    return given->is_number() ? node.count("products", 0, Products::kMost) : 0;
  const bool own =
      node.has("set") || node.has("learner") || (node.has("standardise") && !node.at("standardise").flag());
  return own ? 0 : multiplied_unasked(std::min(kMultiplied, features.capacity), outputs);
}

// How many features may bend: those that have products, unless it is said. A choice has neither of its own.
Index bends(const Node& node, const FeatureSpec& features, Index multiplied, Index outputs) {
  const Index most = std::min({kMultiplied, features.capacity, Bends::kMost});
  const auto given = node.find("bends");
  if (!given) return node.text("task") == "choose" ? 0 : std::min(multiplied, bent_unasked(most, outputs));
  if (given->is_number()) return node.count("bends", 0, Bends::kMost);
  return given->flag() ? most : 0;
}

// Whether trees are grown: where numbers bend, unless it is said. One score, and no choice: they have no others. Not by
// themselves where labels are told to be lost or dropped: they are grown, and judged, on those that came.
bool trees(const Node& node, Index bent, Index outputs) {
  if (const auto given = node.find("trees")) return given->flag();
  const bool own =
      std::ranges::any_of(std::array{"set", "learner", "loss", "initial", "labels", "revisable", "tracked", "lost"},
                          [&](const char* key) { return node.has(key); });
  return bent > 0 && outputs == 1 && !own && node.text("task") != "choose";
}

// Named features and one weight for each slot, each product, each bend and output.
spec::Object linear(const Node& node, Index outputs, Value loss) {
  FeatureSpec features;
  if (const auto given = node.find("features")) features = FeatureSpec::read(Node(given->value(), "features"));
  const Index multiplied = products(node, features, outputs), bent = bends(node, features, multiplied, outputs);
  const Index width = features.capacity + multiplied * multiplied + Bends::width(bent);
  if (width > spec::kMaxDimension / outputs)
    node.fail_whole(
        fmt::format("(features.capacity + products² + room for bends) × {} classes must be at most 2^40", outputs));
  spec::Object all{{"set", box(width * outputs, -kWeight, kWeight)},
                   {"learner", typed("auto")},
                   {"loss", std::move(loss)},
                   {"standardise", Value{true}},
                   {"products", Value{multiplied}},
                   {"bends", Value{bent}},
                   {"features", features.to_value()}};
  if (trees(node, bent, outputs)) all.emplace_back("trees", Value{true});
  return all;
}

Value regression(const Node& node) { return {linear(node, 1, typed("squared"))}; }
Value binary(const Node& node) { return {linear(node, 1, typed("logistic"))}; }

// A model of the reward, and how actions are drawn by it.
Value choose(const Node& node) {
  const std::string reward = node.text_or("reward", "binary");
  if (reward != "binary" && reward != "number") node.at("reward").fail("\"binary\" or \"number\"");
  spec::Object members = linear(node, 1, typed(reward == "binary" ? "logistic" : "squared"));
  spec::Object choice;
  for (const std::string key : {"explore", "seed", "actions"})
    if (const auto given = node.find(key)) choice.emplace_back(key, given->value());
  if (!choice.empty() && node.has("choose"))
    node.fail_whole("give explore, seed and actions beside the task or inside choose, not both");
  if (const auto given = node.find("choose")) {
    if (!given->is_object()) given->fail("an object");
    choice = std::get<spec::Object>(given->value().as);
  }
  const bool multiplies = Value{members}.number_at("products") > 0;
  if (multiplies && Value{choice}.find("crossed") == nullptr) choice.emplace_back("crossed", Value{true});
  members.emplace_back("choose", Value{std::move(choice)});
  if (const auto rewards = node.find("rewards")) {
    if (node.has("labels")) node.fail_whole("give rewards or labels, not both: they are one key");
    const std::string which = rewards->text();
    if (which != "first" && which != "last" && which != "sum") rewards->fail("\"first\", \"last\" or \"sum\"");
    if (which == "sum" && reward == "binary") rewards->fail("\"first\" or \"last\", unless reward is \"number\"");
    members.emplace_back("labels", rewards->value());
  }
  return {std::move(members)};
}

Value classes(const Node& node) {
  Index limit = kClasses;
  Value names{spec::Array{}};
  if (const auto given = node.find("classes")) {
    if (given->is_number()) {
      limit = node.count("classes", 2, 1 << 20);
    } else {
      names = given->value();
      limit = static_cast<Index>(given->list("an array of names, or how many classes there may be").size());
      if (limit < 2) given->fail("at least two classes");
    }
  }
  return {linear(node, limit, typed("softmax", {{"classes", Value{limit}}, {"names", names}}))};
}

// X[user, item] + b[user] + c[item] + mean: how fast biases follow, and whether a low rank helps at all, is learnt.
Value ratings(const Node& node) {
  const Index users = node.has("users") ? node.dimension("users") : kPeople;
  const Index items = node.has("items") ? node.dimension("items") : kPeople;
  Vec range{-100, 100};
  if (const auto given = node.find("range")) {
    range = given->numbers();
    if (range.size() != 2 || !(range[0] < range[1])) given->fail("the lowest and the highest rating, [1, 5]");
  }
  const double bias = std::min(10.0, range[1] - range[0]);
  const Value set = typed(
      "product",
      {{"parts", Value{spec::Array{
                     typed("nuclear_ball", {{"rows", Value{users}}, {"cols", Value{items}}, {"radius", Value{200.0}}}),
                     box(users, -bias, bias), box(items, -bias, bias), box(1, range[0], range[1])}}}});
  const std::string biases =
      R"({"type": "hedge", "learners": [{"type": "box_ftrl_sc", "beta": 0.25, "prior": 10},
          {"type": "box_ftrl_sc", "beta": 0.5, "prior": 10}, {"type": "box_ftrl_sc", "beta": 1, "prior": 10},
          {"type": "box_ftrl_sc", "beta": 2, "prior": 10}]})";
  const std::string low_rank =
      R"({"type": "hedge", "learners": [{"type": "stay"}, {"type": "delayed_ofw", "eta": 2, "batch": 100},
          {"type": "delayed_ofw", "eta": 8, "batch": 100}]})";
  const Value learner = spec::parse_json(fmt::format(
      R"({{"type": "per_block", "gradients": "fresh", "learners": [{}, {}, {}, {{"type": "box_ftrl_sc", "beta": 1, "prior": 10}}]}})",
      low_rank, biases, biases));
  return {spec::Object{{"set", set},
                       {"learner", learner},
                       {"loss", typed("squared")},
                       {"features", typed("ratings", {{"users", Value{users}}, {"items", Value{items}}})}}};
}

Value allocation(const Node& node) {
  const Node options = node.at("options", "an array of names");
  const auto count = static_cast<Index>(options.list("an array of names").size());
  if (count < 1) options.fail("at least one option");
  return {spec::Object{{"set", typed("simplex", {{"dimension", Value{count}}})},
                       {"learner", typed("auto")},
                       {"names", options.value()}}};
}

}  // namespace

std::span<const TaskEntry> task_registry() {
  static const std::vector<TaskEntry> entries = {
      {"regression", "Predicts a number from named features", {}, regression, {R"({"task": "regression"})"}},
      {"binary", "Predicts the probability of true from named features", {}, binary, {R"({"task": "binary"})"}},
      {"classes",
       "Predicts one of several classes from named features",
       {{"classes", "an array of names, or how many there may be, named as they come", "32"}},
       classes,
       {R"({"task": "classes"})", R"({"task": "classes", "classes": ["on time", "late", "cancelled"]})"}},
      {"choose",
       "Chooses one of several actions and learns from its reward",
       {{"reward", "\"binary\" or \"number\"", "binary"},
        {"explore", "\"gaps\", \"epsilon\", \"softmax\", \"first\" or \"none\", or an object with type, floor and cap",
         "gaps"},
        {"rewards", "\"first\", \"last\" or \"sum\": what several rewards of one choice mean", "first"},
        {"seed", "a whole number, for the draws", "0"},
        {"actions", "an array of ids, or of objects with id and features, where plays bring none", "optional"}},
       choose,
       {R"({"task": "choose"})", R"({"task": "choose", "reward": "number", "actions": ["search", "social", "mail"]})"}},
      {"ratings",
       "Predicts what a user thinks of an item, both by name",
       {{"users", "room for so many", "524288"},
        {"items", "room for so many", "524288"},
        {"range", "the lowest and the highest rating", "[-100, 100]"}},
       ratings,
       {R"({"task": "ratings", "users": 1000, "items": 1000, "range": [1, 5]})"}},
      {"allocation",
       "Splits a whole over named options",
       {{"options", "an array of names", ""}},
       allocation,
       {R"({"task": "allocation", "options": ["search", "social", "mail"]})"}},
  };
  return entries;
}

std::vector<Value> earlier_meanings(const Value& given) {
  if (given.find("task") == nullptr) return {};
  const std::string task = given.text_at("task");
  const auto steps = [&]() -> std::vector<spec::Object> {
    const Value none{std::int64_t{0}};
    if (task == "classes") return {{{"products", none}, {"bends", none}}};
    if (task == "binary" || task == "regression")
      return {{{"trees", Value{false}}}, {{"bends", none}}, {{"products", none}}};
    return {};
  };
  std::vector<Value> meanings;
  Value meant = given;
  for (const spec::Object& step : steps()) {
    for (const auto& [key, value] : step)
      if (meant.find(key) == nullptr) std::get<spec::Object>(meant.as).emplace_back(key, value);
    meanings.push_back(meant);
  }
  return meanings;
}

std::string task_for_loss(const std::string& loss) {
  return loss == "logistic" ? "binary" : loss == "softmax" ? "classes" : "regression";
}

std::string plain_learner() { return "delayed_ogd"; }
std::string baseline_learner() { return "running_share"; }

// The keys of the expansion count unless they are given beside the task.
Value expand_task(const Node& node) {
  const std::string name = node.text("task");
  const auto entries = task_registry();
  const auto entry = std::find_if(entries.begin(), entries.end(), [&](const TaskEntry& e) { return e.name == name; });
  if (entry == entries.end()) {
    std::string names;
    for (const TaskEntry& e : entries) names += (names.empty() ? "" : ", ") + e.name;
    node.at("task").fail("one of " + names);
  }
  Value expanded = entry->expand(node);
  auto& members = std::get<spec::Object>(expanded.as);
  for (const std::string key : {"set", "learner", "loss", "standardise", "products", "features", "names", "initial",
                                "expiry", "labels", "revisable", "tracked", "lost", "choose"}) {
    const auto given = node.find(key);
    if (!given || key == entry->name) continue;  // the task has read its own
    const auto at = std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.first == key; });
    if (at == members.end())
      members.emplace_back(key, given->value());
    else
      at->second = given->value();
  }
  node.refuse_unknown_keys();
  return expanded;
}

}  // namespace tarry
