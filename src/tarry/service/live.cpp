#include "tarry/service/live.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "tarry/base/version.h"
#include "tarry/spec/json.h"
#include "tarry/spec/value.h"

namespace tarry::service {
namespace {

// So many a second, over the step of now and the one before.
double rate(const History& history, std::int64_t now_ms, std::uint32_t Step::*count) {
  const std::int64_t width = kRanges[0].step_ms, number = now_ms / width;
  double sum = 0;
  for (auto step = history.steps(0).rbegin(); step != history.steps(0).rend() && step->number >= number - 1; ++step)
    sum += (*step).*count;
  return sum * 1000 / static_cast<double>(now_ms - (number - 1) * width);
}

void append_member(std::string& out, std::string_view name, double x) {
  if (std::isfinite(x))
    fmt::format_to(std::back_inserter(out), ",\"{}\":{:.7g}", name, x);
  else
    fmt::format_to(std::back_inserter(out), ",\"{}\":null", name);
}

bool busy(Served& served, std::int64_t now_ms) {
  const std::lock_guard lock(served.watched.mutex);
  const History& history = served.watched.history;
  return rate(history, now_ms, &Step::decisions) > 0 || rate(history, now_ms, &Step::feedback) > 0;
}

std::uint64_t revision_of(Served& served) {
  const std::lock_guard lock(served.watched.mutex);
  return served.watched.history.revision();
}

}  // namespace

std::optional<std::size_t> range_named(std::string_view name) {
  for (std::size_t k = 0; k < kRanges.size(); ++k)
    if (kRanges[k].name == name) return k;
  return std::nullopt;
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
  spec::append_json(out, served.about);
  fmt::format_to(std::back_inserter(out), ",\"rounds\":{},\"outstanding\":{},\"bytes\":{},\"oldest\":{}",
                 n.rounds.load(), n.outstanding.load(), n.bytes.load(), oldest == 0 ? "null" : std::to_string(oldest));
  const std::lock_guard lock(watched.mutex);
  append_member(out, "decisions_s", rate(watched.history, now_ms, &Step::decisions));
  append_member(out, "feedback_s", rate(watched.history, now_ms, &Step::feedback));
  append_member(out, "loss", watched.loss);
  append_member(out, "constant", watched.constant);
  append_member(out, "certificate", watched.certificate);
  fmt::format_to(std::back_inserter(out), ",\"duplicates\":{},\"expired\":{},\"refused\":{}", watched.duplicates,
                 watched.expired, watched.refused);
}

void LiveStream::append_points(std::string& out, const History& history) {
  out += "[";
  for (const Step& step : history.steps(setting_.range)) {
    if (step.changed <= revision_) continue;
    if (out.back() != '[') out += ",";
    append_point(out, step, kRanges[setting_.range].step_ms);
  }
  out += "]";
  revision_ = history.revision();
}

void LiveStream::append_history(std::string& out) {
  const auto write = [&](const History& history, const DelayTimes& delays) {
    out += ",\"points\":";
    append_points(out, history);
    out += ",\"delays\":";
    append_counts(out, delays);
  };
  if (!setting_.model) return setting_.watch.look(write);
  const std::lock_guard lock(setting_.model->watched.mutex);
  write(setting_.model->watched.history, setting_.model->watched.delays);
}

void LiveStream::append_models(std::string& out, std::int64_t now_ms) {
  out += ",\"models\":[";
  for (auto& [incarnation, told] : told_) told.seen = false;
  for (const ServedPointer& served :
       setting_.model ? std::vector<ServedPointer>{setting_.model} : setting_.models.all()) {
    const Position incarnation = served->model->incarnation();
    const bool known = told_.contains(incarnation);
    Told& told = told_[incarnation];
    told.seen = true;
    names_[incarnation] = served->name;
    const std::uint64_t revision = revision_of(*served);
    if (known && revision == told.revision && !told.busy) continue;
    told.revision = revision;
    told.busy = busy(*served, now_ms);
    out += out.back() == '[' ? "{" : ",{";
    append_row(out, *served, now_ms);
    out += "}";
  }
  out += "],\"gone\":[";
  for (auto one = told_.begin(); one != told_.end();) {
    if (one->second.seen) {
      ++one;
      continue;
    }
    const std::string& name = names_[one->first];
    // One of that name may have been made anew.
    if (!setting_.models.find(name))
      fmt::format_to(std::back_inserter(out), "{}\"{}\"", out.back() == '[' ? "" : ",", name);
    names_.erase(one->first);
    one = told_.erase(one);
  }
  out += "]";
}

void LiveStream::append_refused(std::string& out) {
  out += ",\"errors\":[";
  for (const RefusedRequest& request : setting_.watch.refused_after(refused_)) {
    refused_ = request.number;
    fmt::format_to(std::back_inserter(out),
                   "{}{{\"at\":{},\"status\":{},\"code\":\"{}\",\"message\":", out.back() == '[' ? "" : ",",
                   request.at_ms, request.status, request.code);
    spec::append_json(out, request.message);
    out += ",\"model\":";
    if (request.model.empty())
      out += "null";
    else
      spec::append_json(out, request.model);
    out += "}";
  }
  out += "]";
}

std::optional<std::string> LiveStream::next(std::int64_t now_ms) {
  if (setting_.model && setting_.models.find(setting_.model->model->incarnation()) != setting_.model)
    return std::nullopt;
  std::string out = fmt::format("{{\"at\":{}", now_ms);
  if (first_) {
    const Range& range = kRanges[setting_.range];
    fmt::format_to(std::back_inserter(out),
                   ",\"full\":true,\"version\":\"{}\",\"started\":{},\"step_ms\":{},\"kept\":{},\"columns\":{}",
                   kVersion, setting_.started_ms, range.step_ms, range.kept, kPointColumns);
  }
  append_history(out);
  append_models(out, now_ms);
  append_refused(out);
  first_ = false;
  return out + "}\n";
}

}  // namespace tarry::service
