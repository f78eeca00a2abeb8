#include "tarry/gateway/running_gateway.h"

#include <fmt/format.h>

#include <chrono>
#include <limits>

#include "tarry/base/version.h"
#include "tarry/gateway/metrics.h"
#include "tarry/gateway/page.h"
#include "tarry/gateway/secret_file.h"
#include "tarry/kafka/partition.h"
#include "tarry/service/dashboard/dashboard.h"
#include "tarry/service/dashboard/metrics.h"
#include "tarry/service/routes/openapi.h"
#include "tarry/store/disk/real_disk.h"

namespace tarry::gateway {
namespace {

// Fewer than the client keeps: sending must never wait.
constexpr std::size_t kMostWaiting = 100'000;
constexpr std::int64_t kBrokersSilentMs = 10'000;
constexpr int kAskMs = 3000;

std::int64_t steady_ms() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

}  // namespace

RunningGateway::RunningGateway(const GatewayOptions& options, hosting::JsonLog& log, std::function<void()> broken)
    : options_(options), log_(log), broken_(std::move(broken)), topics_(options.prefix), disk_(store::real_disk()) {
  check_reach(options_.front);
  check_tokens(options_.front, *disk_, options_.data);
  const kafka::Found found = kafka::find_topics(options_.brokers, topics_);
  kafka::check_shape(topics_, found);
  kafka::refuse_dangers(topics_, found, options_.unsafe_topics, [this](const std::string& danger) {
    log_.warning("unsafe_topic", {{"why", {danger}}});
  });
  answered_ms_ = steady_ms();
  open_gateway(found.events.partitions);
  open_http();
}

void RunningGateway::open_gateway(int partitions) {
  const SecretFile file = read_or_make_secret(*disk_, options_.data);
  if (file.made)
    log_.warning("a key for tickets was made: all gateways must have the same", {{"file", {options_.data + "/key"}}});
  waiting_ = std::make_unique<Waiting>(partitions, kMostWaiting);
  partitions_ = std::make_unique<Partitions>(partitions);
  sender_ = std::make_unique<kafka::Sender>(options_.brokers, [this](const kafka::Delivery& delivery) {
    if (delivery.refused.empty()) return waiting_->acknowledged(delivery.id, delivery.offset);
    const auto kind = delivery.too_large ? News::Kind::kTooLarge : News::Kind::kRefused;
    waiting_->refused(delivery.id, {.kind = kind, .text = delivery.refused});
  });
  outcomes_ = std::make_unique<kafka::TailReader>(options_.brokers, topics_.decisions, partitions);
  group_ = std::make_unique<kafka::GroupWatch>(options_.brokers, options_.group, topics_.events, partitions);
  GatewaySetting setting{.secret = file.secret,
                         .limits = options_.limits,
                         .partitions = partitions,
                         .wait_ms = options_.wait_ms,
                         .now_ms = steady_ms,
                         .ready = [this] { return outcomes_->began(); }};
  setting.partition_of = [partitions](std::string_view model) { return kafka::partition_of(model, partitions); };
  setting.send = [this](int partition, std::string_view model, std::string_view event, Waiting::Id id) {
    send(partition, model, event, id);
  };
  gateway_ = std::make_unique<Gateway>(std::move(setting), *waiting_);
}

void RunningGateway::open_http() {
  service::RoutesSetting routes;
  routes.not_ready = [this] { return not_ready(); };
  routes.pages = {
      {"/",
       {std::nullopt, [](const service::Request& request) { return service::page_response(kGatewayPage, request); }}},
      {"/openapi.json",
       {std::nullopt,
        [](const service::Request&) { return service::Response{.body = service::gateway_openapi_json()}; }}},
      {"/v1/partitions",
       {service::Scope::kRead,
        [this](const service::Request&) {
          return service::Response{
              .body = partitions_json(partitions_->all(*waiting_), waiting_->counts(), brokers_answer())};
        }}},
      {"/metrics", {service::Scope::kRead, [this](const service::Request&) {
                      return service::Response{.body = metrics_text({.counters = gateway_->counters(),
                                                                     .http = front_->http(),
                                                                     .partitions = partitions_->all(*waiting_),
                                                                     .waiting = waiting_->counts(),
                                                                     .brokers_answer = brokers_answer(),
                                                                     .ready = !not_ready()}),
                                               .content_type = service::kMetricsType};
                    }}}};
  front_ = std::make_unique<service::Front>(options_.front, *gateway_, log_, *disk_, options_.data, std::move(routes));
}

RunningGateway::~RunningGateway() { stop(); }

void RunningGateway::start() {
  running_ = true;
  acknowledgements_thread_ = std::thread([this] {
    while (!ended_) sender_->poll(50);
  });
  outcomes_thread_ = std::thread([this] { read_outcomes(); });
  watch_thread_ = std::thread([this] { watch(); });
  front_->start();
}

void RunningGateway::stop() {
  if (!running_.exchange(false)) return;
  log_.info("stopping");
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  front_->stop(std::chrono::seconds(5));  // until then outcomes are still read
  ended_ = true;
  watch_thread_.join();
  outcomes_thread_.join();
  acknowledgements_thread_.join();
  waiting_->expire(std::numeric_limits<std::int64_t>::max());  // each that waits holds on to a connection
  log_.info("stopped");
}

void RunningGateway::send(int partition, std::string_view model, std::string_view event, Waiting::Id id) {
  const auto refused = sender_->send(topics_.events, partition, model, event, id);
  if (refused)
    waiting_->refused(
        id, {.kind = refused->too_large ? News::Kind::kTooLarge : News::Kind::kRefused, .text = refused->refused});
}

void RunningGateway::read_outcomes() {
  constexpr std::int64_t kBetween = 50;
  const auto visit = [this](const kafka::Record& record) {
    const auto event = record.value ? kafka::answered_offset(*record.value) : std::nullopt;
    if (event) waiting_->outcome(record.partition, *event, *record.value);
  };
  std::int64_t looked_ms = 0;
  bool told = false;
  try {
    while (!ended_) {
      outcomes_->poll(static_cast<int>(kBetween), visit);
      if (!told && outcomes_->began()) {
        told = true;
        log_.info("ready");
      }
      const std::int64_t now = steady_ms();
      if (now - looked_ms < kBetween) continue;
      looked_ms = now;
      waiting_->expire(now);
    }
  } catch (const Error& error) {
    log_.error("outcomes cannot be read: the gateway ends", {{"why", {std::string(error.what())}}});
    broken_();
  }
}

// Every two seconds: who owns the partitions and how far they are, and tokens that were added.
void RunningGateway::watch() {
  bool silent = false;
  for (;;) {
    try {
      front_->look_for_tokens();
      partitions_->end_at(group_->ends(kAskMs));
      answered_ms_ = steady_ms();
      partitions_->are_owned(group_->owners(kAskMs));
      if (std::exchange(silent, false)) log_.info("brokers answer again");
    } catch (const Error& error) {
      if (!std::exchange(silent, true)) log_.warning("waits", {{"why", {std::string(error.what())}}});
    }
    std::unique_lock lock(mutex_);
    if (wake_.wait_for(lock, std::chrono::seconds(2), [this] { return stopping_.load(); })) return;
  }
}

bool RunningGateway::brokers_answer() const { return steady_ms() - answered_ms_ < kBrokersSilentMs; }

std::optional<std::string> RunningGateway::not_ready() const {
  if (!running_) return "the gateway is starting or stopping";
  if (!outcomes_->began()) return "outcomes are not being read yet";
  if (!brokers_answer()) return "no broker answers";
  return std::nullopt;
}

}  // namespace tarry::gateway
