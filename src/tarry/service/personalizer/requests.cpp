#include "tarry/service/personalizer/requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "tarry/base/error.h"
#include "tarry/hosting/crypto.h"
#include "tarry/service/memory/memory.h"
#include "tarry/service/personalizer/features.h"
#include "tarry/spec/node.h"

namespace tarry::service::personalizer {
namespace {

[[noreturn]] void refuse(const std::string& why, const std::string& key) {
  throw Rejection(Rejection::kMalformed, "bad_input", why, key);
}

// What goes wrong below is a rejection.
template <class F>
auto reading(F read) {
  try {
    return read();
  } catch (const Error& error) {
    throw Rejection(Rejection::kMalformed, "bad_input", error.what());
  }
}

// null is what was not given: clients write it.
std::optional<spec::Node> given(const spec::Node& node, const std::string& key) {
  auto found = node.find(key);
  if (found && std::holds_alternative<std::monostate>(found->value().as)) found.reset();
  return found;
}

void check_object(const spec::Value& body) {
  if (!std::holds_alternative<spec::Object>(body.as))
    refuse(fmt::format("the body must be an object ({} came)", spec::brief(body)), "");
}

// As a UUID is written.
std::string new_event_id() {
  const std::string bytes = hosting::random_bytes(16);
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    unsigned byte = static_cast<unsigned char>(bytes[i]);
    if (i == 6) byte = (byte & 0x0FU) | 0x40U;  // version 4: random
    if (i == 8) byte = (byte & 0x3FU) | 0x80U;
    text += fmt::format("{:02x}", byte);
  }
  return text;
}

std::string checked(const std::string& id, const std::string& key) {
  if (id.empty() || id.size() > kLongestEventId)
    refuse(fmt::format("{} must have 1 to {} bytes ({} came)", key, kLongestEventId, id.size()), key);
  return id;
}

std::vector<Action> read_actions(const spec::Node& node) {
  std::vector<Action> actions;
  for (const spec::Node& each : node.at("actions", "an array of actions").list("an array of actions")) {
    if (!each.is_object())
      refuse(fmt::format("an action must be an object ({} came)", spec::brief(each.value())), "actions");
    const spec::Node inside(each.value(), "action");
    Action& action = actions.emplace_back(Action{checked(inside.text("id"), "actions.id")});
    if (const auto features = given(inside, "features")) action.features = read_feature_list(*features);
  }
  if (actions.empty()) refuse("actions must have at least one action (none came)", "actions");
  return actions;
}

}  // namespace

Rank read_rank(const spec::Value& body) {
  const MayFail own;
  check_object(body);
  return reading([&] {
    const spec::Node node(body, "rank");
    Rank rank;
    const auto id = given(node, "eventId");
    rank.event_id = id ? checked(id->text(), "eventId") : new_event_id();
    rank.choosing.actions = read_actions(node);
    if (const auto context = given(node, "contextFeatures")) rank.choosing.context = read_context(*context);
    if (const auto excluded = given(node, "excludedActions"))
      for (const spec::Node& one : excluded->list("an array of ids")) {
        const std::string& name = one.text();
        const auto is_it = [&](const Action& action) { return action.id == name; };
        const auto& actions = rank.choosing.actions;
        if (std::any_of(actions.begin(), actions.end(), is_it)) rank.choosing.exclude.push_back(name);
      }
    if (const auto deferred = given(node, "deferActivation")) rank.deferred = deferred->flag();
    return rank;
  });
}

double read_reward(const spec::Value& body) {
  check_object(body);
  return reading([&] { return spec::Node(body, "reward").number("value"); });
}

std::string read_event_id(std::string_view escaped) {
  std::string id;
  for (std::size_t at = 0; at < escaped.size(); ++at) {
    if (escaped[at] != '%') {
      id += escaped[at];
      continue;
    }
    unsigned byte = 0;
    const std::string_view digits = escaped.substr(at + 1, 2);
    const auto end = digits.data() + digits.size();
    if (digits.size() < 2 || std::from_chars(digits.data(), end, byte, 16).ptr != end)
      refuse("eventId: a percent sign must have two hexadecimal digits behind it", "eventId");
    id += static_cast<char>(byte);
    at += 2;
  }
  return checked(id, "eventId");
}

}  // namespace tarry::service::personalizer
