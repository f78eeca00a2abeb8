// The producer against the client library's own mock of a cluster: no broker is needed to move a partition at the worst
// moment.
#include <gtest/gtest.h>
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#include <chrono>
#include <thread>

#include "tarry/kafka/client.h"

namespace tarry::kafka {
namespace {

constexpr std::int16_t kProduce = 0;  // the number of the request in Kafka's protocol

void pause_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

// Three brokers, and the topic "t" with two partitions: broker 1 leads the first, broker 3 the second.
class ProducerTest : public testing::Test {
 protected:
  ProducerTest() {
    char why[512];
    rd_kafka_conf_t* conf = rd_kafka_conf_new();
    rd_kafka_conf_set_log_cb(conf, [](const rd_kafka_t*, int, const char*, const char*) {});
    host_ = rd_kafka_new(RD_KAFKA_PRODUCER, conf, why, sizeof why);
    cluster_ = rd_kafka_mock_cluster_new(host_, 3);
    rd_kafka_mock_topic_create(cluster_, "t", 2, 3);
    lead(0, 1);
    lead(1, 3);
    brokers_.addresses = rd_kafka_mock_cluster_bootstraps(cluster_);
  }

  ~ProducerTest() override {
    rd_kafka_mock_cluster_destroy(cluster_);
    rd_kafka_destroy(host_);
  }

  void lead(int partition, int broker) { rd_kafka_mock_partition_set_leader(cluster_, "t", partition, broker); }

  // The next record that this broker is sent is refused, as by one that leads no more; its answer takes its time.
  void refuses_next(int broker, int after_ms) {
    rd_kafka_mock_broker_push_request_error_rtts(cluster_, broker, kProduce, 1,
                                                 RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION, after_ms);
  }

  std::vector<std::string> there(int partition) {
    std::vector<std::string> values;
    read_to_end(brokers_, "t", partition, kBeginning,
                [&](const Record& record) { values.emplace_back(record.value.value()); });
    return values;
  }

  rd_kafka_t* host_ = nullptr;
  rd_kafka_mock_cluster_t* cluster_ = nullptr;
  Brokers brokers_;
};

// A request is on its way to a broker that is alive but slow. Meanwhile the partition moves, and the client hears of
// it by a request for another partition. What is sent next must not reach the new leader before the old one has said
// no.
TEST_F(ProducerTest, NothingOvertakesWhenAPartitionMoves) {
  Producer producer(brokers_);
  producer.send("t", 0, "k", "zero");
  producer.send("t", 1, "k", "zero");
  producer.flush();
  refuses_next(1, 1500);
  producer.send("t", 0, "k", "one");
  pause_ms(300);
  lead(0, 2);
  refuses_next(3, 0);
  producer.send("t", 1, "k", "one");  // is refused, and so makes the client ask who leads
  pause_ms(500);
  producer.send("t", 0, "k", "two");
  producer.send("t", 0, "k", "three");
  producer.flush();
  EXPECT_EQ(there(0), (std::vector<std::string>{"zero", "one", "two", "three"}));
  EXPECT_EQ(there(1), (std::vector<std::string>{"zero", "one"}));
}

TEST_F(ProducerTest, GoesOnWhenAllBrokersWereAway) {
  Producer producer(brokers_);
  std::vector<std::string> sent;
  const auto send = [&](int count) {
    for (int i = 0; i < count; ++i) {
      sent.push_back(std::to_string(sent.size()));
      producer.send("t", 0, "k", sent.back());
    }
  };
  send(100);
  producer.flush();
  for (int round = 0; round < 3; ++round) {
    for (int broker = 1; broker <= 3; ++broker) rd_kafka_mock_broker_set_down(cluster_, broker);
    send(100);
    pause_ms(100);
    for (int broker = 1; broker <= 3; ++broker) rd_kafka_mock_broker_set_up(cluster_, broker);
    lead(0, round + 1);
    send(100);
    producer.flush();
  }
  EXPECT_EQ(there(0), sent);
}

}  // namespace
}  // namespace tarry::kafka
