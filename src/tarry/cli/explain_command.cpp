#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "tarry/base/error.h"
#include "tarry/cli/commands.h"
#include "tarry/cli/given_spec.h"
#include "tarry/model/explain.h"
#include "tarry/model/explanation_text.h"
#include "tarry/model/snapshot_file.h"
#include "tarry/model/tasks.h"

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

}  // namespace

void explain_spec(const ExplainOptions& options, Output& out) {
  const Explanation told = explain_given(options);
  out.print(options.json ? explanation_json(told) + "\n" : explanation_text(told));
}

}  // namespace tarry::cli
