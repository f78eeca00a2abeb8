#include "tarry/service/host/challengers_json.h"

#include <fmt/format.h>

#include <iterator>

#include "tarry/spec/value.h"

namespace tarry::service {
namespace {

using namespace hosting;

void append_number(std::string& out, const char* name, double x) {
  fmt::format_to(std::back_inserter(out), ", \"{}\": ", name);
  spec::append_json(out, x);
}

void append_one(std::string& out, const ChallengerList::One& one) {
  fmt::format_to(
      std::back_inserter(out),
      R"({{"name": "{}", "verdict": "{}", "rounds": {}, "labels": {}, "from": {}, "left_out": {}, "late": {}, )"
      R"("ahead": {}, "compared": {})",
      one.name, name_of(one.verdict), one.rounds, one.labels, one.from, one.left_out, one.late, one.ahead,
      one.figures ? one.figures->pairs : 0);
  if (one.figures) {
    append_number(out, "champion_loss", one.figures->first);
    append_number(out, "loss", one.figures->second);
    append_number(out, "difference", one.figures->difference);
    append_number(out, "low", one.figures->low);
    append_number(out, "high", one.figures->high);
    append_number(out, "range", one.figures->range);
    fmt::format_to(std::back_inserter(out), ", \"clipped\": {}", one.figures->clipped);
  }
  if (!one.failure.empty()) {
    out += ", \"failure\": ";
    spec::append_json(out, one.failure);
  }
  out += ", \"spec\": " + one.spec + "}";
}

}  // namespace

std::string challengers_json(const ChallengerList& list) {
  std::string out = fmt::format(R"({{"model": "{}", "champion": "{}", "challengers": [)", list.model, list.champion);
  for (const ChallengerList::One& one : list.challengers) {
    if (out.back() != '[') out += ", ";
    append_one(out, one);
  }
  return out + "]}";
}

std::string challenger_json(const ChallengerChanged& changed) {
  using Changed = ChallengerChanged;
  std::string out = fmt::format(R"({{"model": "{}", "challenger": "{}")", changed.model, changed.challenger);
  if (!changed.spec.empty()) out += ", \"spec\": " + changed.spec;
  if (changed.what == Changed::kRemoved) out += ", \"removed\": true";
  if (changed.what == Changed::kPromoted) out += ", \"promoted\": true";
  if (!changed.former.empty()) out += ", \"former\": \"" + changed.former + "\"";
  return out + "}";
}

}  // namespace tarry::service
