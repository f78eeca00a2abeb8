#include "tarry/cli/experiment_file.h"

#include <filesystem>

#include "tarry/cli/terminal.h"
#include "tarry/spec/toml.h"

namespace tarry::cli {
namespace {

namespace fs = std::filesystem;

bool names_a_file(const std::string& key) { return key == "path" || key.ends_with("_path") || key.ends_with("_file"); }

// Files that a specification names lie beside it; or where the program was started, as those of examples/ do.
void find_files_beside(spec::Value& value, const fs::path& folder) {
  if (auto* array = std::get_if<spec::Array>(&value.as))
    for (spec::Value& element : *array) find_files_beside(element, folder);
  auto* object = std::get_if<spec::Object>(&value.as);
  if (object == nullptr) return;
  for (auto& [key, member] : *object) {
    auto* name = std::get_if<std::string>(&member.as);
    if (name == nullptr || !names_a_file(key)) {
      find_files_beside(member, folder);
      continue;
    }
    std::error_code failed;
    if (const fs::path beside = folder / *name; fs::path(*name).is_relative() && fs::exists(beside, failed))
      *name = beside.string();
  }
}

}  // namespace

lab::OwnData read_experiment_file(const std::string& path, const std::vector<std::string>& overrides) {
  lab::OwnData read;
  if (lab::is_data(path)) {
    read = lab::own_data(path, overrides);
  } else {
    read.text = Input(path).all();
    spec::Value file = spec::parse_toml(read.text);
    find_files_beside(file, fs::path(path).parent_path());
    for (const std::string& assignment : overrides) lab::override_key(file, assignment);
    read.experiment = lab::read_experiment(file);
  }
  for (const std::string& assignment : overrides) read.text += "\n# --override " + assignment;
  return read;
}

}  // namespace tarry::cli
