// The brokers that options name, in a program with Kafka; in one without, the line that says so.
#pragma once

#include "tarry/cli/queue_options.h"
#ifdef TARRY_HAS_KAFKA
#include "tarry/kafka/client.h"
#endif

namespace tarry::cli {

#ifdef TARRY_HAS_KAFKA
kafka::Brokers brokers_of(const QueueOptions& options);  // throws Error{kBadInput}
#endif

[[noreturn]] void refuse_kafka();  // throws Error{kUnsupported}

}  // namespace tarry::cli
