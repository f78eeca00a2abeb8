#include "tarry/lab/experiment/own_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "tarry/base/error.h"
#include "tarry/lab/experiment/check_keys.h"
#include "tarry/lab/experiment/own_log.h"
#include "tarry/lab/streams/csv_stream.h"
#include "tarry/model/tasks.h"

namespace tarry::lab {
namespace {

// What people see of the experiment. {0} the path as it is written in comments, {1} what was found, {2} a name, {3} the
// path as a TOML text, {4} the task, {5} what was said of the stream, {6} the type of a learner that takes plain steps,
// {7} of one that looks at no feature
constexpr const char* kExperiment =
    R"(# Late labels in {0}: each row is predicted when it is seen, and learnt from when its label is known.
# What was recognised in the file. Keys in [stream] overrule it: tarry streams lists them.
{1}
name = {2}
checkpoints = 60
keep = "auto"                  # this learner's predictions.csv and model.tarry are left beside the report

[stream]
name = {2}
type = "csv"
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
name = "waiting"               # the same learner, but each label is used only after the wait in which nine in ten come
task = "{4}"
wait = "nine in ten"

[[learners]]
name = "base rate"             # the share of each label among those that have come, or their mean: no feature
task = "{4}"
only = []
learner = {7}

[[learners]]
name = "SGD 0.01"              # one rate for all, on the same features
type = {6}
eta = 0.01
gradients = "fresh"
standardise = true
set = {{ type = "linf_ball", dimension = "stream", radius = 1e6 }}
)";

constexpr const char* kOpen =
    "#   The columns do not say everything: below [stream], take the # from one line of each question, and change it "
    "if\n"
    "#   need be. Until then this file cannot be run.\n";

// Open questions as comments, each with its lines.
std::string as_comments(const LateLabels& found) {
  std::string lines;
  for (const data::Question& question : found.reading.questions) {
    lines += fmt::format("# It is not clear {}:\n", question.what);
    for (const std::string& line : question.lines) lines += fmt::format("# {}\n", line);
  }
  return lines;
}

spec::Value text(const std::string& x) { return {x}; }

// The same experiment as a value, with what overrides say. One that names the stream's type says its columns, too.
spec::Value experiment_on(const std::string& path, const std::string& task, const std::vector<std::string>& overrides) {
  using spec::Array, spec::Object, spec::Value;
  const std::string name = stem_of(path);
  Object stream{{"name", text(name)}, {"type", text("csv")}, {"path", text(path)}};
  if (std::none_of(overrides.begin(), overrides.end(), [](const auto& one) { return one.starts_with("stream.type="); }))
    stream.push_back({"features", text("found")});
  const Array delays{{Object{{"name", text("at once")}, {"type", text("none")}}},
                     {Object{{"name", text("as recorded")}, {"type", text("recorded")}}}};
  const Value set{Object{{"dimension", text("stream")}, {"radius", Value{1e6}}, {"type", text("linf_ball")}}};
  const Array learners{{Object{{"name", text("auto")}, {"task", text(task)}}},
                       {Object{{"name", text("waiting")}, {"task", text(task)}, {"wait", text("nine in ten")}}},
                       {Object{{"name", text("base rate")},
                               {"task", text(task)},
                               {"only", Value{spec::Numbers{}}},
                               {"learner", {Object{{"type", text(baseline_learner())}}}}}},
                       {Object{{"name", text("SGD 0.01")},
                               {"type", text(plain_learner())},
                               {"eta", Value{0.01}},
                               {"gradients", text("fresh")},
                               {"standardise", Value{true}},
                               {"set", set}}}};
  Value file{Object{{"name", text(name)},
                    {"checkpoints", Value{std::int64_t{60}}},
                    {"keep", text("auto")},
                    {"stream", {stream}},
                    {"delays", {delays}},
                    {"learners", {learners}}}};
  for (const std::string& assignment : overrides) override_key(file, assignment);
  return file;
}

// The stream as overrides leave it, without its name.
spec::Value own_stream(const spec::Value& file) {
  spec::Value stream = *file.find("stream");
  std::erase_if(std::get<spec::Object>(stream.as), [](const auto& member) { return member.first == "name"; });
  return stream;
}

struct Looked {
  std::shared_ptr<const LateLabels> found;  // null: overrides say what the columns are
  std::string task = "regression";
};

Looked look(const std::string& path, const std::vector<std::string>& overrides) {
  Looked looked;
  const spec::Value file = experiment_on(path, looked.task, overrides);
  // Before a long file is read: keys that are wrong whatever it holds.
  if (!overrides.empty()) check_keys(read_experiment(file));
  const spec::Value stream = own_stream(file);
  const spec::Node node(stream, "stream");
  if (!finds_columns(node)) return looked;
  looked.found = std::make_shared<const LateLabels>(looked_at(node));
  if (looked.found->reading.questions.empty()) looked.task = task_for_loss(looked.found->loss);
  return looked;
}

// For people, and for `tarry init`; `said`: the stream's other keys.
std::string text_on(const std::string& path, const Looked& looked, const std::string& said) {
  const auto toml = [](const std::string& x) { return spec::to_json(text(x)); };
  std::string lines;
  if (looked.found)
    for (const std::string& line : looked.found->read_as) lines += fmt::format("#   {}\n", line);
  if (looked.found && !looked.found->reading.questions.empty()) lines += kOpen;
  return fmt::format(kExperiment, toml(path), lines, toml(stem_of(path)), toml(path), looked.task, said,
                     toml(plain_learner()), fmt::format("{{ type = {} }}", toml(baseline_learner())));
}

// A specification begins with a [table] or a key = value; a table with names of columns, or with a JSON object.
bool begins_like_a_table(const std::string& path) {
  if (std::error_code failed; !std::filesystem::is_regular_file(path, failed)) return false;
  try {
    data::TextLines lines(path);
    std::string_view line;
    while (lines.next(line))
      if (const std::string_view text = data::trimmed(line); !text.empty() && text.front() != '#')
        return text.front() == '{' || (text.front() != '[' && text.find('=') == std::string_view::npos &&
                                       text.find_first_of(",;\t|") != std::string_view::npos);
  } catch (const Error&) {  // no text at all, which reading it as a table says by name
    return true;
  }
  return false;
}

}  // namespace

std::string stem_of(std::filesystem::path path) {
  path = path.filename();
  if (path.extension() == ".gz") path = path.stem();
  const std::string stem = path.stem().string();
  return stem.empty() ? "late labels" : stem;
}

bool is_table(const std::string& path) {
  static constexpr std::array<std::string_view, 30> kTables = {
      ".csv",     ".tsv",     ".tab",   ".psv", ".txt",  ".dat", ".jsonl",  ".ndjson", ".json",   ".xlsx",
      ".xls",     ".xlsm",    ".ods",   ".zip", ".tar",  ".tgz", ".bz2",    ".xz",     ".zst",    ".7z",
      ".parquet", ".feather", ".arrow", ".orc", ".avro", ".pkl", ".pickle", ".db",     ".sqlite", ".pdf"};
  std::filesystem::path name(path);
  if (name.extension() == ".gz") name = name.stem();
  std::string extension = name.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (std::find(kTables.begin(), kTables.end(), extension) != kTables.end()) return true;
  return extension != ".toml" && begins_like_a_table(path);
}

LateLabels own_reading(const std::string& path, const std::vector<std::string>& overrides) {
  const Looked looked = look(path, overrides);
  if (!looked.found) throw Error(Code::kBadInput, path + ": stream.features must stay \"found\"");
  LateLabels found = *looked.found;
  if (!found.reading.questions.empty()) return found;
  const spec::Value stream = own_stream(experiment_on(path, looked.task, overrides));
  found.read_as = read_csv_stream(spec::Node(stream, "stream"), &found).read_as;
  return found;
}

bool is_data(const std::string& path) {
  std::filesystem::path name(path);
  if (name.extension() == ".gz") name = name.stem();
  return is_table(path) || name.extension() == ".dsjson";
}

OwnData own_data(const std::string& path, const std::vector<std::string>& overrides) {
  if (is_own_log(path, overrides)) return own_log(path, overrides);
  const Looked looked = look(path, overrides);
  if (looked.found) throw_if_questions(path, *looked.found);
  OwnData own{read_experiment(experiment_on(path, looked.task, overrides)),
              text_on(path, looked, "features = \"found\"\n")};
  own.experiment.streams.front().found = looked.found;
  return own;
}

OwnDataFile own_data_file(const std::string& path, const std::vector<std::string>& overrides,
                          const std::filesystem::path& folder) {
  const bool elsewhere = !folder.empty() && std::filesystem::path(path).is_relative();
  const std::string seen = elsewhere ? std::filesystem::proximate(path, folder).string() : path;
  if (is_own_log(path, overrides)) return {own_log_text(path, seen, overrides), 0};
  const Looked looked = look(path, overrides);
  std::string said;
  const spec::Value file = experiment_on(path, looked.task, overrides);
  for (const auto& [key, value] : std::get<spec::Object>(file.find("stream")->as))
    if (key != "name" && key != "type" && key != "path") said += fmt::format("{} = {}\n", key, spec::to_json(value));
  if (looked.found) said += as_comments(*looked.found);
  return {text_on(seen, looked, said), looked.found ? looked.found->reading.questions.size() : 0};
}

}  // namespace tarry::lab
