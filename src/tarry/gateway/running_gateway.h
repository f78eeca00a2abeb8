// The whole gateway: connections to Kafka, and HTTP in front of them. An outermost shell: it reads clocks and files,
// and has threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "tarry/gateway/gateway.h"
#include "tarry/gateway/partitions.h"
#include "tarry/kafka/group_watch.h"
#include "tarry/kafka/sender.h"
#include "tarry/kafka/tail_reader.h"
#include "tarry/kafka/topics.h"
#include "tarry/service/routes/front.h"

namespace tarry::gateway {

struct GatewayOptions {
  std::string data;  // a folder with the key of tickets and the tokens; gateways may share it
  service::FrontOptions front = {};
  service::ServiceLimits limits = {};
  kafka::Brokers brokers;
  std::string prefix = "tarry";
  std::string group = "tarry";  // of the workers
  std::int64_t wait_ms = 10'000;
  bool unsafe_topics = false;
};

class RunningGateway {
 public:
  // Finds the topics and listens; requests wait until start(). Throws Error. `broken` must end the process: nothing
  // can be answered any more.
  RunningGateway(const GatewayOptions& options, hosting::JsonLog& log, std::function<void()> broken);
  ~RunningGateway();
  RunningGateway(const RunningGateway&) = delete;
  RunningGateway& operator=(const RunningGateway&) = delete;

  void start();
  void stop();  // answers what came

  std::string address() const { return front_->address(); }

 private:
  void open_gateway(int partitions);
  void open_http();
  void send(int partition, std::string_view model, std::string_view event, Waiting::Id id);
  void read_outcomes();
  void watch();
  std::optional<std::string> not_ready() const;
  bool brokers_answer() const;

  GatewayOptions options_;
  hosting::JsonLog& log_;
  std::function<void()> broken_;
  kafka::Topics topics_;
  std::unique_ptr<store::Disk> disk_;
  std::unique_ptr<Waiting> waiting_;
  std::unique_ptr<Partitions> partitions_;
  std::unique_ptr<Gateway> gateway_;
  std::unique_ptr<kafka::Sender> sender_;
  std::unique_ptr<kafka::TailReader> outcomes_;
  std::unique_ptr<kafka::GroupWatch> group_;
  std::unique_ptr<service::Front> front_;
  std::atomic<std::int64_t> answered_ms_;  // when brokers last did
  std::atomic<bool> running_ = false;      // takes requests
  std::atomic<bool> stopping_ = false;     // takes no more
  std::atomic<bool> ended_ = false;        // nobody waits for an answer any more
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread acknowledgements_thread_, outcomes_thread_, watch_thread_;
};

}  // namespace tarry::gateway
