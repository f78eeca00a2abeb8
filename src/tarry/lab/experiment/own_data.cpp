#include "tarry/lab/experiment/own_data.h"

#include <fmt/format.h>

#include <filesystem>

#include "tarry/lab/experiment/check_keys.h"
#include "tarry/lab/experiment/experiment.h"
#include "tarry/lab/streams/late_labels_stream.h"
#include "tarry/model/tasks.h"
#include "tarry/spec/json.h"
#include "tarry/spec/toml.h"

namespace tarry::lab {
namespace {

// {0} the path as it is written in comments, {1} what was found, {2} a name, {3} the path as a TOML text, {4} the task,
// {5} what was said of the stream, {6} the type of a learner that takes plain steps
constexpr const char* kExperiment =
    R"(# Late labels in {0}: each row is predicted when it is seen, and learnt from when its label is known.
# What was recognised in the file. Keys in [stream] overrule it: tarry streams lists them.
{1}
name = {2}
checkpoints = 60
keep = "auto"                  # this learner's predictions.csv and model.tarry are left beside the report

[stream]
name = {2}
type = "late_labels"
path = {3}
{5}
[[delays]]
name = "at once"               # as if every label came at once: what lateness costs
type = "none"

[[delays]]
name = "as recorded"
type = "recorded"

[[learners]]
name = "auto"
task = "{4}"

[[learners]]
name = "base rate"             # the same learner without any feature: what the others must beat
task = "{4}"
only = []

[[learners]]
name = "SGD 0.01"              # one rate for all, on the same features
type = {6}
eta = 0.01
standardise = true
set = {{ type = "linf_ball", dimension = "stream", radius = 1e6 }}
)";

std::string stem_of(std::filesystem::path path) {
  path = path.filename();
  if (path.extension() == ".gz") path = path.stem();
  const std::string stem = path.stem().string();
  return stem.empty() ? "late labels" : stem;
}

// What overrides say of the stream.
spec::Value stream_in(const std::vector<std::string>& overrides) {
  spec::Value file{spec::Object{{"stream", spec::Value{spec::Object{}}}}};
  for (const std::string& assignment : overrides)
    if (assignment.starts_with("stream.")) override_key(file, assignment);
  return *file.find("stream");
}

LateLabelsKeys said_in(const std::vector<std::string>& overrides) {
  const spec::Value stream = stream_in(overrides);
  const spec::Node node(stream, "late_labels");
  const LateLabelsKeys keys = late_labels_keys(node);
  node.has("type");
  node.has("name");
  for (const spec::Key& key : late_labels_entry().keys) node.has(key.name);
  node.refuse_unknown_keys();
  return keys;
}

// Words in an experiment's template.
struct Filling {
  std::string found = {}, task = "regression", said = {};
};

std::string experiment_on(const std::string& path, const Filling& filling) {
  const auto toml = [](const std::string& text) { return spec::to_json(spec::Value{text}); };
  return fmt::format(kExperiment, toml(path), filling.found, toml(stem_of(path)), toml(path), filling.task,
                     filling.said, toml(plain_learner()));
}

// Before a long file is read: keys that are wrong whatever it holds.
void check_overrides(const std::string& path, const std::vector<std::string>& overrides) {
  if (overrides.empty()) return;
  spec::Value file = spec::parse_toml(experiment_on(path, {}));
  for (const std::string& assignment : overrides) override_key(file, assignment);
  check_keys(read_experiment(file));
}

Filling filled(const std::string& path, const std::vector<std::string>& overrides) {
  const LateLabelsKeys said = said_in(overrides);
  check_overrides(path, overrides);
  const LateLabels found = found_in(path, said);
  Filling filling;
  filling.task = task_for_loss(found.loss);
  for (const std::string& line : found.read_as) filling.found += fmt::format("#   {}\n", line);
  return filling;
}

}  // namespace

bool is_table(const std::string& path) {
  std::filesystem::path name(path);
  if (name.extension() == ".gz") name = name.stem();
  return name.extension() == ".csv" || name.extension() == ".tsv";
}

std::string own_data_experiment(const std::string& path, const std::vector<std::string>& overrides) {
  return experiment_on(path, filled(path, overrides));
}

std::string own_data_file(const std::string& path, const std::vector<std::string>& overrides,
                          const std::filesystem::path& folder) {
  Filling filling = filled(path, overrides);
  const spec::Value stream = stream_in(overrides);
  for (const auto& [key, value] : std::get<spec::Object>(stream.as))
    if (key != "name" && key != "type" && key != "path")
      filling.said += fmt::format("{} = {}\n", key, spec::to_json(value));
  const bool elsewhere = !folder.empty() && std::filesystem::path(path).is_relative();
  return experiment_on(elsewhere ? std::filesystem::proximate(path, folder).string() : path, filling);
}

}  // namespace tarry::lab
