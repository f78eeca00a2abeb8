#include "tarry/service/host/challengers_json.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "tarry/spec/value.h"

namespace tarry::service {
namespace {

using namespace hosting;

void append_number(std::string& out, const char* name, double x) {
  fmt::format_to(std::back_inserter(out), ", \"{}\": ", name);
  spec::append_json(out, x);
}

void append_expected_figure(std::string& out, const char* name, const ChallengerList::Expected::Figure& of) {
  const auto number = [](double x) { return std::isfinite(x) ? spec::to_json(spec::Value{x}) : "null"; };
  fmt::format_to(std::back_inserter(out), R"(, "{}": {{"so_far": {}, "expected": {}, "low": {}, "high": {}}})", name,
                 number(of.so_far), number(of.expected), number(of.low), number(of.high));
}

void append_expected(std::string& out, const ChallengerList::Expected& of) {
  fmt::format_to(std::back_inserter(out), R"(, "expected": {{"verdict": "{}", "decisions": {}, "share": {:.4g})",
                 name_of(of.verdict), of.decisions, of.share);
  append_expected_figure(out, "loss", of.loss);
  append_expected_figure(out, "gain", of.gain);
  out += "}";
}

void append_one(std::string& out, const ChallengerList::One& one) {
  fmt::format_to(
      std::back_inserter(out),
      R"({{"name": "{}", "verdict": "{}", "rounds": {}, "labels": {}, "from": {}, "left_out": {}, "late": {}, )"
      R"("ahead": {}, "compared": {})",
      one.name, name_of(one.verdict), one.rounds, one.labels, one.from, one.left_out, one.late, one.ahead,
      one.figures  ? one.figures->pairs
      : one.earned ? one.earned->rounds
                   : 0);
  if (one.earned) {
    append_number(out, "champion_reward", one.earned->first);
    append_number(out, "reward", one.earned->second);
    append_number(out, "difference", one.earned->difference);
    append_number(out, "low", one.earned->low);
    append_number(out, "high", one.earned->high);
    fmt::format_to(std::back_inserter(out), ", \"unrewarded\": {}", one.earned->unknown);
  }
  if (one.figures) {
    append_number(out, "champion_loss", one.figures->first);
    append_number(out, "loss", one.figures->second);
    append_number(out, "difference", one.figures->difference);
    append_number(out, "low", one.figures->low);
    append_number(out, "high", one.figures->high);
    append_number(out, "range", one.figures->range);
    fmt::format_to(std::back_inserter(out), ", \"clipped\": {}", one.figures->clipped);
  }
  if (one.expected) append_expected(out, *one.expected);
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
