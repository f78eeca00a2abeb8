#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "tarry/base/error.h"
#include "tarry/cli/commands.h"
#include "tarry/cli/given_spec.h"
#include "tarry/model/contributions.h"
#include "tarry/model/explain.h"
#include "tarry/model/explanation_text.h"
#include "tarry/model/snapshot_file.h"
#include "tarry/model/tasks.h"
#include "tarry/spec/node.h"

namespace tarry::cli {
namespace {

// A task by its name alone; a name that is neither a task nor a file is most likely a task misspelt.
spec::Value read(const std::string& given) {
  if (is_json(given) || given == "-") return read_given_spec(given);
  std::string names;
  for (const TaskEntry& task : task_registry()) {
    if (task.name == given) return {spec::Object{{"task", spec::Value{given}}}};
    names += (names.empty() ? "" : ", ") + task.name;
  }
  if (given.find_first_of("./") == std::string::npos && !std::filesystem::exists(given))
    throw Error(Code::kBadInput, fmt::format("neither a file nor a task (the tasks are {})", names));
  return read_given_spec(given);
}

bool is_model_file(const std::string& given) {
  std::ifstream in(given, std::ios::binary);
  std::string begin(8, '\0');
  return in.read(begin.data(), 8) && begin == "TARRYMDL";
}

Explanation explain_given(const ExplainOptions& options) {
  try {
    std::optional<Horizon> horizon;
    if (options.horizon > 0) horizon = {options.horizon, options.gradient_bound};
    if (is_model_file(options.spec)) return explain(load_snapshot(SnapshotFile(options.spec).bytes()), horizon);
    return explain(ModelSpec::read(read(options.spec)), horizon);
  } catch (const Error& error) {
    const std::string place = is_json(options.spec) ? "" : options.spec, message = error.what();
    if (place.empty() || message.starts_with(place)) throw;
    throw Error(error.code(), fmt::format("{}: {}", place, message));
  }
}

constexpr std::size_t kMostParts = 20;

// What each feature of a row adds to a saved model's prediction.
std::string explained_row(const ExplainOptions& options) {
  if (!is_model_file(options.spec))
    throw Error(Code::kBadInput, fmt::format("--row wants a saved model, such as model.tarry ({} came)", options.spec));
  const Model model = load_snapshot(SnapshotFile(options.spec).bytes());
  spec::Value row;
  try {
    row = spec::parse_json(options.row);
  } catch (const Error&) {
    throw Error(Code::kBadInput, fmt::format("--row must be JSON, such as {{\"price\": 80}} ({} came)", options.row));
  }
  const Features features =
      model.features().takes_names() ? Features(read_named(row)) : Features(spec::Node(row, "--row").numbers());
  const Contributions told = model.contributions(FeaturesView(features));
  if (!options.json) return contributions_text(told, kMostParts);
  spec::Value whole = to_value(told, kMostParts);
  auto& members = std::get<spec::Object>(whole.as);
  members.insert(members.begin(), {"prediction", spec::Value{told.prediction}});
  return spec::to_json(whole) + "\n";
}

}  // namespace

void explain_spec(const ExplainOptions& options, Output& out) {
  if (!options.row.empty()) return out.print(explained_row(options));
  const Explanation told = explain_given(options);
  out.print(options.json ? explanation_json(told) + "\n" : explanation_text(told));
}

}  // namespace tarry::cli
