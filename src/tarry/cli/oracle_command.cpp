#include <fmt/format.h>

#include "tarry/base/error.h"
#include "tarry/cli/commands.h"
#include "tarry/cli/given_spec.h"
#include "tarry/geometry/atom.h"
#include "tarry/geometry/dense_direction.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"

namespace tarry::cli {
namespace {

// The set: JSON on the command line, or a file of JSON or TOML. Errors say where it was.
AnySet read_set(const std::string& given) {
  try {
    if (given == "-") throw Error(Code::kBadInput, "the directions come from standard input, so the set cannot");
    const spec::Value description = read_given_spec(given);
    return make_set(spec::Node(description, "set"));
  } catch (const Error& error) {
    const std::string place = is_json(given) ? "--set" : given, message = error.what();
    throw Error(error.code(), message.starts_with(place) ? message : fmt::format("{}: {}", place, message));
  }
}

void answer(const AnySet& set, const Vec& c, std::string& out) {
  if (static_cast<Index>(c.size()) != set.dimension())
    throw Error(Code::kBadInput, fmt::format("a direction must have {} entries, the set's dimension ({} came)",
                                             set.dimension(), c.size()));
  const Atom vertex = set.oracle(DenseDirection(c, set.shape()));
  Vec v(c.size());
  write(vertex, v);
  out += "{\"vertex\": ";
  spec::append_json(out, std::span<const double>(v));
  out += ", \"value\": ";
  spec::append_json(out, inner(vertex, c));
  out += "}\n";
}

}  // namespace

void oracle(const OracleOptions& options, Output& out) {
  const AnySet set = read_set(options.set);
  Input input(options.directions, [&] { out.flush(); });
  spec::JsonReader json;
  std::string_view line;
  while (input.lines().next(line)) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    try {
      const spec::Value value = json.read(line);
      answer(set, spec::Node(value, "a direction").numbers(), out.buffer());
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("line {}: {}", input.lines().number(), error.what()));
    }
    out.written();
  }
}

}  // namespace tarry::cli
