#include <fmt/format.h>

#include <algorithm>

#include "tarry/base/error.h"
#include "tarry/kafka/handle.h"

namespace tarry::kafka {
namespace {

KafkaEvent ask_config(rd_kafka_t* handle, const std::string& topic) {
  const Queue queue(rd_kafka_queue_new(handle));
  rd_kafka_ConfigResource_t* resource = rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, topic.c_str());
  rd_kafka_DescribeConfigs(handle, &resource, 1, nullptr, queue.get());
  rd_kafka_ConfigResource_destroy(resource);
  return KafkaEvent(rd_kafka_queue_poll(queue.get(), kAnswerMs));
}

std::map<std::string, std::string> config_of(rd_kafka_t* handle, const std::string& topic) {
  constexpr int kTries = 3;  // one may go to a broker that has just died
  KafkaEvent event;
  const rd_kafka_DescribeConfigs_result_t* result = nullptr;
  for (int i = 0; i < kTries && result == nullptr; ++i) {
    event = ask_config(handle, topic);
    if (event && !rd_kafka_event_error(event.get())) result = rd_kafka_event_DescribeConfigs_result(event.get());
  }
  if (result == nullptr)
    fail(fmt::format("how {} is configured is not known: {}", topic,
                     event ? rd_kafka_event_error_string(event.get()) : "no broker answers"));
  std::size_t count = 0;
  const rd_kafka_ConfigResource_t** found = rd_kafka_DescribeConfigs_result_resources(result, &count);
  std::map<std::string, std::string> config;
  if (count == 0) return config;
  const rd_kafka_ConfigEntry_t** entries = rd_kafka_ConfigResource_configs(found[0], &count);
  for (std::size_t i = 0; i < count; ++i)
    if (const char* value = rd_kafka_ConfigEntry_value(entries[i]))
      config.emplace(rd_kafka_ConfigEntry_name(entries[i]), value);
  return config;
}

}  // namespace

std::optional<TopicFacts> describe_topic(const Brokers& brokers, const std::string& topic) {
  const Handle handle(open(RD_KAFKA_PRODUCER, configuration(brokers, {})));
  const Metadata metadata = metadata_of(handle.get(), topic);
  if (metadata->topic_cnt == 0 || metadata->topics[0].partition_cnt == 0) return std::nullopt;
  const rd_kafka_metadata_topic_t& about = metadata->topics[0];
  TopicFacts facts{.partitions = about.partition_cnt, .replication = about.partitions[0].replica_cnt, .config = {}};
  for (int i = 1; i < about.partition_cnt; ++i)
    facts.replication = std::min(facts.replication, about.partitions[i].replica_cnt);
  facts.config = config_of(handle.get(), topic);
  return facts;
}

void create_topic(const Brokers& brokers, const std::string& topic, int partitions, int replication,
                  const Settings& config) {
  const Handle handle(open(RD_KAFKA_PRODUCER, configuration(brokers, {})));
  char why[512];
  rd_kafka_NewTopic_t* wanted = rd_kafka_NewTopic_new(topic.c_str(), partitions, replication, why, sizeof why);
  if (wanted == nullptr) throw Error(Code::kBadInput, fmt::format("kafka: {}: {}", topic, why));
  for (const auto& [key, value] : config) rd_kafka_NewTopic_set_config(wanted, key.c_str(), value.c_str());
  const Queue queue(rd_kafka_queue_new(handle.get()));
  rd_kafka_CreateTopics(handle.get(), &wanted, 1, nullptr, queue.get());
  rd_kafka_NewTopic_destroy(wanted);
  const KafkaEvent event(rd_kafka_queue_poll(queue.get(), 2 * kAnswerMs));
  const auto* result = event ? rd_kafka_event_CreateTopics_result(event.get()) : nullptr;
  if (result == nullptr || rd_kafka_event_error(event.get()))
    fail(fmt::format("{} was not created: {}", topic,
                     event ? rd_kafka_event_error_string(event.get()) : "no broker answers"));
  std::size_t count = 0;
  const rd_kafka_topic_result_t** topics = rd_kafka_CreateTopics_result_topics(result, &count);
  if (count == 0) return;
  const auto error = rd_kafka_topic_result_error(topics[0]);
  if (error == RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS)
    throw Error(Code::kConflict, fmt::format("kafka: the topic {} exists already", topic));
  if (error) {
    const char* text = rd_kafka_topic_result_error_string(topics[0]);
    fail(fmt::format("{} was not created: {}", topic, text != nullptr ? text : rd_kafka_err2str(error)));
  }
}

}  // namespace tarry::kafka
