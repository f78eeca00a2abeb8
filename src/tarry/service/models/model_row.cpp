#include "tarry/service/models/model_row.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "tarry/spec/json.h"
#include "tarry/spec/value.h"

namespace tarry::service {
namespace {

void append_member(std::string& out, std::string_view name, double x) {
  if (std::isfinite(x))
    fmt::format_to(std::back_inserter(out), ",\"{}\":{:.7g}", name, x);
  else
    fmt::format_to(std::back_inserter(out), ",\"{}\":null", name);
}

}  // namespace

double rate(const Timeline& timeline, std::int64_t now_ms, std::uint32_t Step::*count) {
  const std::int64_t width = kRanges[0].step_ms, number = now_ms / width;
  double sum = 0;
  for (auto step = timeline.steps(0).rbegin(); step != timeline.steps(0).rend() && step->number >= number - 1; ++step)
    sum += (*step).*count;
  return sum * 1000 / static_cast<double>(now_ms - (number - 1) * width);
}

std::string about_model(const Model& model) {
  const spec::Value spec = spec::parse_json(model.spec());
  std::string out;
  for (const char* key : {"set", "learner", "loss"}) {
    const spec::Value* part = spec.find(key);
    const spec::Value* type = part == nullptr ? nullptr : part->find("type");
    if (type == nullptr || !std::holds_alternative<std::string>(type->as)) continue;
    out += (out.empty() ? "" : " · ") + std::get<std::string>(type->as);
  }
  return out;
}

void append_row(std::string& out, Served& served, std::int64_t now_ms) {
  const Served::Numbers& n = served.numbers;
  WatchedModel& watched = served.watched;
  const std::int64_t oldest = n.oldest_since_ms;
  fmt::format_to(std::back_inserter(out), "\"name\":\"{}\",\"about\":", served.name);
  spec::append_json(out, served.facts().about);
  fmt::format_to(std::back_inserter(out), ",\"rounds\":{},\"outstanding\":{},\"bytes\":{},\"oldest\":{}",
                 n.rounds.load(), n.outstanding.load(), n.bytes.load(), oldest == 0 ? "null" : std::to_string(oldest));
  const std::lock_guard lock(watched.mutex);
  append_member(out, "decisions_s", rate(watched.timeline, now_ms, &Step::decisions));
  append_member(out, "feedback_s", rate(watched.timeline, now_ms, &Step::feedback));
  append_member(out, "loss", watched.loss);
  append_member(out, "constant", watched.constant);
  append_member(out, "certificate", watched.certificate);
  fmt::format_to(std::back_inserter(out),
                 ",\"duplicates\":{},\"expired\":{},\"refused\":{},\"labels\":{},\"trouble\":[", watched.duplicates,
                 watched.expired, watched.refused, watched.labels);
  const auto add = [&](std::string_view what) {
    fmt::format_to(std::back_inserter(out), "{}\"{}\"", out.back() == '[' ? "" : ",", what);
  };
  if (watched.drift.alarmed()) add("changed");
  for (std::size_t k = 0; k < kTroubles; ++k)
    if (const auto trouble = static_cast<Trouble>(k); watched.quality.troubles().holds(trouble)) add(name_of(trouble));
  out += "]";
}

}  // namespace tarry::service
