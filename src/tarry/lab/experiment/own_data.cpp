#include "tarry/lab/experiment/own_data.h"

#include <fmt/format.h>

#include <filesystem>

#include "tarry/lab/experiment/experiment.h"
#include "tarry/lab/streams/late_labels_stream.h"
#include "tarry/spec/json.h"

namespace tarry::lab {
namespace {

// {0} the path as it is written in comments, {1} what was found, {2} a name, {3} the path as a TOML text, {4} the task
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
type = "delayed_ogd"
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

// What overrides say of the stream's columns.
LateLabelsKeys said_in(const std::vector<std::string>& overrides) {
  spec::Value file{spec::Object{{"stream", spec::Value{spec::Object{}}}}};
  for (const std::string& assignment : overrides)
    if (assignment.starts_with("stream.")) override_key(file, assignment);
  return late_labels_keys(spec::Node(*file.find("stream"), "late_labels"));
}

}  // namespace

bool is_table(const std::string& path) {
  std::filesystem::path name(path);
  if (name.extension() == ".gz") name = name.stem();
  return name.extension() == ".csv" || name.extension() == ".tsv";
}

std::string own_data_experiment(const std::string& path, const std::vector<std::string>& overrides) {
  const LateLabels found = found_in(path, said_in(overrides));
  const std::string task = found.loss == "logistic" ? "binary" : found.loss == "softmax" ? "classes" : "regression";
  std::string lines;
  for (const std::string& line : found.read_as) lines += fmt::format("#   {}\n", line);
  const auto toml = [](const std::string& text) { return spec::to_json(spec::Value{text}); };
  return fmt::format(kExperiment, toml(path), lines, toml(stem_of(path)), toml(path), task);
}

}  // namespace tarry::lab
