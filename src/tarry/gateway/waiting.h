// Events that were sent and wait: first for Kafka to say where they stand, then for the outcome of that place. The two
// come from two connections, so an outcome may be here before it is known whose it is. From any thread; those who
// wait hear it on the thread that brought the news.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tarry/kafka/client.h"

namespace tarry::gateway {

using kafka::Offset;

struct News {
  enum class Kind : std::uint8_t {
    kOutcome,          // `text` is the outcome
    kAcknowledged,     // for those who wait for no more than that
    kNotAcknowledged,  // its time is up, and Kafka has not said that it has it: it may get there still
    kNoOutcome,        // its time is up: Kafka has it, and it may still be folded
    kTooLarge,         // Kafka does not take it
    kRefused,          // Kafka does not take it, and `text` says why
  };
  Kind kind;
  Offset offset = -1;
  std::string text = {};
};

class Waiting {
 public:
  using Id = std::uint64_t;
  using Done = std::function<void(const News&)>;

  // `most`: events that wait, or are on their way, at a time.
  Waiting(int partitions, std::size_t most);

  // Before the event is sent. Nothing: too many wait. `until_ms` never goes back from one call to the next.
  std::optional<Id> add(int partition, bool for_outcome, std::int64_t until_ms, Done done);
  void acknowledged(Id id, Offset offset);
  void refused(Id id, const News& why);
  void outcome(int partition, Offset event, std::string_view text);
  // Answers those whose time is up.
  void expire(std::int64_t now_ms);

  Offset answered(int partition) const;  // the latest event whose outcome was seen; -1: none
  struct Counts {
    std::size_t waiting = 0;         // for Kafka or for an outcome
    std::size_t unacknowledged = 0;  // also of those who no longer wait
  };
  Counts counts() const;

 private:
  struct Entry {
    int partition = 0;
    bool for_outcome = true;
    Offset offset = -1;
    Done done;  // empty: nobody waits any more
  };
  struct Partition {
    std::size_t unacknowledged = 0;
    std::unordered_map<Offset, Id> waiting;
    std::map<Offset, std::string> early;  // outcomes that may be of events whose place is not known yet
    Offset answered = -1;
  };
  using Entries = std::unordered_map<Id, Entry>;
  Partition& place(int partition) { return partitions_[static_cast<std::size_t>(partition)]; }
  void forget_early(Partition& partition, Offset up_to);

  mutable std::mutex mutex_;
  std::size_t most_;
  Id next_ = 1;
  Entries entries_;
  std::vector<Partition> partitions_;
  std::deque<std::pair<std::int64_t, Id>> deadlines_;
  std::size_t early_bytes_ = 0;
};

}  // namespace tarry::gateway
