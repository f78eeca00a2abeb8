#include "tarry/cli/given_spec.h"

#include "tarry/cli/terminal.h"
#include "tarry/spec/json.h"
#include "tarry/spec/toml.h"

namespace tarry::cli {

bool is_json(const std::string& given) { return given.starts_with("{"); }

spec::Value read_given_spec(const std::string& given) {
  if (is_json(given)) return spec::parse_json(given);
  const std::string text = Input(given).all();
  return given.ends_with(".toml") ? spec::parse_toml(text) : spec::parse_json(text);
}

}  // namespace tarry::cli
