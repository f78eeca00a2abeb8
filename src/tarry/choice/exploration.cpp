#include "tarry/choice/exploration.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"

namespace tarry {
namespace {

using Kind = Exploration::Kind;
constexpr std::array<std::pair<Kind, const char*>, 5> kNames = {{{Kind::kGaps, "gaps"},
                                                                 {Kind::kEpsilon, "epsilon"},
                                                                 {Kind::kSoftmax, "softmax"},
                                                                 {Kind::kFirst, "first"},
                                                                 {Kind::kNone, "none"}}};

const char* name_of(Kind kind) {
  return std::find_if(kNames.begin(), kNames.end(), [&](const auto& x) { return x.first == kind; })->second;
}

std::size_t best_of(std::span<const double> rewards) {
  return static_cast<std::size_t>(std::max_element(rewards.begin(), rewards.end()) - rewards.begin());
}

void put_on_best(std::span<const double> rewards, double rest, std::span<double> each) {
  std::fill(each.begin(), each.end(), rest / static_cast<double>(each.size()));
  each[best_of(rewards)] += 1 - rest;
}

void by_gaps(std::span<const double> rewards, double gamma, std::span<double> each) {
  const std::size_t best = best_of(rewards);
  double others = 0;
  for (std::size_t a = 0; a < each.size(); ++a)
    if (a != best) others += each[a] = 1 / (static_cast<double>(each.size()) + gamma * (rewards[best] - rewards[a]));
  each[best] = 1 - others;
}

void by_softmax(std::span<const double> rewards, double temperature, std::span<double> each) {
  const double most = rewards[best_of(rewards)];
  double sum = 0;
  for (std::size_t a = 0; a < each.size(); ++a) sum += each[a] = tarry::exp((rewards[a] - most) / temperature);
  for (double& p : each) p /= sum;
}

// What is above the cap goes to those below it, in proportion to what each may still take.
void keep_below(double cap, std::span<double> each) {
  double above = 0, room = 0;
  for (double p : each) (p > cap ? above : room) += std::fabs(p - cap);
  if (above == 0) return;
  for (double& p : each) p = p > cap ? cap : p + (cap - p) * above / room;
}

}  // namespace

Exploration Exploration::read(const spec::Node& node, Exploration explore) {
  const bool word = node.is_text();
  const std::string name = word ? node.text() : node.text_or("type", "gaps");
  const auto known = std::find_if(kNames.begin(), kNames.end(), [&](const auto& x) { return name == x.second; });
  if (known == kNames.end())
    (word ? node : node.at("type")).fail("\"gaps\", \"epsilon\", \"softmax\", \"first\" or \"none\"");
  explore.kind = known->first;
  if (word) return explore;
  const auto share = [&](const char* key, double otherwise) {
    const double x = node.number_or(key, otherwise);
    if (!(x >= 0 && x <= 1)) node.at(key).fail("a probability from 0 to 1");
    return x;
  };
  explore.floor = share("floor", 0);
  explore.cap = share("cap", 1);
  if (explore.cap == 0 || explore.floor > explore.cap) node.fail_whole("cap must be above 0, and not below floor");
  if (explore.kind == Kind::kGaps) {
    explore.gamma = node.positive_or("gamma", explore.gamma);
    explore.optimism = node.number_or("optimism", explore.optimism);
    if (!(explore.optimism >= 0 && explore.optimism <= 100)) node.at("optimism").fail("a number from 0 to 100");
  }
  if (explore.kind == Kind::kEpsilon) explore.epsilon = share("epsilon", explore.epsilon);
  if (explore.kind == Kind::kSoftmax) explore.temperature = node.positive_or("temperature", explore.temperature);
  if (explore.kind == Kind::kFirst)
    explore.rounds = static_cast<double>(node.has("rounds") ? node.count("rounds", 0, spec::Index{1} << 53) : 1000);
  node.refuse_unknown_keys();
  return explore;
}

spec::Value Exploration::to_value(const Exploration& unless_said) const {
  spec::Object object{{"type", spec::Value{std::string(name_of(kind))}}};
  if (kind == Kind::kGaps) {
    object.push_back({"gamma", spec::Value{gamma}});
    if (optimism != unless_said.optimism || optimism > 0) object.push_back({"optimism", spec::Value{optimism}});
  }
  if (kind == Kind::kEpsilon) object.push_back({"epsilon", spec::Value{epsilon}});
  if (kind == Kind::kSoftmax) object.push_back({"temperature", spec::Value{temperature}});
  if (kind == Kind::kFirst) object.push_back({"rounds", spec::Value{static_cast<spec::Index>(rounds)}});
  object.push_back({"floor", spec::Value{floor}});
  object.push_back({"cap", spec::Value{cap}});
  return {std::move(object)};
}

void Exploration::probabilities(std::span<const double> rewards, double answered, std::span<double> each) const {
  const auto count = static_cast<double>(rewards.size());
  if (each.size() == 1) {  // whatever the cap: there is nothing else to take
    each[0] = 1;
    return;
  }
  if (floor * count > 1 + 1e-12)
    throw Error(Code::kBadInput,
                fmt::format("floor = {} is too much for {} actions: at most {}", floor, count, 1 / count));
  if (cap * count < 1 - 1e-12)
    throw Error(Code::kBadInput,
                fmt::format("cap = {} is too little for {} actions: at least {}", cap, count, 1 / count));
  switch (kind) {
    case Kind::kGaps:
      by_gaps(rewards, gamma * std::sqrt(count * answered), each);
      break;
    case Kind::kEpsilon:
      put_on_best(rewards, epsilon, each);
      break;
    case Kind::kSoftmax:
      by_softmax(rewards, temperature, each);
      break;
    case Kind::kFirst:
      put_on_best(rewards, answered < rounds ? 1 : 0, each);
      break;
    case Kind::kNone:
      put_on_best(rewards, 0, each);
      break;
  }
  if (floor > 0)
    for (double& p : each) p = std::min(1.0, floor + (1 - count * floor) * p);
  if (cap < 1) keep_below(cap, each);
}

std::size_t drawn(std::span<const double> probabilities, double uniform) {
  double passed = 0;
  std::size_t last = 0;
  for (std::size_t a = 0; a < probabilities.size(); ++a) {
    if (probabilities[a] > 0) last = a;
    if (uniform < (passed += probabilities[a])) return a;
  }
  return last;  // the sum is 1 up to rounding
}

}  // namespace tarry
