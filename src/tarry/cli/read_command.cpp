// `tarry read`: how a table is read, for people or for programs.
#include <fmt/format.h>

#include "tarry/base/error.h"
#include "tarry/cli/commands.h"
#include "tarry/lab/experiment/own_data.h"
#include "tarry/spec/json.h"

namespace tarry::cli {
namespace {

std::string refusal(const std::string& path, const std::string& why) {
  using spec::Object, spec::Value;
  return spec::to_json(Value{Object{{"file", Value{path}}, {"refused", Value{why}}}}) + "\n";
}

}  // namespace

int read_table(const ReadOptions& options, Output& out) {
  constexpr int kOpen = 2;  // as for all input that is wrong
  data::LateLabels found;
  try {
    found = lab::own_reading(options.path, options.overrides);
  } catch (const Error& error) {
    if (!options.json || error.code() != Code::kBadInput) throw;
    out.print(refusal(options.path, error.what()));
    return kOpen;
  }
  const bool clear = found.reading.questions.empty();
  if (options.json) {
    out.print(spec::to_json(data::to_value(found.reading, found.read_as)) + "\n");
    return clear ? 0 : kOpen;
  }
  data::throw_if_questions(options.path, found);
  for (const std::string& line : found.read_as) out.print(line + "\n");
  return 0;
}

}  // namespace tarry::cli
