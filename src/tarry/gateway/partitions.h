// What a gateway knows of the partitions: how far they are, who folds them, and how often that changed. From any
// thread.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "tarry/gateway/waiting.h"
#include "tarry/kafka/group_watch.h"

namespace tarry::gateway {

struct PartitionFacts {
  int partition = 0;
  Offset events = -1;           // where they end; -1: not known
  Offset answered = -1;         // the latest event with an outcome; -1: none
  Offset lag = -1;              // events without an outcome; -1: not known
  kafka::Owner owner = {};      // no name: none is known
  std::uint64_t takeovers = 0;  // other owners than the one before, as far as this gateway saw
};

class Partitions {
 public:
  explicit Partitions(int count) : facts_(static_cast<std::size_t>(count)) {}

  void end_at(const std::vector<Offset>& ends);  // -1: not known
  void are_owned(const std::map<int, kafka::Owner>& owners);
  std::vector<PartitionFacts> all(const Waiting& waiting) const;

 private:
  mutable std::mutex mutex_;
  std::vector<PartitionFacts> facts_;
  std::map<int, std::string> last_owner_;  // also while there is none
};

// {"partitions": […], "waiting": 3, …}
std::string partitions_json(const std::vector<PartitionFacts>& all, const Waiting::Counts& counts, bool brokers_answer);

}  // namespace tarry::gateway
