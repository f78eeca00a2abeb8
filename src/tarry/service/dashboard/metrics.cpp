#include "tarry/service/dashboard/metrics.h"

#include <cmath>

#include "tarry/base/version.h"
#include "tarry/service/dashboard/challenger_metrics.h"
#include "tarry/service/memory/memory.h"

namespace tarry::service {

void add_requests(MetricsPage& page, const Counters& c) {
  page.head("tarry_http_requests_total", "counter", "Requests answered, by the first digit of their status.");
  for (std::size_t digit = 2; digit < c.requests.size(); ++digit)
    page.row("tarry_http_requests_total", fmt::format("status=\"{}xx\"", digit), c.requests[digit].load());
  page.head("tarry_http_request_duration_seconds", "histogram", "Time from a whole request to its answer.");
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < Counters::kBounds.size(); ++i) {
    sum += c.durations[i];
    page.row("tarry_http_request_duration_seconds_bucket", fmt::format("le=\"{}\"", Counters::kBounds[i]), sum);
  }
  sum += c.durations.back();
  page.row("tarry_http_request_duration_seconds_bucket", "le=\"+Inf\"", sum);
  page.row("tarry_http_request_duration_seconds_sum", "", static_cast<double>(c.nanoseconds) / 1e9);
  page.row("tarry_http_request_duration_seconds_count", "", sum);
}

void add_events(MetricsPage& page, const Counters& c) {
  page.one("tarry_decisions_total", "counter", "Decisions made.", c.decisions.load());
  page.one("tarry_decisions_repeated_total", "counter", "Requests for a decision that had been made before.",
           c.repeated_decisions.load());
  page.one("tarry_predictions_total", "counter", "Predictions that opened no round.", c.predictions.load());
  page.head("tarry_feedback_total", "counter", "Feedback, by what became of it.");
  const auto feedback = [&](const char* status, const Counters::Count& count) {
    page.row("tarry_feedback_total", fmt::format("status=\"{}\"", status), count.load());
  };
  feedback("accepted", c.accepted);
  feedback("duplicate", c.duplicates);
  feedback("conflict", c.conflicts);
  feedback("expired", c.too_late);
  feedback("untracked", c.untracked);
  feedback("unknown", c.unknown);
  feedback("forged", c.forged);
  feedback("impossible", c.impossible);
  feedback("lost", c.lost);
  page.one("tarry_lost_tickets_total", "counter",
           "Genuine tickets whose decision is not in this history. Above zero: a store was restored, or lost data.",
           c.lost.load());
}

void add_http(MetricsPage& page, const HttpServer& http) {
  page.one("tarry_http_connections", "gauge", "Open connections.", http.connections());
  page.one("tarry_http_connections_without_token", "gauge", "Open connections that have not shown a valid token.",
           http.strangers());
  page.one("tarry_http_connections_refused_total", "counter", "Connections refused with 503.", http.turned_away());
  page.one("tarry_http_out_of_memory_total", "counter",
           "Connections that ended because there was no memory for an answer.", http.out_of_memory());
  page.head("tarry_build_info", "gauge", "The version that runs.");
  page.row("tarry_build_info", fmt::format("version=\"{}\"", kVersion), 1);
}

namespace {

void add_memory(MetricsPage& page, const ServiceLimits& limits) {
  page.one("tarry_memory_bytes", "gauge", "Memory that the service has allocated.", allocated_bytes());
  page.one("tarry_memory_limit_bytes", "gauge", "--max-memory: beyond it decisions are refused; 0: no limit.",
           limits.memory);
}

void add_service(MetricsPage& page, const Counters& c) {
  page.one("tarry_expired_rounds_total", "counter", "Rounds given up because their time had passed.", c.expired.load());
  page.one("tarry_overloaded_total", "counter", "Requests refused because their model was too far behind.",
           c.overloaded.load());
  page.one("tarry_disk_full_total", "counter", "How often the log had no room.", c.disk_full.load());
  page.one("tarry_snapshots_total", "counter", "Snapshots saved.", c.snapshots.load());
  page.one("tarry_snapshots_failed_total", "counter", "Snapshots that could not be saved.", c.failed_snapshots.load());
}

void add_log(MetricsPage& page, const Service& service) {
  const Committer::Counts syncs = service.committer().counts();
  page.one("tarry_disk_full", "gauge", "1 while the log has no room.", service.full() ? 1 : 0);
  page.one("tarry_log_appended_position", "gauge", "Position of the last entry written.",
           service.committer().appended());
  page.one("tarry_log_durable_position", "gauge", "Position of the last entry that survives a loss of power.",
           service.committer().durable());
  page.one("tarry_log_syncs_total", "counter", "How often the log was synced.", syncs.syncs);
  page.one("tarry_log_sync_seconds_total", "counter", "Time spent syncing.", syncs.seconds);
  page.one("tarry_log_sync_longest_seconds", "gauge", "The longest sync.", syncs.longest);
}

template <class F>
void add_per_model(MetricsPage& page, const Service& service, const char* name, const char* type, const char* help,
                   F value) {
  page.head(name, type, help);
  for (const ServedPointer& served : service.models().all())
    page.row(name, fmt::format("model=\"{}\"", served->name), value(*served));
}

void add_models(MetricsPage& page, const Service& service) {
  page.one("tarry_models", "gauge", "Models.", service.models().size());
  const auto add = [&](const char* name, const char* type, const char* help, auto value) {
    add_per_model(page, service, name, type, help, value);
  };
  add("tarry_model_rounds_total", "counter", "Decisions ever made.", [](Served& s) { return s.numbers.rounds.load(); });
  add("tarry_model_settled_total", "counter", "Rounds whose feedback came.",
      [](Served& s) { return s.numbers.settled.load(); });
  add("tarry_model_expired_total", "counter", "Rounds given up.", [](Served& s) { return s.numbers.expired.load(); });
  add("tarry_model_outstanding", "gauge", "Rounds waiting for feedback.",
      [](Served& s) { return s.numbers.outstanding.load(); });
  add("tarry_model_memory_bytes", "gauge", "Memory that the model takes.",
      [](Served& s) { return s.numbers.bytes.load(); });
  add("tarry_model_queue", "gauge", "Requests waiting for the model.", [](Served& s) { return s.lane->waiting(); });
  const std::int64_t now = service.clock().now_ms();
  add("tarry_model_oldest_outstanding_seconds", "gauge", "How long the oldest round has waited; 0: none waits.",
      [now](Served& s) {
        const std::int64_t since = s.numbers.oldest_since_ms;
        return since == 0 ? 0.0 : static_cast<double>(now - since) / 1000;
      });
}

struct Age {
  const char* name;
  std::int64_t ms;
};
constexpr std::array<Age, 5> kAges{
    {{"1m", 60'000}, {"1h", 3'600'000}, {"1d", 86'400'000}, {"7d", 604'800'000}, {"30d", 2'592'000'000}}};

// Numbers that may not be known yet: then there is no row.
void add_quality(MetricsPage& page, const Service& service) {
  const std::int64_t now = service.clock().now_ms();
  struct Told {
    std::string model;
    double loss, constant;
    quality::Prospect lately;
    quality::Reliability reliability;
    QualityWatch::Means means;
    quality::Arrivals labels;
    std::array<std::optional<double>, kAges.size()> matured{};
    bool watches_drift = false;
    std::array<std::uint64_t, quality::kDriftKinds> lasting{}, raised{};
  };
  std::vector<Told> all;
  for (const ServedPointer& served : service.models().all()) {
    WatchedModel& watched = served->watched;
    const std::lock_guard lock(watched.mutex);
    all.push_back({fmt::format("model=\"{}\"", served->name), watched.loss, watched.constant,
                   watched.quality.maturing().lately(now), watched.quality.reliability(), watched.quality.means(),
                   watched.quality.maturing().arrivals(now)});
    for (std::size_t k = 0; k < kAges.size(); ++k)
      all.back().matured[k] = watched.quality.maturing().matured(kAges[k].ms, now);
    const quality::Drift& drift = watched.drift.drift();
    all.back().watches_drift = drift.learns_until_ms() > 0;
    for (std::size_t k = 0; k < quality::kDriftKinds; ++k) {
      all.back().lasting[k] = drift.lasting(static_cast<quality::DriftKind>(k));
      all.back().raised[k] = drift.raised(static_cast<quality::DriftKind>(k));
    }
  }
  const auto add = [&](const char* name, const char* help, auto value) {
    page.head(name, "gauge", help);
    for (const Told& told : all)
      if (const double x = value(told); std::isfinite(x)) page.row(name, told.model, x);
  };
  add("tarry_model_loss", "Mean loss of about the last thousand labels.", [](const Told& t) { return t.loss; });
  add("tarry_model_constant_loss", "What a constant answer lost on the same labels.",
      [](const Told& t) { return t.constant; });
  add("tarry_model_labels_share", "The share of the recent decisions' labels that has come.",
      [](const Told& t) { return t.lately.decisions > 0 ? t.lately.share() : Step::kUnknown; });
  add("tarry_model_expected_loss", "Expected mean loss of recent decisions once all their labels are there.",
      [](const Told& t) { return t.lately.loss.expected; });
  add("tarry_model_expected_loss_low", "The lower end of its 95 % interval.",
      [](const Told& t) { return t.lately.loss.low; });
  add("tarry_model_expected_loss_high", "The upper end of its 95 % interval.",
      [](const Told& t) { return t.lately.loss.high; });
  add("tarry_model_expected_gain_low", "How much more a constant answer is expected to lose, lower end of 95 %.",
      [](const Told& t) { return t.lately.gain.low; });
  add("tarry_model_expected_gain_high", "The upper end: below zero, the model is worse than a constant answer.",
      [](const Told& t) { return t.lately.gain.high; });
  add("tarry_model_labels_expected", "Labels expected by now, of decisions whose labels are still coming.",
      [](const Told& t) { return t.labels.expected; });
  add("tarry_model_labels_came", "How many of them came.", [](const Told& t) { return t.labels.came; });
  add("tarry_model_mean_prediction",
      "Mean prediction of the labels that came: probabilities of yes, or numbers, over about the last thousand. Models "
      "that predict one of several classes have no such mean: see tarry_model_loss.",
      [](const Told& t) { return t.means.labels > 0 ? t.means.predicted : Step::kUnknown; });
  add("tarry_model_mean_outcome",
      "What came of these predictions: the share of labels that was yes, or the mean of labels that are numbers.",
      [](const Told& t) { return t.means.labels > 0 ? t.means.outcome : Step::kUnknown; });
  add("tarry_model_calibration_error", "How far probabilities are from what happened, averaged over bins.",
      [](const Told& t) { return t.reliability.all().labels > 0 ? t.reliability.error() : Step::kUnknown; });
  add("tarry_model_calibration_error_by_chance", "What the calibration error would be if every probability were right.",
      [](const Told& t) { return t.reliability.all().labels > 0 ? t.reliability.error_by_chance() : Step::kUnknown; });
  page.head("tarry_model_matured_share", "gauge", "The share of decisions of an age that have their label.");
  for (const Told& told : all)
    for (std::size_t k = 0; k < kAges.size(); ++k)
      if (told.matured[k])
        page.row("tarry_model_matured_share", fmt::format("{},age=\"{}\"", told.model, kAges[k].name),
                 *told.matured[k]);
  page.head("tarry_model_drift_alarms", "gauge", "Current alarms, by what has changed.");
  for (const Told& told : all)
    for (std::size_t k = 0; told.watches_drift && k < quality::kDriftKinds; ++k)
      page.row("tarry_model_drift_alarms",
               fmt::format("{},kind=\"{}\"", told.model, name_of(static_cast<quality::DriftKind>(k))), told.lasting[k]);
  page.head("tarry_model_drift_alarms_total", "counter", "Alarms raised, by what has changed.");
  for (const Told& told : all)
    for (std::size_t k = 0; told.watches_drift && k < quality::kDriftKinds; ++k)
      page.row("tarry_model_drift_alarms_total",
               fmt::format("{},kind=\"{}\"", told.model, name_of(static_cast<quality::DriftKind>(k))), told.raised[k]);
}

}  // namespace

std::string metrics_text(Service& service, const HttpServer& http) {
  MetricsPage page;
  add_requests(page, service.counters());
  add_events(page, service.counters());
  add_service(page, service.counters());
  add_log(page, service);
  add_http(page, http);
  add_memory(page, service.limits());
  add_models(page, service);
  add_quality(page, service);
  add_challengers(page, service);
  return page.take();
}

}  // namespace tarry::service
