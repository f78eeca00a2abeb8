#include "tarry/hosting/challenger_spec.h"

#include <algorithm>

#include "tarry/base/error.h"
#include "tarry/model/tasks.h"
#include "tarry/spec/node.h"

namespace tarry::hosting {
namespace {

using spec::Value;

void put(spec::Object& members, const std::string& key, const Value& value) {
  const auto at = std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.first == key; });
  if (at == members.end())
    members.emplace_back(key, value);
  else
    at->second = value;
}

// The same as a task with keys beside it, where its set is the one that follows from them: such a set follows other
// keys, too. Otherwise as it is.
Value as_task(const Value& whole) {
  const Value* loss = whole.find("loss");
  const Value* set = whole.find("set");
  if (loss == nullptr || set == nullptr || whole.find("features") == nullptr) return whole;
  const Value* choose = whole.find("choose");
  const std::string of_loss = task_for_loss(loss->text_at("type"));
  spec::Object members{{"task", Value{choose != nullptr ? "choose" : of_loss}}};
  for (const spec::Member& member : std::get<spec::Object>(whole.as))
    if (member.first != "set" && member.first != "choose") members.push_back(member);
  if (choose != nullptr) {
    put(members, "reward", Value{of_loss == "binary" ? of_loss : "number"});
    const ChoiceSpec spec = ChoiceSpec::read(spec::Node(*choose, "choose"));
    const bool unasked = spec.explore == (spec.crossed ? Exploration{} : Exploration::without_deviations());
    for (const spec::Member& member : std::get<spec::Object>(choose->as))  // what follows from products is left to them
      if (member.first != "crossed" && !(member.first == "explore" && unasked)) members.push_back(member);
  }
  // What a specification leaves out is none of it; a task would choose.
  for (const std::string key : {"products", "bends"})
    if (whole.find(key) == nullptr) put(members, key, Value{std::int64_t{0}});
  if (whole.find("trees") == nullptr) put(members, "trees", Value{false});
  if (whole.find("standardise") == nullptr) put(members, "standardise", Value{false});
  if (const Value* classes = loss->find("classes")) put(members, "classes", *classes);  // the task's own key
  Value task{std::move(members)};
  try {
    const ModelSpec expanded = ModelSpec::read(task);
    const bool crosses = choose != nullptr && choose->find("crossed") != nullptr;
    const bool as_crossed = !expanded.choice || expanded.choice->crossed == crosses;
    if (as_crossed && spec::to_json(canonical(expanded.set)) == spec::to_json(canonical(*set))) return task;
  } catch (const Error&) {  // no task has these keys
  }
  return whole;
}

[[noreturn]] void refuse_challenger(const std::string& why) { throw Error(Code::kUnsupported, "challenger: " + why); }

}  // namespace

ModelSpec challenger_spec(const Model& champion, const Value& given) {
  const auto* patch = std::get_if<spec::Object>(&given.as);
  if (patch == nullptr)
    throw Error(Code::kBadSpec, "challenger: must be an object: a specification, or keys that are to be different (" +
                                    spec::brief(given) + " came)");
  if (given.find("task") != nullptr || given.find("set") != nullptr) return ModelSpec::read(given);
  if (patch->empty())
    throw Error(Code::kBadSpec, "challenger: say what is to be different, such as {\"products\": false}");
  Value merged = as_task(ModelSpec::parse(champion.spec()).to_value());
  for (const spec::Member& member : *patch) {
    const auto* flag = std::get_if<bool>(&member.second.as);
    const bool none = flag != nullptr && !*flag && (member.first == "products" || member.first == "bends");
    put(std::get<spec::Object>(merged.as), member.first, none ? Value{std::int64_t{0}} : member.second);
  }
  if (given.find("learner") != nullptr && given.find("trees") == nullptr)  // not every learner weighs them
    put(std::get<spec::Object>(merged.as), "trees", Value{false});
  return ModelSpec::read(merged);
}

void check_challenger(const Model& champion, const ModelSpec& spec) {
  if (!champion.loss())
    refuse_challenger("the model must have a loss: a gradient is one at the point that the model played");
  if (champion.choice().has_value() != spec.choice.has_value())
    refuse_challenger(champion.choice() ? "the model chooses, and the challenger must, too"
                                        : "the model does not choose, and the challenger must not");
  if (champion.choice() && champion.loss()->of_the_error())
    refuse_challenger(
        "of a model that chooses, rewards must be true or false: for numbers of any size there is no interval");
  if (champion.revisable().any()) refuse_challenger("not of a model whose labels can be corrected");
  if (champion.ledger().tracked().any() || spec.tracked.any())
    refuse_challenger("not where some rounds are not tracked: both must learn from the same ones");
  const Expiry& expiry = champion.expiry();
  if (expiry.then_label && (expiry.rounds > 0 || champion.loss()->outputs() > 1))
    refuse_challenger(
        "of a model with a default label, the expiry must be in seconds and the label a number or true or false");
  const Value own = ModelSpec::parse(champion.spec()).to_value(), other = spec.to_value();
  const auto part = [](const Value& whole, const std::string& key) {
    const Value* choose = whole.find("choose");
    return key != "actions" ? whole.find(key) : choose != nullptr ? choose->find(key) : nullptr;
  };
  for (const std::string key : {"loss", "expiry", "labels", "revisable", "actions"}) {
    const Value *mine = part(own, key), *theirs = part(other, key);
    const std::string here = mine == nullptr ? "none" : spec::brief(*mine);
    const std::string there = theirs == nullptr ? "none" : spec::brief(*theirs);
    if ((mine == nullptr) != (theirs == nullptr) ||
        (mine != nullptr && spec::to_json(canonical(*mine)) != spec::to_json(canonical(*theirs))))
      refuse_challenger(key + " must be the model's, " + here + " (" + there + " came)");
  }
  const bool named = spec.features.has_value();
  if (named != champion.features().takes_names())
    refuse_challenger(named ? "the model's features have no names, and the challenger's must not have any"
                            : "the model's features have names, and the challenger needs a key features");
}

}  // namespace tarry::hosting
