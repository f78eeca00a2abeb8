#include "tarry/model/choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <unordered_set>

#include "tarry/base/error.h"
#include "tarry/features/digest.h"
#include "tarry/features/hash.h"
#include "tarry/ledger/keys.h"
#include "tarry/spec/node.h"

namespace tarry {
namespace {

using Ids = std::unordered_set<std::string>;

[[noreturn]] void refuse_choice(const std::string& why) { throw Error(Code::kBadInput, why); }

std::string quoted(const std::string& id) { return spec::to_json({shown(id)}); }

constexpr std::size_t kFew = 32;  // below it twins are looked for in pairs, which takes no memory

void check_id(const std::string& id, const char* where) {
  if (id.empty() || id.size() > kLongestKey)
    refuse_choice(fmt::format("{}: an id must have 1 to {} bytes ({} came)", where, kLongestKey, id.size()));
}

// The length and the first bytes: ids that differ there need not be compared.
std::uint64_t beginning(const std::string& id) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, id.data(), std::min(id.size(), sizeof bytes));
  return bytes ^ id.size() << 56;
}

void check_ids(const std::vector<Action>& actions) {
  std::array<std::uint64_t, kFew> begin;
  Ids ids;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const std::string& id = actions[i].id;
    check_id(id, "actions");
    bool twice = false;
    if (actions.size() <= kFew) {
      begin[i] = beginning(id);
      for (std::size_t j = 0; j < i; ++j) twice = twice || (begin[j] == begin[i] && actions[j].id == id);
    } else {
      twice = !ids.insert(id).second;
    }
    if (twice) refuse_choice(fmt::format("actions must have different ids ({} came twice)", quoted(id)));
  }
}

void check_known(const std::vector<Action>& actions, const std::string& id, const char* where) {
  if (std::none_of(actions.begin(), actions.end(), [&](const Action& action) { return action.id == id; }))
    refuse_choice(fmt::format("{} must name an action ({} came)", where, quoted(id)));
}

void check_probability(const std::optional<double>& p) {
  if (p && !(*p > 0 && *p <= 1))
    refuse_choice(fmt::format("shown.probability must be above 0 and at most 1 ({} came)", *p));
}

const std::string kOwn = kActionFeature, kInside = kOwn + ".";

// A name that a row has for its action.
bool is_taken(const std::string& name) {
  if (name.empty() || name[0] != kActionFeature[0]) return false;  // as most are
  return name == kOwn || name.starts_with(kInside);
}

}  // namespace

ChoiceSpec ChoiceSpec::read(const spec::Node& node) {
  ChoiceSpec spec;
  if (const auto crossed = node.find("crossed")) spec.crossed = crossed->flag();
  if (!spec.crossed) spec.explore = Exploration::without_deviations();
  if (const auto explore = node.find("explore"))
    spec.explore = Exploration::read(spec::Node(explore->value(), "explore"), spec.explore);
  if (node.has("seed")) spec.seed = node.count("seed", 0, Index{1} << 53);
  if (const auto actions = node.find("actions")) {
    spec.actions = read_actions(*actions);
    try {
      check_actions({}, spec.actions);
    } catch (const Error& error) {
      throw Error(Code::kBadSpec, fmt::format("choose: {}", error.what()));
    }
  }
  node.refuse_unknown_keys();
  return spec;
}

spec::Value ChoiceSpec::to_value() const {
  spec::Object object{{"explore", explore.to_value(crossed ? Exploration{} : Exploration::without_deviations())},
                      {"seed", spec::Value{seed}}};
  if (crossed) object.emplace_back("crossed", spec::Value{true});
  if (!actions.empty()) object.emplace_back("actions", actions_value(actions));
  return {std::move(object)};
}

void check_actions(const Choosing& asked, const std::vector<Action>& actions) {
  if (actions.empty()) refuse_choice("actions must have at least one action (none came)");
  if (actions.size() > kMostActions)
    refuse_choice(fmt::format("actions must be at most {} ({} came)", kMostActions, actions.size()));
  check_ids(actions);
  for (const std::string& id : asked.exclude) check_known(actions, id, "exclude");
  if (!asked.exclude.empty() && Ids(asked.exclude.begin(), asked.exclude.end()).size() == actions.size())
    refuse_choice(fmt::format("exclude must leave an action ({} of {} are excluded)", actions.size(), actions.size()));
  if (asked.shown) {
    check_known(actions, asked.shown->id, "shown");
    check_probability(asked.shown->probability);
  }
  for (const NamedFeature& feature : asked.context)
    if (is_taken(feature.name))
      refuse_choice(fmt::format("context must not have {}: that is a name of the action's", quoted(feature.name)));
}

void check_shown(const ShownLater& shown) {
  check_id(shown.action.id, "shown");
  check_probability(shown.probability);
}

NamedFeatures row_of(const NamedFeatures& context, const Action& action) {
  NamedFeatures row;
  row.reserve(context.size() + 1 + action.features.size());
  row = context;
  row.push_back({kActionFeature, action.id});
  for (const NamedFeature& feature : action.features) row.push_back({kInside + feature.name, feature.value});
  return row;
}

std::uint64_t digest_of(const Choosing& asked, const std::vector<Action>& actions) {
  std::uint64_t all = hash_step(kHashStart, digest(asked.context));
  for (const Action& action : actions) all = hash_step(hash_step(all, hash_text(action.id)), digest(action.features));
  all = hash_step(all, asked.exclude.size());
  for (const std::string& id : asked.exclude) all = hash_step(all, hash_text(id));
  if (!asked.shown) return all;
  all = hash_step(all, hash_text(asked.shown->id));
  return hash_step(all, std::bit_cast<std::uint64_t>(asked.shown->probability.value_or(0)));
}

// ---- JSON

bool has_choosing(const spec::Node& node) {
  return node.has("context") || node.has("actions") || node.has("exclude") || node.has("shown");
}

std::vector<Action> read_actions(const spec::Node& node) {
  const std::string wanted = "an array of ids, or of {\"id\", \"features\"?}";
  std::vector<Action> actions;
  for (const spec::Node& one : node.list(wanted)) {
    if (one.is_text()) {
      actions.push_back({one.text()});
      continue;
    }
    if (!one.is_object()) node.fail(wanted);
    const spec::Node inside(one.value(), "action");
    Action& action = actions.emplace_back(Action{inside.text("id")});
    if (const auto features = inside.find("features")) action.features = read_named(features->value());
    inside.refuse_unknown_keys();
  }
  return actions;
}

Choosing read_choosing(const spec::Node& node) {
  Choosing choosing;
  if (const auto context = node.find("context")) choosing.context = read_named(context->value());
  if (const auto actions = node.find("actions")) {
    choosing.actions = read_actions(*actions);
    if (choosing.actions.empty()) refuse_choice("actions must have at least one action (none came)");
  }
  if (const auto exclude = node.find("exclude"))
    for (const spec::Node& id : exclude->list("an array of ids")) choosing.exclude.push_back(id.text());
  if (const auto given = node.find("shown")) {
    ShownLater shown = read_shown(*given);
    if (!shown.action.features.empty()) refuse_choice("shown must not have features: its action has them");
    choosing.shown = ShownInstead{std::move(shown.action.id), shown.probability};
  }
  return choosing;
}

ShownLater read_shown(const spec::Node& node) {
  if (node.is_text()) return {.action = {node.text()}};
  if (!node.is_object()) node.fail("an id, or {\"id\", \"probability\"?}");
  const spec::Node inside(node.value(), "shown");
  ShownLater shown{.action = {inside.text("id")}};
  if (inside.has("probability")) shown.probability = inside.number("probability");
  if (const auto features = inside.find("features")) shown.action.features = read_named(features->value());
  inside.refuse_unknown_keys();
  return shown;
}

spec::Value actions_value(const std::vector<Action>& actions) {
  spec::Array array;
  for (const Action& action : actions) {
    spec::Object one{{"id", spec::Value{action.id}}};
    if (!action.features.empty()) one.emplace_back("features", to_value(action.features));
    array.push_back({std::move(one)});
  }
  return {std::move(array)};
}

void add_members(spec::Object& object, const Choosing& choosing) {
  object.emplace_back("context", to_value(choosing.context));
  if (!choosing.actions.empty()) object.emplace_back("actions", actions_value(choosing.actions));
  if (!choosing.exclude.empty()) {
    spec::Array ids;
    for (const std::string& id : choosing.exclude) ids.push_back({id});
    object.emplace_back("exclude", spec::Value{std::move(ids)});
  }
  if (choosing.shown)
    object.emplace_back("shown",
                        shown_value({.action = {choosing.shown->id}, .probability = choosing.shown->probability}));
}

spec::Value shown_value(const ShownLater& shown) {
  spec::Object object{{"id", spec::Value{shown.action.id}}};
  if (shown.probability) object.emplace_back("probability", spec::Value{*shown.probability});
  if (!shown.action.features.empty()) object.emplace_back("features", to_value(shown.action.features));
  return {std::move(object)};
}

}  // namespace tarry
