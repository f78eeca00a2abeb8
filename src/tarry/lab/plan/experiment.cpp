#include "tarry/lab/plan/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"
#include "tarry/lab/streams/routing_stream.h"
#include "tarry/spec/node.h"
#include "tarry/spec/toml.h"

namespace tarry::lab {
namespace {

using spec::Node;
using spec::Value;

// Everything of an object but some keys: what is left is somebody else's spec.
Value without(const Value& object, std::initializer_list<const char*> keys) {
  Value rest = object;
  std::erase_if(std::get<spec::Object>(rest.as), [&](const auto& member) {
    return std::any_of(keys.begin(), keys.end(), [&](const char* key) { return member.first == key; });
  });
  return rest;
}

// A short name where none is given: the type, and its numbers and words.
std::string short_name(const Node& node) {
  std::string name = node.at("type", "the name of one").text();
  for (const auto& member : std::get<spec::Object>(node.value().as)) {
    if (member.first == "type") continue;
    const Node value = node.at(member.first);
    if (value.is_number() || value.is_text())
      name += " " + (value.is_text() ? value.text() : spec::to_json(member.second));
  }
  return name;
}

std::string name_of(const Node& node) {
  const auto name = node.find("name");
  return name ? name->text() : short_name(node);
}

// `one` as a table or `many` as an array of tables.
std::vector<Node> one_or_many(const Node& file, const std::string& one, const std::string& many) {
  if (file.has(one) && file.has(many)) file.fail_whole(fmt::format("give either {} or {}, not both", one, many));
  if (file.has(one)) return {file.at(one)};
  if (!file.has(many)) return {};
  return file.at(many).list(fmt::format("an array of tables ([[{}]])", many));
}

std::vector<NamedSpec> read_specs(const std::vector<Node>& nodes) {
  std::vector<NamedSpec> specs;
  for (const Node& node : nodes) specs.push_back({name_of(node), without(node.value(), {"name"})});
  return specs;
}

std::vector<std::uint64_t> read_seeds(const Node& file) {
  const auto seeds = file.find("seeds");
  if (!seeds) return {1};
  std::vector<std::uint64_t> list;
  if (seeds->is_number())
    for (Index s = 1; s <= file.count("seeds", 1, 100000); ++s) list.push_back(static_cast<std::uint64_t>(s));
  else
    for (Index s : seeds->integers()) {
      if (s < 0) seeds->fail("a number of seeds, or an array of whole numbers of at least 0");
      list.push_back(static_cast<std::uint64_t>(s));
    }
  if (list.empty()) seeds->fail("a number of seeds, or an array with at least one");
  if (std::set(list.begin(), list.end()).size() < list.size()) seeds->fail("different seeds");
  return list;
}

template <class Named>
void refuse_twins(const Node& file, const std::string& kind, const std::vector<Named>& all) {
  std::set<std::string> names;
  for (const Named& one : all)
    if (!names.insert(one.name).second)
      file.fail_whole(fmt::format("two {} have the name {}: give one of them another `name`", kind,
                                  spec::to_json(Value{one.name})));
}

// What an override says is on no line of the file.
void forget_lines(Value& value) {
  value.line = 0;
  if (auto* array = std::get_if<spec::Array>(&value.as))
    for (Value& element : *array) forget_lines(element);
  if (auto* object = std::get_if<spec::Object>(&value.as))
    for (auto& member : *object) forget_lines(member.second);
}

std::optional<Wait> read_wait(const Node& learner) {
  constexpr const char* kWanted = "\"nine in ten\", or a number of at least 0 in the unit of the times";
  const auto node = learner.find("wait");
  if (!node) return std::nullopt;
  if (node->is_text() && node->text() == "nine in ten") return Wait{.nine_in_ten = true};
  if (!node->is_number() || node->number() < 0) node->fail(kWanted);
  return Wait{.time = node->number()};
}

// A learner that is a whole model: {name?, task, …, streams?}. Beside a policy of a log, the task is to choose.
LearnerSpec read_task(const Node& node) {
  LearnerSpec spec{
      .name = {}, .learner = without(node.value(), {"name", "streams", "only", "wait", "policy"}), .is_task = true};
  const auto policy = node.find("policy");
  if (policy) spec.policy = Policy::read(*policy);
  if (!node.has("task")) std::get<spec::Object>(spec.learner.as).push_back({"task", Value{std::string("choose")}});
  spec.name = node.text_or("name", policy ? spec.policy.spoken() : node.text("task"));
  if (const auto only = node.find("only")) {
    spec.only.emplace();
    for (const Node& feature : only->list("an array of features' names")) spec.only->push_back(feature.text());
  }
  spec.wait = read_wait(node);
  spec.regret = false;  // what is learnt changes its units, and has no fixed comparator
  if (const auto streams = node.find("streams"))
    for (const Node& stream : streams->list("an array of streams' names")) spec.streams.push_back(stream.text());
  return spec;
}

// Rows are kept by name where a learner needs them so.
void keep_names(std::vector<NamedSpec>& streams) {
  for (NamedSpec& stream : streams) {
    const StreamEntry* entry = find_stream_entry(stream.spec.text_at("type"));
    const auto is_names = [](const spec::Key& key) { return key.name == "names"; };
    if (entry != nullptr && std::any_of(entry->keys.begin(), entry->keys.end(), is_names) &&
        stream.spec.find("names") == nullptr)
      std::get<spec::Object>(stream.spec.as).push_back({"names", Value{true}});
  }
}

bool is_routing(const NamedSpec& stream) { return stream.spec.text_at("type") == "routing"; }

// A network's trips are a file that decides results: named in full, so that kept results know it.
void name_trips(NamedSpec& stream) {
  if (stream.spec.find("trips_path") != nullptr) return;
  if (const std::string trips = tntp_beside(stream.spec.text_at("path"), "trips"); !trips.empty())
    std::get<spec::Object>(stream.spec.as).push_back({"trips_path", Value{trips}});
}

LearnerSpec read_learner(const Node& node, const std::optional<Node>& common_set, bool standardise,
                         const Widened& common, bool needs_set) {
  if (node.has("task") || node.has("policy")) return read_task(node);
  const auto own_set = node.find("set");
  if (needs_set && !own_set && !common_set)
    node.fail_whole("set is missing (give [set] for all learners, or a set for this one)");
  const Value set = own_set ? own_set->value() : common_set ? common_set->value() : Value{};
  LearnerSpec spec{name_of(node),
                   without(node.value(), {"name", "set", "initial", "streams", "regret", "standardise", "products",
                                          "bends", "trees", "expiry", "tracked", "wait"}),
                   set};
  spec.wait = read_wait(node);
  if (const auto regret = node.find("regret")) spec.regret = regret->flag();
  const auto own_standardise = node.find("standardise");
  spec.standardise = own_standardise ? own_standardise->flag() : standardise;
  const auto own = [&](const char* key, const std::optional<bool>& of_all) -> std::optional<bool> {
    if (const auto given = node.find(key)) return given->flag();
    return spec.standardise ? of_all : std::nullopt;
  };
  spec.widened = {own("products", common.products), own("bends", common.bends), own("trees", common.trees)};
  if (spec.standardise) spec.regret = false;  // a fixed decision in changing units is no comparator
  if (const auto initial = node.find("initial")) spec.initial = initial->numbers();
  if (const auto expiry = node.find("expiry")) {
    spec.expiry = Expiry::read(*expiry);
    if (spec.expiry->seconds > 0) expiry->fail_whole("give rounds: a game has no seconds");
  }
  if (const auto tracked = node.find("tracked")) spec.tracked = read_tracked(*tracked);
  if (const auto streams = node.find("streams"))
    for (const Node& stream : streams->list("an array of streams' names")) spec.streams.push_back(stream.text());
  return spec;
}

bool is_recorded(const NamedSpec& delay) { return delay.spec.text_at("type") == "recorded"; }

// One run is kept: of this learner, on one stream whose rows it predicts.
void check_kept(const Node& node, const Experiment& e) {
  if (e.keep.empty()) return;
  if (std::none_of(e.learners.begin(), e.learners.end(), [&](const LearnerSpec& l) { return l.name == e.keep; }))
    node.at("keep").fail("the name of a learner");
  if (!e.horizons.empty()) node.fail_whole("keep is for games that are played once, not for horizons");
}

}  // namespace

TopSpec read_top(const spec::Node& node) {
  TopSpec top;
  const spec::Node users = node.at("users", "an array of users");
  if (std::holds_alternative<spec::Numbers>(users.value().as))
    for (const Index user : users.integers()) top.users.push_back(fmt::format("{}", user));
  else
    for (const spec::Node& user : users.list("an array of users"))
      top.users.push_back(user.is_number() ? fmt::format("{}", user.integer()) : user.text());
  if (top.users.empty()) node.at("users").fail("an array with at least one user");
  if (node.has("count")) top.count = static_cast<std::size_t>(node.count("count", 1, 1000000));
  node.refuse_unknown_keys();
  return top;
}

Experiment read_experiment(const Value& file) {
  const Node node(file, "experiment");
  Experiment e;
  e.name = node.text_or("name", "experiment");
  e.about = node.text_or("about", "");
  if (node.has("rounds")) e.rounds = static_cast<Round>(node.count("rounds", 1, Index{1} << 40));
  if (const auto horizons = node.find("horizons")) {
    if (node.has("rounds")) node.fail_whole("give either rounds or horizons, not both");
    for (Index t : horizons->integers()) {
      if (t < 1 || (!e.horizons.empty() && static_cast<Round>(t) <= e.horizons.back()))
        horizons->fail("ascending whole numbers of at least 1");
      e.horizons.push_back(static_cast<Round>(t));
    }
    if (e.horizons.empty()) horizons->fail("an array with at least one number of rounds");
  }
  e.seeds = read_seeds(node);
  if (node.has("checkpoints")) e.checkpoints = static_cast<int>(node.count("checkpoints", 2, 10000));
  e.gap = node.positive_or("gap", e.gap);
  if (const auto comparator = node.find("comparator")) e.comparator = comparator->flag();
  e.streams = read_specs(one_or_many(node, "stream", "streams"));
  e.delays = read_specs(one_or_many(node, "delay", "delays"));
  for (NamedSpec& stream : e.streams)
    if (is_routing(stream)) name_trips(stream);
  const bool needs_set = std::none_of(e.streams.begin(), e.streams.end(), is_routing);
  const auto set = node.find("set");
  const auto common_standardise = node.find("standardise");
  const bool standardise = common_standardise && common_standardise->flag();
  const auto flag = [&](const char* key) {
    const auto given = node.find(key);
    return given ? std::optional(given->flag()) : std::nullopt;
  };
  const Widened widened{flag("products"), flag("bends"), flag("trees")};
  for (const Node& learner : one_or_many(node, "learner", "learners"))
    e.learners.push_back(read_learner(learner, set, standardise, widened, needs_set));
  if (std::any_of(e.learners.begin(), e.learners.end(), [](const LearnerSpec& l) { return l.is_task; }))
    keep_names(e.streams);
  if (const auto top = node.find("top")) e.top = read_top(Node(top->value(), "top"));
  e.keep = node.text_or("keep", "");
  node.refuse_unknown_keys();
  if (e.streams.empty()) node.fail_whole("stream is missing (give [stream] or [[streams]])");
  if (e.learners.empty()) node.fail_whole("learners is missing (give [[learners]])");
  if (e.delays.empty()) e.delays.push_back({"none", Value{spec::Object{{"type", Value{std::string("none")}}}}});
  refuse_twins(node, "streams", e.streams);
  for (const LearnerSpec& learner : e.learners)
    for (const std::string& name : learner.streams)
      if (std::none_of(e.streams.begin(), e.streams.end(), [&](const NamedSpec& s) { return s.name == name; }))
        node.fail_whole(fmt::format("learner {} runs on {}, but no stream has that name",
                                    spec::to_json(Value{learner.name}), spec::to_json(Value{name})));
  refuse_twins(node, "delays", e.delays);
  for (const LearnerSpec& learner : e.learners)
    if (learner.wait && std::none_of(e.delays.begin(), e.delays.end(), is_recorded))
      node.fail_whole(fmt::format("learner {} has wait, which needs a delay of the type recorded",
                                  spec::to_json(Value{learner.name})));
  refuse_twins(node, "learners", e.learners);
  check_kept(node, e);
  return e;
}

bool LearnerSpec::runs_on(const std::string& stream) const {
  return streams.empty() || std::find(streams.begin(), streams.end(), stream) != streams.end();
}

bool LearnerSpec::runs_with(const NamedSpec& delay) const { return !wait || is_recorded(delay); }

void override_key(Value& file, const std::string& assignment) {
  const auto fail = [&](const std::string& why) {
    throw Error(Code::kBadSpec, fmt::format("override \"{}\": {}", assignment, why));
  };
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) fail("wanted key=value");
  std::string text = assignment.substr(equals + 1);
  Value parsed;
  try {
    parsed = spec::parse_toml("value = " + text);
  } catch (const Error&) {
    std::string quoted;
    spec::append_json(quoted, text);  // a bare word is a text
    parsed = spec::parse_toml("value = " + quoted);
  }
  Value* at = &file;
  std::string path = assignment.substr(0, equals);
  while (true) {
    const std::size_t dot = path.find('.');
    const std::string key = path.substr(0, dot);
    if (auto* array = std::get_if<spec::Array>(&at->as)) {
      if (key.empty() || key.find_first_not_of("0123456789") != std::string::npos || key.size() > 9 ||
          std::stoul(key) >= array->size())
        fail(fmt::format("{} is not one of the {} entries", key, array->size()));
      at = &(*array)[std::stoul(key)];
    } else if (auto* object = std::get_if<spec::Object>(&at->as)) {
      auto member = std::find_if(object->begin(), object->end(), [&](const auto& m) { return m.first == key; });
      if (member == object->end()) {
        object->push_back({key, dot == std::string::npos ? Value{} : Value{spec::Object{}}});
        member = object->end() - 1;
      }
      at = &member->second;
    } else {
      fail(fmt::format("{} is inside a value that has no keys", key));
    }
    if (dot == std::string::npos) break;
    path = path.substr(dot + 1);
  }
  *at = *parsed.find("value");
  forget_lines(*at);
}

std::vector<Round> checkpoint_rounds(Round rounds, int count) {
  std::vector<Round> list;
  for (int i = 0; i < count; ++i) {
    const double exponent = static_cast<double>(i) / (count - 1);
    const auto round = static_cast<Round>(std::llround(tarry::pow(static_cast<double>(rounds), exponent)));
    if (list.empty() || round > list.back()) list.push_back(std::min(round, rounds));
  }
  if (list.back() != rounds) list.push_back(rounds);
  return list;
}

}  // namespace tarry::lab
