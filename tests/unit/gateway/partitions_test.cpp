#include "tarry/gateway/partitions.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tarry/base/error.h"
#include "tarry/gateway/secret_file.h"
#include "tarry/kafka/sender.h"
#include "tarry/store/disk/real_disk.h"

namespace tarry::gateway {
namespace {

TEST(Partitions, TellHowFarTheyAreAndWhoseTheyAre) {
  Waiting waiting(2, 1);
  Partitions partitions(2);
  partitions.end_at({10, -1});
  partitions.are_owned({{0, {"one", "a"}}});
  waiting.outcome(0, 6, "{}");
  auto all = partitions.all(waiting);
  EXPECT_EQ(all[0].lag, 3);
  EXPECT_EQ(all[0].owner.name, "one");
  EXPECT_EQ(all[1].lag, -1);
  EXPECT_TRUE(all[1].owner.name.empty());
  waiting.outcome(0, 11, "{}");  // outcomes are faster than whoever looks at the end of the events
  EXPECT_EQ(partitions.all(waiting)[0].lag, 0);
  const std::string json = partitions_json(partitions.all(waiting), waiting.counts(), true);
  EXPECT_NE(json.find(R"({"partition": 0, "events": 12, "answered": 12, "lag": 0, "owner": "one", "host": "a", )"),
            std::string::npos)
      << json;
  EXPECT_NE(json.find(R"({"partition": 1, "events": null, "answered": 0, "lag": null, "owner": null, )"),
            std::string::npos)
      << json;
}

TEST(Partitions, AnotherOwnerIsATakeover) {
  Waiting waiting(1, 1);
  Partitions partitions(1);
  const auto takeovers = [&](const std::map<int, kafka::Owner>& owners) {
    partitions.are_owned(owners);
    return partitions.all(waiting)[0].takeovers;
  };
  EXPECT_EQ(takeovers({{0, {"one", "a"}}}), 0u);
  EXPECT_EQ(takeovers({}), 0u);
  EXPECT_EQ(takeovers({{0, {"one", "a"}}}), 0u);  // it came back
  EXPECT_EQ(takeovers({}), 0u);
  EXPECT_EQ(takeovers({{0, {"two", "a"}}}), 1u);
  EXPECT_EQ(takeovers({{0, {"one", "a"}}}), 2u);
}

TEST(Partitions, AreThoseOfJavasClients) {
  // What Kafka's own tests of murmur2 expect of these keys.
  EXPECT_EQ(kafka::partition_of("21", 1'000'000),
            static_cast<int>((static_cast<std::uint32_t>(-973932308) & 0x7fffffff) % 1'000'000));
  EXPECT_EQ(kafka::partition_of("foobar", 1'000'000),
            static_cast<int>((static_cast<std::uint32_t>(-790332482) & 0x7fffffff) % 1'000'000));
}

TEST(SecretFile, IsMadeOnceAndShared) {
  const std::string folder = testing::TempDir() + "/gateway_secret";
  std::filesystem::remove_all(folder);
  const auto disk = store::real_disk();
  const SecretFile first = read_or_make_secret(*disk, folder);
  EXPECT_TRUE(first.made);
  const SecretFile second = read_or_make_secret(*disk, folder);
  EXPECT_FALSE(second.made);
  EXPECT_EQ(first.secret, second.secret);
  EXPECT_EQ(disk->list(folder), std::vector<std::string>{"key"});
  std::filesystem::resize_file(folder + "/key", 5);
  EXPECT_THROW(read_or_make_secret(*disk, folder), Error);
}

}  // namespace
}  // namespace tarry::gateway
