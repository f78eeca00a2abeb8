#include "tarry/kafka/topics.h"

#include <gtest/gtest.h>

#include "tarry/base/error.h"
#include "unit/expect_error.h"

namespace tarry::kafka {
namespace {

// An error of this code whose message holds this text.
template <class Call>
void expect_error(Code code, const std::string& says, Call call) {
  const Thrown thrown = thrown_by(call);
  EXPECT_EQ(thrown.code, code);
  EXPECT_NE(thrown.message.find(says), std::string::npos) << thrown.message;
}

const Topics kTopics("t");

Found safe() {
  const TopicFacts facts{.partitions = 4,
                         .replication = 3,
                         .config = {{"min.insync.replicas", "2"},
                                    {"unclean.leader.election.enable", "false"},
                                    {"cleanup.policy", "delete"},
                                    {"retention.ms", "-1"},
                                    {"retention.bytes", "-1"},
                                    {"max.message.bytes", "1048588"}}};
  Found found{facts, facts, facts};
  found.snapshots.config["cleanup.policy"] = "compact";
  return found;
}

std::string danger(const std::function<void(Found&)>& change) {
  Found found = safe();
  change(found);
  const auto all = dangers(kTopics, found);
  return all.size() == 1 ? all.front() : std::to_string(all.size()) + " dangers";
}

TEST(Topics, SafeOnesAreTaken) {
  check_shape(kTopics, safe());
  EXPECT_TRUE(dangers(kTopics, safe()).empty());
}

TEST(Topics, EachDangerIsSaid) {
  EXPECT_EQ(danger([](Found& f) { f.events.replication = 2; }), "t.events has 2 replicas, fewer than 3");
  EXPECT_EQ(danger([](Found& f) { f.decisions.config["min.insync.replicas"] = "1"; }),
            "t.decisions has min.insync.replicas = 1, fewer than 2");
  EXPECT_EQ(danger([](Found& f) { f.snapshots.config["unclean.leader.election.enable"] = "true"; }),
            "t.snapshots allows unclean leader election");
  EXPECT_EQ(danger([](Found& f) { f.events.config["cleanup.policy"] = "compact"; }), "t.events is compacted");
  EXPECT_EQ(danger([](Found& f) { f.events.config["retention.ms"] = "604800000"; }),
            "t.events deletes old events (retention.ms = 604800000, retention.bytes = -1)");
  EXPECT_EQ(danger([](Found& f) { f.events.config["retention.bytes"] = "1000"; }),
            "t.events deletes old events (retention.ms = -1, retention.bytes = 1000)");
  EXPECT_EQ(danger([](Found& f) {
              f.snapshots.config["cleanup.policy"] = "delete";
              f.snapshots.config["retention.ms"] = "1000";
            }),
            "t.snapshots deletes old snapshots");
}

TEST(Topics, WhatCannotWorkIsRefused) {
  Found found = safe();
  found.decisions.partitions = 5;
  expect_error(Code::kBadInput, "t.events has 4 partitions and t.decisions has 5",
               [&] { check_shape(kTopics, found); });
  found = safe();
  found.decisions.config["cleanup.policy"] = "compact,delete";
  expect_error(Code::kBadInput, "t.decisions must not be compacted", [&] { check_shape(kTopics, found); });
  found = safe();
  found.snapshots.config["max.message.bytes"] = "1000";
  expect_error(Code::kBadInput, "t.snapshots must have max.message.bytes", [&] { check_shape(kTopics, found); });
}

}  // namespace
}  // namespace tarry::kafka
