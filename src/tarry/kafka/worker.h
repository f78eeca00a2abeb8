// A member of the group that folds the events: for each partition that it holds it writes the outcome of every event,
// once, to the same partition of the decisions, and snapshots from which somebody else can go on.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "tarry/hosting/json_log.h"
#include "tarry/kafka/client.h"
#include "tarry/kafka/expiry_time.h"
#include "tarry/kafka/partition.h"
#include "tarry/kafka/takeover.h"
#include "tarry/kafka/topics.h"

namespace tarry::kafka {

struct WorkerOptions {
  Brokers brokers;
  std::string prefix = "tarry";  // of the topics' names
  std::string group = "tarry";
  std::string instance;
  int session_ms = 10'000;
  Offset snapshot_every = 100'000;                        // events of a partition
  std::int64_t snapshot_after_ms = 60'000;                // since the one before, where there is anything new
  bool unsafe_topics = false;                             // work with topics that can lose data
  std::int64_t expiry_hold_ms = hosting::Clock::kHourMs;  // after a jump of the worker's clock
  std::function<bool()> told_to_go_on = {};               // somebody says that the clock is right; asked often
};

class Worker {
 public:
  Worker(WorkerOptions options, hosting::JsonLog& log, std::function<std::int64_t()> wall_ms);
  ~Worker();

  // Until `stop` is true: then everything is saved and given back. Throws Error; nothing is saved then, and the next
  // owner goes on from what is durable.
  void run(const std::atomic<bool>& stop);

 private:
  struct Held;

  void join();
  void work();
  void come_back(const Fenced& error);
  std::vector<Offset> assigned(const std::vector<int>& partitions);
  void revoked(const std::vector<int>& partitions, bool lost);
  void begin(int partition, Held& held, Takeover& found);
  void fold(const Record& record);
  void save(int partition, Held& held);
  void note_caught_up();
  void tick();
  void watch_clock();
  void tell(const hosting::ClockNews& news, std::int64_t wall_ms);
  bool has_read_all(int partition, const Held& held) const;
  void expire_overdue(int partition, Held& held);

  WorkerOptions options_;
  Topics topics_;
  hosting::JsonLog& log_;
  std::function<std::int64_t()> wall_ms_;
  const std::atomic<bool>* stop_ = nullptr;
  std::map<int, std::unique_ptr<Held>> held_;
  Held* current_ = nullptr;  // of the last record
  int current_partition_ = -1;
  std::unique_ptr<Producer> producer_;
  std::unique_ptr<GroupConsumer> consumer_;
  std::int64_t ticked_ms_ = 0;
  ExpiryTime expiry_;
  std::int64_t fenced_ms_ = 0, back_in_ms_ = 0;  // when it was last, and how long it waited then
  std::uint64_t folded_ = 0, emitted_ = 0, errors_ = 0;
};

}  // namespace tarry::kafka
