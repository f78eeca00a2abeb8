#include "tarry/lab/logged/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "tarry/base/error.h"
#include "tarry/data/text/text_lines.h"

namespace tarry::lab {
namespace {

using evaluation::LoggedReward;
using evaluation::Modelled;

constexpr const char* kWanted = "\"logged\", \"uniform\", {always = ACTION}, {column = NAME} or {probability = NAME}";

std::size_t place_of(const std::vector<Action>& actions, const std::string& id) {
  return static_cast<std::size_t>(
      std::find_if(actions.begin(), actions.end(), [&](const Action& a) { return a.id == id; }) - actions.begin());
}

// How likely the policy is to take each action; those of an action that is not there are 0.
Vec weights_on(const Policy& policy, const Logged& log, std::size_t row, const std::vector<RankedAction>& ranking) {
  const std::vector<Action>& actions = *log.choices[row].actions;
  Vec each(actions.size(), 0.0);
  const auto put = [&](std::size_t at) {
    if (at < each.size()) each[at] = 1;
  };
  switch (policy.kind) {
    case Policy::Kind::kModel:
      for (std::size_t a = 0; a < each.size(); ++a) each[a] = ranking[a].probability;
      break;
    case Policy::Kind::kUniform:
      std::fill(each.begin(), each.end(), 1 / static_cast<double>(each.size()));
      break;
    case Policy::Kind::kAlways:
      put(place_of(actions, policy.name));
      break;
    case Policy::Kind::kColumn:
      put(place_of(actions, log.policies.at(policy.name)[row]));
      break;
    case Policy::Kind::kLogged:
    case Policy::Kind::kProbability:
      break;
  }
  return each;
}

double number_in(const Logged& log, const std::string& column, std::size_t row) {
  double p = 0;
  const std::string& cell = log.policies.at(column)[row];
  if (!data::read_number(cell, p) || !(p >= 0 && p <= 1))
    throw Error(Code::kBadInput, fmt::format("row {}: {} must be a probability from 0 to 1 ({} came)", row + 1, column,
                                             spec::brief({cell})));
  return p;
}

double within(const Logged& log, double reward) {
  return log.range ? std::clamp(reward, log.range->low, log.range->high) : reward;
}

Modelled modelled(const Logged& log, std::size_t row, const Vec& pi, const std::vector<RankedAction>& ranking) {
  const LoggedChoice& choice = log.choices[row];
  Modelled model{.taken = within(log, ranking[choice.taken].reward)};
  double total = 0;
  for (std::size_t a = 0; a < pi.size(); ++a) {
    const double f = within(log, ranking[a].reward);
    model.policy += pi[a] * f;
    total += pi[a];
    if (pi[a] == 0 || !log.range) continue;
    const double p = choice.probabilities.empty() ? log.least_probability : choice.probabilities[a];
    model.bounded = model.bounded && p > 0;
    if (p == 0) continue;
    model.largest_up = std::max(model.largest_up, pi[a] * (log.range->high - f) / p);
    model.largest_down = std::max(model.largest_down, pi[a] * (f - log.range->low) / p);
  }
  if (total < 0.5) model.bounded = false;  // it wants an action that is not there
  return model;
}

}  // namespace

Policy Policy::read(const spec::Node& node) {
  if (node.is_text()) {
    if (node.text() == "logged") return {Kind::kLogged};
    if (node.text() == "uniform") return {Kind::kUniform};
    node.fail(kWanted);
  }
  if (!node.is_object()) node.fail(kWanted);
  const spec::Node inside(node.value(), "policy");
  Policy policy;
  if (inside.has("always"))
    policy = {Kind::kAlways, inside.text("always")};
  else if (inside.has("column"))
    policy = {Kind::kColumn, inside.text("column")};
  else if (inside.has("probability"))
    policy = {Kind::kProbability, inside.text("probability")};
  else
    node.fail(kWanted);
  inside.refuse_unknown_keys();
  return policy;
}

std::string Policy::spoken() const {
  switch (kind) {
    case Kind::kLogged:
      return "as logged";
    case Kind::kUniform:
      return "uniform";
    case Kind::kAlways:
      return "always " + name;
    case Kind::kColumn:
    case Kind::kProbability:
      return name;
    case Kind::kModel:
      break;
  }
  return "model";
}

void Policy::check(const Logged& log) const {
  const bool column = kind == Kind::kColumn || kind == Kind::kProbability;
  if (column && !log.policies.contains(name))
    throw Error(Code::kBadSpec,
                fmt::format("policy: {} must be a column that the stream names in policies", spec::brief({name})));
  if (kind != Kind::kAlways) return;
  for (const LoggedChoice& choice : log.choices)
    if (place_of(*choice.actions, name) < choice.actions->size()) return;
  throw Error(Code::kBadSpec,
              fmt::format("policy: always must name an action of the log ({} came)", spec::brief({name})));
}

LoggedReward judged_by(const Policy& policy, const Logged& log, std::size_t row,
                       const std::vector<RankedAction>& ranking) {
  const LoggedChoice& choice = log.choices[row];
  LoggedReward judged;
  if (const double reward = log.data.labels[row]; !std::isnan(reward)) judged.reward = reward;
  if (policy.kind == Policy::Kind::kProbability) {  // of the other actions nothing is known
    judged.weight = number_in(log, policy.name, row) / choice.probability;
    return judged;
  }
  if (policy.kind == Policy::Kind::kLogged) {  // it takes what was taken, and every model says what that earned
    const double f = within(log, ranking[choice.taken].reward);
    judged.weight = 1;
    judged.model = Modelled{.taken = f, .policy = f};
    if (log.range) {
      judged.model->largest_up = log.range->high - f;
      judged.model->largest_down = f - log.range->low;
    }
    return judged;
  }
  const Vec pi = weights_on(policy, log, row, ranking);
  judged.weight = pi[choice.taken] / choice.probability;
  judged.model = modelled(log, row, pi, ranking);
  return judged;
}

double unsupported(const Policy& policy, const Logged& log, std::size_t row, const std::vector<RankedAction>& ranking) {
  if (policy.kind == Policy::Kind::kLogged || policy.kind == Policy::Kind::kProbability) return 0;
  const LoggedChoice& choice = log.choices[row];
  const Vec pi = weights_on(policy, log, row, ranking);
  double supported = 0;
  for (std::size_t a = 0; a < pi.size(); ++a)
    if (choice.probabilities.empty() || choice.probabilities[a] > 0) supported += pi[a];
  return supported > 1 - 1e-9 ? 0 : 1 - supported;  // probabilities add up to 1 up to rounding
}

}  // namespace tarry::lab
