#include "tarry/base/error.h"
#include "tarry/cli/queue_brokers.h"

namespace tarry::cli {

void refuse_kafka() {
  throw Error(Code::kUnsupported,
              "this program was built without Kafka: install librdkafka-dev and build it with -D TARRY_KAFKA=ON");
}

}  // namespace tarry::cli

#ifndef TARRY_HAS_KAFKA

namespace tarry::cli {

void worker(const QueueOptions&, Output&) { refuse_kafka(); }
void queue_create(const QueueOptions&, Output&) { refuse_kafka(); }
void queue_send(const QueueOptions&, Output&) { refuse_kafka(); }
void queue_outcomes(const QueueOptions&, Output&) { refuse_kafka(); }
void queue_export(const QueueOptions&, Output&) { refuse_kafka(); }
void queue_import(const QueueOptions&, Output&) { refuse_kafka(); }
bool queue_check(const QueueOptions&, Output&) { refuse_kafka(); }

}  // namespace tarry::cli

#else

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>

#include "tarry/cli/wall_clock.h"
#include "tarry/kafka/audit.h"
#include "tarry/kafka/history.h"
#include "tarry/kafka/worker.h"
#include "tarry/service/host/challengers_json.h"

namespace tarry::cli {
namespace {

using Seconds = std::chrono::duration<double>;

std::atomic<bool> stopping = false;
std::atomic<bool> going_on = false;  // the clock is right

}  // namespace

kafka::Brokers brokers_of(const QueueOptions& options) {
  kafka::Brokers brokers{.addresses = options.kafka};
  for (const std::string& setting : options.settings) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Error(Code::kBadInput, fmt::format("--kafka-setting must be key=value ({} came)", setting));
    brokers.settings.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
  }
  return brokers;
}

void worker(const QueueOptions& options, Output& out) {
  kafka::WorkerOptions worker_options{.brokers = brokers_of(options),
                                      .prefix = options.prefix,
                                      .group = options.group,
                                      .instance = options.instance,
                                      .session_ms = options.session_ms,
                                      .snapshot_every = options.snapshot_every,
                                      .snapshot_after_ms = static_cast<std::int64_t>(options.snapshot_seconds * 1000),
                                      .unsafe_topics = options.unsafe_topics,
                                      .expiry_hold_ms = static_cast<std::int64_t>(options.expiry_hold_seconds * 1000),
                                      .told_to_go_on = [] { return going_on.exchange(false); }};
  std::signal(SIGTERM, [](int) { stopping = true; });
  std::signal(SIGINT, [](int) { stopping = true; });
  std::signal(SIGUSR1, [](int) { going_on = true; });
  hosting::JsonLog log(now_ms, [](std::string_view line) { std::fwrite(line.data(), 1, line.size(), stderr); });
  out.flush();
  kafka::Worker(std::move(worker_options), log, now_ms).run(stopping);
}

void queue_create(const QueueOptions& options, Output& out) {
  const kafka::Topics topics(options.prefix);
  kafka::create_topics(brokers_of(options), topics, options.partitions, options.replication);
  out.print(fmt::format("{}, {} and {}: {} partitions, {} replicas\n", topics.events, topics.decisions,
                        topics.snapshots, options.partitions, options.replication));
}

void queue_send(const QueueOptions& options, Output& out) {
  const kafka::Topics topics(options.prefix);
  const kafka::Brokers brokers = brokers_of(options);
  kafka::find_topics(brokers, topics);
  kafka::Producer producer(brokers);
  Input input(options.file);
  std::string_view line;
  std::uint64_t sent = 0, lines = 0;
  const auto began = std::chrono::steady_clock::now();
  while (input.lines().next(line)) {
    ++lines;
    if (line.empty()) continue;
    const auto tab = line.find('\t');
    if (tab == std::string_view::npos)
      throw Error(Code::kBadInput, fmt::format("line {}: must be a model's name, a tab and an event", lines));
    producer.send(topics.events, kafka::Producer::kByKey, line.substr(0, tab), line.substr(tab + 1));
    if (++sent % 1000 == 0 || options.rate > 0) producer.poll();
    if (options.rate > 0)
      std::this_thread::sleep_until(began + std::chrono::duration_cast<std::chrono::nanoseconds>(
                                                Seconds(static_cast<double>(sent) / options.rate)));
  }
  producer.flush();
  out.print(fmt::format("{{\"sent\": {}}}\n", sent));
}

void queue_outcomes(const QueueOptions& options, Output& out) {
  const kafka::Topics topics(options.prefix);
  const kafka::Brokers brokers = brokers_of(options);
  const int partitions = kafka::find_topics(brokers, topics).decisions.partitions;
  for (int partition = 0; partition < partitions; ++partition) {
    kafka::Offset highest = -1;
    kafka::read_to_end(brokers, topics.decisions, partition, kafka::kBeginning, [&](const kafka::Record& record) {
      const auto event = record.value ? kafka::answered_offset(*record.value) : std::nullopt;
      if (!event || *event <= highest) return;  // a repeat
      highest = *event;
      out.buffer() += fmt::format("{}\t{}\n", record.key, *record.value);
      out.written();
    });
  }
}

void queue_export(const QueueOptions& options, Output& out) {
  kafka::export_model(brokers_of(options), kafka::Topics(options.prefix), options.model, [&](std::string_view line) {
    out.buffer().append(line).append("\n");
    out.written();
  });
}

void queue_import(const QueueOptions& options, Output& out) {
  const kafka::Topics topics(options.prefix);
  const kafka::Brokers brokers = brokers_of(options);
  kafka::find_topics(brokers, topics);
  kafka::Producer producer(brokers);
  kafka::HistoryToRecords history;
  Input input(options.file);
  std::string_view line;
  std::uint64_t sent = 0;
  while (input.lines().next(line)) {
    const std::string record = history.record(line);
    if (record.empty()) continue;
    producer.send(topics.events, kafka::Producer::kByKey, options.model, record);
    if (++sent % 1000 == 0) producer.poll();
  }
  producer.flush();
  out.print(fmt::format("{{\"sent\": {}}}\n", sent));
}

bool queue_check(const QueueOptions& options, Output& out) {
  const kafka::Topics topics(options.prefix);
  const kafka::Brokers brokers = brokers_of(options);
  const int partitions = kafka::find_topics(brokers, topics).events.partitions;
  bool sound = true;
  std::string first;
  for (int partition = 0; partition < partitions; ++partition) {
    kafka::Partition state;
    const kafka::Audit found = kafka::audit(brokers, topics, partition, state);
    sound = sound && found.sound();
    if (first.empty()) first = found.first;
    out.print(
        fmt::format("{{\"partition\": {}, \"events\": {}, \"errors\": {}, \"outcomes\": {}, \"missing\": {}, "
                    "\"repeated\": {}, \"different\": {}, \"not_compared\": {}, \"overtaken\": {}, "
                    "\"snapshot\": {}, \"snapshot_differs\": {}}}\n",
                    partition, found.events, found.errors, found.outcomes, found.missing, found.repeated,
                    found.different, found.not_compared, found.overtaken, found.snapshot, found.snapshot_differs));
    for (const hosting::ModelPointer& model : state.models().all()) {
      out.print(
          fmt::format("{{\"model\": \"{}\", \"partition\": {}, \"rounds\": {}, \"outstanding\": {}, \"hash\": "
                      "\"{}\"}}\n",
                      model->name(), partition, model->model().ledger().issued(), model->model().ledger().outstanding(),
                      model->model().hash()));
      if (!model->challengers().empty()) out.print(service::challengers_json(hosting::challengers_of(*model)) + "\n");
    }
  }
  if (!first.empty()) print_error("tarry: " + first + "\n");
  return sound;
}

}  // namespace tarry::cli

#endif
