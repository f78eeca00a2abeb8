#include "tarry/service/dashboard/dashboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tarry/hosting/names.h"
#include "tarry/hosting/spec_rules.h"
#include "tarry/service/dashboard/dashboard_page.h"
#include "tarry/service/dashboard/live.h"

namespace tarry::service {
namespace {

constexpr int kMostStreams = 100;

// The value of a key in a query; empty: it has none. Names and ranges need no escapes.
std::string asked(const std::string& query, const std::string& key) {
  const std::string wanted = "&" + key + "=";
  const std::string all = "&" + query;
  const auto at = all.find(wanted);
  if (at == std::string::npos) return {};
  const auto from = at + wanted.size();
  return all.substr(from, all.find('&', from) - from);
}

std::string model_in(const std::string& path) {
  constexpr std::string_view kModels = "/v1/models/";
  if (!path.starts_with(kModels)) return {};
  const std::string rest = path.substr(kModels.size());
  const std::string name = rest.substr(0, rest.find('/'));
  return hosting::is_name(name) ? name : std::string();
}

}  // namespace

Dashboard::Dashboard(Service& service, std::function<double()> store_bytes)
    : service_(service), store_bytes_(std::move(store_bytes)), started_ms_(service.clock().now_ms()) {
  // With what was kept of before: the time that the figures begin at.
  service.watch().look([&](const Timeline& all, const DelayTimes&) {
    for (std::size_t k = 0; k < kRanges.size(); ++k)
      if (!all.steps(k).empty()) started_ms_ = std::min(started_ms_, all.steps(k).front().number * kRanges[k].step_ms);
  });
}

Response page_response(const EmbeddedPage& page, const Request& request) {
  Response response{.body = std::string(request.takes_gzip ? page.gzip : page.text),
                    .content_type = "text/html; charset=utf-8"};
  response.headers = {{"Content-Security-Policy", std::string(page.policy) + "; frame-ancestors 'none'"},
                      {"Referrer-Policy", "no-referrer"},
                      {"Vary", "Accept-Encoding"}};
  if (request.takes_gzip) response.headers.emplace_back("Content-Encoding", "gzip");
  return response;
}

Response Dashboard::page(const Request& request) { return page_response(kDashboardPage, request); }

Response Dashboard::live(const Request& request) {
  const std::string range = asked(request.query, "range"), model = asked(request.query, "model");
  const auto number = range.empty() ? std::optional<std::size_t>(0) : range_named(range);
  if (!number) throw Refusal(400, "bad_request", "range must be 10m, 3h or 24h", "range");
  LiveSetting setting{
      .watch = service_.watch(), .models = service_.models(), .started_ms = started_ms_, .range = *number};
  if (!model.empty() && !(setting.model = service_.models().find(model))) throw hosting::no_such_model(model);
  if (++*streams_ > kMostStreams) {
    --*streams_;
    throw Refusal(503, "overloaded", fmt::format("{} streams are open, the most", kMostStreams));
  }
  const std::shared_ptr<void> open(nullptr, [streams = streams_](void*) { --*streams; });
  const auto stream = std::make_shared<LiveStream>(setting);
  Response response{.content_type = "application/x-ndjson"};
  response.headers.emplace_back("X-Accel-Buffering", "no");  // a proxy must pass on what there is
  response.pieces = [this, open, stream] { return stream->next(service_.clock().now_ms()); };
  return response;
}

void Dashboard::answered(const std::string& path, const Response& response) {
  for (const RefusedItem& item : response.refused) {
    const std::string name = item.model.empty() ? model_in(path) : item.model;
    const ServedPointer served = name.empty() ? nullptr : service_.models().find(name);
    service_.watch().refused(served ? &served->watched : nullptr, {.at_ms = service_.clock().now_ms(),
                                                                   .status = item.status,
                                                                   .code = item.code,
                                                                   .message = item.message,
                                                                   .model = name});
  }
}

void Dashboard::tick() {
  ServiceGauges all{.now_ms = service_.clock().now_ms()};
  for (const ServedPointer& served : service_.models().all()) {
    const std::uint64_t outstanding = served->numbers.outstanding;
    const std::int64_t since = served->numbers.oldest_since_ms;
    const std::size_t backlog = served->lane->waiting();
    const double oldest = since == 0 ? 0 : static_cast<double>(std::max<std::int64_t>(0, all.now_ms - since));
    all.outstanding += outstanding;
    all.oldest_ms = std::max(all.oldest_ms, oldest);
    all.backlog += backlog;
    double certificate = 0;
    {
      const std::lock_guard lock(served->watched.mutex);
      certificate = served->watched.certificate;
    }
    if (!std::isnan(certificate)) all.certificate = certificate + (std::isnan(all.certificate) ? 0 : all.certificate);
    // Once more after the last round was answered, so that the figures come down to nothing; an idle model costs no
    // memory.
    const bool idle = outstanding == 0 && backlog == 0;
    if (idle && served->watched.at_rest) continue;
    served->watched.at_rest = idle;
    Watch::gauge(served->watched, all.now_ms, outstanding, oldest, backlog);
  }
  const Committer::Counts syncs = service_.committer().counts();
  all.syncs = syncs.syncs;
  all.sync_seconds = syncs.seconds;
  all.store_bytes = store_bytes_();
  service_.watch().gauge(all);
}

}  // namespace tarry::service
