// Sends records and says of each what became of it: where it is, or why Kafka did not take it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "tarry/kafka/client.h"

namespace tarry::kafka {

// The partition that a key belongs to, as Java's clients choose it.
int partition_of(std::string_view key, int partitions);

struct Delivery {
  std::uint64_t id = 0;
  Offset offset = -1;
  std::string refused = {};  // why; empty: it is there
  bool too_large = false;
};

class Sender {
 public:
  // `delivered` is called from poll().
  Sender(const Brokers& brokers, std::function<void(const Delivery&)> delivered);
  ~Sender();  // what was not delivered is dropped

  // Never waits. What cannot even be tried is said at once; otherwise nothing comes back, and `delivered` hears of it.
  std::optional<Delivery> send(const std::string& topic, int partition, std::string_view key, std::string_view value,
                               std::uint64_t id);
  void poll(int wait_ms);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tarry::kafka
