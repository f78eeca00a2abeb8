#include "tarry/lab/experiment/own_log.h"

#include <fmt/format.h>

#include "tarry/base/error.h"
#include "tarry/lab/logged/read_log.h"
#include "tarry/spec/toml.h"

namespace tarry::lab {
namespace {

using spec::Node;
using spec::Value;

// {0} the path as it is written in comments, {1} what was found, {2} a name, {3} the path as a TOML text, {4} what was
// said of the stream, {5} the type of the delay, {6} policies of one's own
constexpr const char* kJudged = R"(# Choices in {0}: what would other policies have earned?
# What was found in the log. Keys in [stream] overrule it: tarry streams lists them.
{1}
name = {2}

[stream]
name = {2}
type = "logged"
path = {3}
{4}
[delay]
type = "{5}"

[[learners]]
name = "auto"                  # a model that chooses, learning from the log as its rewards came
task = "choose"

[[learners]]
name = "auto, best only"       # the same without exploring
task = "choose"
explore = "none"

[[learners]]
name = "best single action"    # sees no context
task = "choose"
explore = "none"
only = []

[[learners]]
policy = "uniform"

[[learners]]
policy = "logged"
{6})";

std::string toml(const std::string& text) { return spec::to_json(Value{text}); }

Value stream_on(const std::string& path, const std::vector<std::string>& overrides) {
  Value file{
      spec::Object{{"stream", Value{spec::Object{{"type", Value{std::string("logged")}}, {"path", Value{path}}}}}}};
  for (const std::string& assignment : overrides)
    if (assignment.starts_with("stream.")) override_key(file, assignment);
  Value stream = *file.find("stream");
  std::erase_if(std::get<spec::Object>(stream.as), [](const auto& member) { return member.first == "name"; });
  return stream;
}

}  // namespace

bool is_own_log(const std::string& path, const std::vector<std::string>& overrides) {
  const Value stream = stream_on(path, overrides);
  if (stream.text_at("type") != "logged") return false;
  return is_log(path, Node(stream, "logged"));
}

std::string own_log_text(const std::string& path, const std::string& seen, const std::vector<std::string>& overrides) {
  const Value stream = stream_on(path, overrides);
  const Node node(stream, "logged");
  node.has("type");
  const Logged log = read_log(node);
  std::string found, said, policies;
  for (const std::string& line : log.read_as) found += fmt::format("#   {}\n", line);
  for (const auto& [key, value] : std::get<spec::Object>(stream.as))
    if (key != "type" && key != "path") said += fmt::format("{} = {}\n", key, spec::to_json(value));
  for (const auto& [column, cells] : log.policies)
    policies += fmt::format("\n[[learners]]\npolicy = {{ column = {} }}\n", toml(column));
  return fmt::format(kJudged, toml(path), found, toml(stem_of(path)), toml(seen), said,
                     log.data.has_times() ? "recorded" : "none", policies);
}

OwnData own_log(const std::string& path, const std::vector<std::string>& overrides) {
  OwnData own{.experiment = {}, .text = own_log_text(path, path, overrides)};
  Value file = spec::parse_toml(own.text);
  for (const std::string& assignment : overrides) override_key(file, assignment);
  own.experiment = read_experiment(file);
  return own;
}

}  // namespace tarry::lab
