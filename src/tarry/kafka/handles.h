// What the files on Kafka's client share, without its header.
#pragma once

#include "tarry/kafka/client.h"

struct rd_kafka_s;
struct rd_kafka_conf_s;
struct rd_kafka_message_s;

namespace tarry::kafka {

// Ours stand over those of the connection. Throws Error{kBadInput}.
rd_kafka_conf_s* make_configuration(const Brokers& brokers, const Settings& ours);
// Takes the configuration. Throws Error{kBadInput}.
rd_kafka_s* open_producer(rd_kafka_conf_s* configuration);
rd_kafka_s* open_consumer(rd_kafka_conf_s* configuration);

Settings producer_settings();  // nothing is lost or overtaken
Record record_in(const rd_kafka_message_s& message);

}  // namespace tarry::kafka
