#include "tarry/service/dashboard/live.h"

#include <fmt/format.h>

#include <iterator>

#include "tarry/base/version.h"
#include "tarry/service/models/model_row.h"
#include "tarry/spec/json.h"
#include "tarry/spec/value.h"

namespace tarry::service {
namespace {

bool busy(Served& served, std::int64_t now_ms) {
  const std::lock_guard lock(served.watched.mutex);
  const Timeline& timeline = served.watched.timeline;
  return rate(timeline, now_ms, &Step::decisions) > 0 || rate(timeline, now_ms, &Step::feedback) > 0;
}

std::uint64_t revision_of(Served& served) {
  const std::lock_guard lock(served.watched.mutex);
  return served.watched.timeline.revision();
}

}  // namespace

std::optional<std::size_t> range_named(std::string_view name) {
  for (std::size_t k = 0; k < kRanges.size(); ++k)
    if (kRanges[k].name == name) return k;
  return std::nullopt;
}

void LiveStream::append_points(std::string& out, const Timeline& timeline) {
  out += "[";
  for (const Step& step : timeline.steps(setting_.range)) {
    if (step.changed <= revision_) continue;
    if (out.back() != '[') out += ",";
    append_point(out, step, kRanges[setting_.range].step_ms);
  }
  out += "]";
  revision_ = timeline.revision();
}

void LiveStream::append_timeline(std::string& out) {
  const auto write = [&](const Timeline& timeline, const DelayTimes& delays) {
    out += ",\"points\":";
    append_points(out, timeline);
    out += ",\"delays\":";
    append_counts(out, delays);
  };
  if (!setting_.model) return setting_.watch.look(write);
  const std::lock_guard lock(setting_.model->watched.mutex);
  write(setting_.model->watched.timeline, setting_.model->watched.delays);
  if (!setting_.model->chooses) return;
  out += ",\"choices\":";
  setting_.model->watched.choices.append(out, setting_.range, choices_);
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
    // One of that name may have been made again.
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
  append_timeline(out);
  append_models(out, now_ms);
  append_refused(out);
  first_ = false;
  return out + "}\n";
}

}  // namespace tarry::service
