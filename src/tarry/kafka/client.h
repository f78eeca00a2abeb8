// The part of Kafka's client that Tarry uses, without its header: a producer that keeps order and loses nothing, a
// member of a consumer group, a reader of one partition, and the administration of topics.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tarry/base/error.h"

namespace tarry::kafka {

using Offset = std::int64_t;
using Settings = std::vector<std::pair<std::string, std::string>>;

// Where the brokers are, and what else a connection to them needs (TLS, SASL), in the client's own words.
struct Brokers {
  std::string addresses;  // host:port, with commas between
  Settings settings = {};
};

struct Record {  // looks into the client's memory, until the next call
  int partition = 0;
  Offset offset = 0;
  std::int64_t at_ms = 0;  // since 1970
  std::string_view key = {};
  std::optional<std::string_view> value = std::nullopt;  // nothing: a tombstone
};

// acks=all, numbered records, one request in flight, tries without end: nothing is lost or overtaken, whatever becomes
// of the brokers, and nothing is there twice. What was sent before a crash and is sent again may be.
class Producer {
 public:
  explicit Producer(const Brokers& brokers);
  ~Producer();  // what was not delivered is dropped: flush() first

  static constexpr int kByKey = -1;  // the partition that Java's clients choose, too
  // Waits where too much is on its way. Throws Error{kIo} once any record could not be delivered.
  void send(const std::string& topic, int partition, std::string_view key, std::optional<std::string_view> value);
  // Takes note of what was delivered, and sends what was held back until then: to be called often. Throws as send()
  // does.
  void poll();
  // Returns when all that was sent is delivered, however long that takes, or `stop` says so. Throws as send() does.
  void flush(const std::function<bool()>& stop = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Reads one partition with a client of its own up to the end that it has at the time. Gives that end's offset. Throws
// Error{kIo} when no broker answers for ten seconds: then nothing is known.
inline constexpr Offset kBeginning = -2;
inline Offset last_records(std::int64_t count) { return -2000 - count; }
Offset read_to_end(const Brokers& brokers, const std::string& topic, int partition, Offset from,
                   const std::function<void(const Record&)>& visit);

struct GroupSetting {
  std::string group;
  std::string instance;  // empty: none; one that comes back with it soon enough keeps its partitions
  std::string topic;
  int session_ms = 10'000;
  // Gives the offset to go on from for each partition that was assigned.
  std::function<std::vector<Offset>(const std::vector<int>&)> assigned;
  // `lost`: somebody else may have them already.
  std::function<void(const std::vector<int>&, bool lost)> revoked;
};

// Another member came under this one's instance name, or the group takes this one for another after an answer was lost.
// This consumer is of no use any more; a new one may join.
class Fenced : public Error {
 public:
  explicit Fenced(const std::string& message) : Error(Code::kIo, message) {}
};

class GroupConsumer {
 public:
  GroupConsumer(const Brokers& brokers, GroupSetting setting);
  ~GroupConsumer();  // leaves without a word unless it was closed: nothing is revoked then

  // Visits the next record, if one comes in time. Throws Fenced, Error{kIo} for what cannot be waited out, and whatever
  // the callbacks threw.
  bool poll(int wait_ms, const std::function<void(const Record&)>& visit);
  // The end of a partition that was assigned, as far as is known here; -1: not at all.
  Offset end(int partition) const;
  // For those who watch how far the group is behind; nothing reads it back.
  void commit(const std::map<int, Offset>& next);
  // Gives everything back and leaves the group.
  void close();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct TopicFacts {
  int partitions = 0;
  int replication = 0;                        // of the partition that has fewest
  std::map<std::string, std::string> config;  // as the brokers see it
};

// Nothing: there is no such topic. Throws Error{kIo} when no broker answers.
std::optional<TopicFacts> describe_topic(const Brokers& brokers, const std::string& topic);
// Throws Error{kConflict} where it exists.
void create_topic(const Brokers& brokers, const std::string& topic, int partitions, int replication,
                  const Settings& config);

std::string client_version();

}  // namespace tarry::kafka
