// Owners of the client library's things, and how one of its clients is opened: for the files on it.
#pragma once

#include <librdkafka/rdkafka.h>

#include <memory>
#include <string>

#include "tarry/kafka/client.h"

namespace tarry::kafka {

inline constexpr int kAnswerMs = 10'000;

[[noreturn]] void fail(const std::string& why);  // Error{kIo}

template <auto Destroy>
struct Destroyer {
  template <class T>
  void operator()(T* it) const {
    Destroy(it);
  }
};
template <class T, auto Destroy>
using Owned = std::unique_ptr<T, Destroyer<Destroy>>;

// Without a word to a group: it is in none, or must not be asked any more.
inline void destroy_handle(rd_kafka_t* handle) { rd_kafka_destroy_flags(handle, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE); }

using Handle = Owned<rd_kafka_t, destroy_handle>;
using Message = Owned<rd_kafka_message_t, rd_kafka_message_destroy>;
using Partitions = Owned<rd_kafka_topic_partition_list_t, rd_kafka_topic_partition_list_destroy>;
using ErrorPointer = Owned<rd_kafka_error_t, rd_kafka_error_destroy>;
using Queue = Owned<rd_kafka_queue_t, rd_kafka_queue_destroy>;
using KafkaEvent = Owned<rd_kafka_event_t, rd_kafka_event_destroy>;
using Metadata = Owned<const rd_kafka_metadata_t, rd_kafka_metadata_destroy>;

// `ours` come last: promises rest on them. Throws Error{kBadInput} where the brokers' settings are wrong.
rd_kafka_conf_t* configuration(const Brokers& brokers, const Settings& ours);
// Takes the configuration.
rd_kafka_t* open(rd_kafka_type_t type, rd_kafka_conf_t* conf);
Settings producer_settings();  // nothing is lost or overtaken
Record record_of(const rd_kafka_message_t& message);
Metadata metadata_of(rd_kafka_t* handle, const std::string& topic);

}  // namespace tarry::kafka
