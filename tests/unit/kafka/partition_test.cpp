#include "tarry/kafka/partition.h"

#include <gtest/gtest.h>

#include "tarry/base/error.h"
#include "tarry/kafka/outcome_head.h"
#include "unit/expect_error.h"

namespace tarry::kafka {
namespace {

// Feeds records to a partition, and remembers them.
struct Feeder {
  Partition partition;
  std::vector<std::pair<std::string, std::string>> records = {};

  // The outcome without the number of the arithmetic (outcome_head_test.cpp).
  std::string operator()(const std::string& model, const std::string& value) {
    records.emplace_back(model, value);
    return without_number(apply(partition, records.size() - 1));
  }
  static std::string without_number(const std::string& outcome) {
    const OutcomeHead head = outcome_head(outcome).value();
    return "{\"offset\": " + std::to_string(head.offset) + ", " + std::string(head.rest);
  }
  std::string apply(Partition& to, std::size_t at) const {
    const auto& [key, value] = records[at];
    return record_of(to.apply({.offset = static_cast<Offset>(at), .at_ms = 1000, .key = key, .value = value})).json;
  }
};

TEST(Partition, AnswersEveryEvent) {
  Feeder feed;
  EXPECT_EQ(feed("m", R"({"create": {"task": "regression"}})"),
            R"({"offset": 0, "answer": "applied", "incarnation": 1})");
  EXPECT_EQ(feed("m", R"({"create": {"task": "regression"}})"),
            R"({"offset": 1, "answer": "duplicate", "incarnation": 1})");
  EXPECT_EQ(
      feed("m", R"({"play": true, "key": "a", "features": {"x": 1}})"),
      R"({"offset": 2, "answer": "applied", "round": 1, "incarnation": 1, "key": "a", "reply": {"round": 1, "prediction": 0}})");
  EXPECT_EQ(feed("m", R"({"label": "a", "value": 2})"), R"({"offset": 3, "answer": "applied", "round": 1, "loss": 4})");
  EXPECT_EQ(feed("m", R"({"label": "a", "value": 2})"), R"({"offset": 4, "answer": "duplicate", "round": 1})");
  EXPECT_EQ(feed("m", R"({"label": "a", "value": 3})"), R"({"offset": 5, "answer": "conflict", "round": 1})");
  EXPECT_EQ(feed("m", R"({"label": "b", "value": 3})"), R"({"offset": 6, "answer": "unknown"})");
  EXPECT_EQ(feed("m", R"({"delete": true})"), R"({"offset": 7, "answer": "applied"})");
  EXPECT_EQ(feed.partition.next(), 8);
  EXPECT_TRUE(feed.partition.models().all().empty());
}

TEST(Partition, ALabelInOtherWordsIsADuplicate) {
  Feeder feed;
  feed("m", R"({"create": {"task": "binary"}})");
  feed("m", R"({"play": true, "key": "a", "features": {"x": 1}})");
  feed("m", R"({"label": "a", "value": 1})");
  EXPECT_EQ(feed("m", R"({"label": "a", "value": true})"), R"({"offset": 3, "answer": "duplicate", "round": 1})");
  EXPECT_EQ(feed("m", R"({"label": "a", "value": false})"), R"({"offset": 4, "answer": "conflict", "round": 1})");
}

TEST(Partition, AChoiceIsMadeOnceForAKey) {
  Feeder feed;
  feed("m", R"({"create": {"task": "choose", "features": {"capacity": 64}}})");
  const std::string play = R"({"play": true, "key": "a", "context": {"x": 1}, "actions": ["b", "c"]})";
  const std::string first = feed("m", play);
  const auto from = first.find(R"("action": ")");
  ASSERT_NE(from, std::string::npos) << first;
  feed("m", R"({"label": "a", "value": true})");
  EXPECT_NE(feed("m", play).find(first.substr(from, 40)), std::string::npos);
  EXPECT_EQ(feed.partition.models().all().size(), 1u);
}

// Its records say when they came, where a model counts seconds.
TEST(Partition, ALabelThatIsCorrectedCountsOnce) {
  Feeder feed;
  feed("m", R"({"create": {"task": "binary", "revisable": {"seconds": 60}}})");
  feed("m", R"({"play": true, "key": "a", "features": {"x": 1}})");
  feed("m", R"({"label": "a", "value": true})");
  EXPECT_EQ(feed("m", R"({"label": "a", "value": false})"), R"({"offset": 3, "answer": "conflict", "round": 1})");
  const std::string revision = R"({"label": "a", "value": false, "revise": true, "sequence": 2})";
  EXPECT_NE(feed("m", revision).find(R"("answer": "applied", "round": 1, "loss": )"), std::string::npos);
  EXPECT_EQ(feed("m", revision), R"({"offset": 5, "answer": "duplicate", "round": 1})");
  Partition other;
  other.load(feed.partition.save());
  for (const char* late : {R"({"label": "a", "value": true, "revise": true, "sequence": 1})",
                           R"({"label": "a", "value": true, "revise": true, "sequence": 3, "now": 62})"}) {
    const std::string answer = feed("m", late);
    EXPECT_EQ(Feeder::without_number(feed.apply(other, feed.records.size() - 1)), answer);
    EXPECT_EQ(answer.find("applied"), std::string::npos) << answer;  // older, and too late
  }
}

TEST(Partition, FeedbackIsForTheModelThatWasThere) {
  Feeder feed;
  feed("m", R"({"create": {"task": "regression"}})");
  feed("m", R"({"play": true, "key": "a", "features": {"x": 1}})");
  feed("m", R"({"delete": true})");
  feed("m", R"({"create": {"task": "regression"}})");  // at 3
  feed("m", R"({"play": true, "key": "a", "features": {"x": 1}})");
  const std::string lost = feed("m", R"({"label": "a", "value": 2, "since": 2})");
  EXPECT_NE(lost.find(R"("error": {"status": 500, "code": "lost")"), std::string::npos) << lost;
  EXPECT_NE(feed("m", R"({"label": "a", "value": 2, "since": -1})").find("422"), std::string::npos);
  EXPECT_NE(feed("m", R"({"label": "a", "value": 2, "since": 3})").find(R"("answer": "applied")"), std::string::npos);
}

TEST(Partition, AKeyThatWasPlayedHasItsFirstReply) {
  Feeder feed;
  feed("m", R"({"create": {"task": "allocation", "options": ["a", "b"]}})");
  const std::string first = feed("m", R"({"play": true, "key": "k"})");
  const std::string reply = first.substr(first.find("\"reply\""));
  feed("m", R"({"receive": "k", "gradient": {"a": 1}})");
  feed("m", R"({"play": true})");
  const std::string hash = feed.partition.models().find("m")->model().hash();
  const std::string again = feed("m", R"({"play": true, "key": "k"})");
  EXPECT_EQ(again.substr(again.find("\"reply\"")), reply);
  EXPECT_NE(again.find(R"("answer": "duplicate", "round": 1)"), std::string::npos);
  EXPECT_NE(feed("m", R"({"play": true, "key": "k", "features": [1, 2]})").find("\"conflict\""), std::string::npos);
  EXPECT_EQ(feed.partition.models().find("m")->model().hash(), hash);
}

TEST(Partition, NoRecordStopsIt) {
  Feeder feed;
  feed("m", R"({"create": {"task": "binary"}})");
  const std::string hash = feed.partition.models().find("m")->model().hash();
  const std::vector<std::pair<std::string, std::string>> poison{
      {"m", ""},
      {"m", "\xff\xfe"},
      {"m", "[1"},
      {"m", "7"},
      {"m", "{}"},
      {"m", R"({"play": 7})"},
      {"m", R"({"play": true, "features": {"x": 1e300}})"},
      {"m", R"({"delete": false})"},
      {"m", R"({"delete": true, "why": 1})"},
      {"m", R"({"create": {"task": "regression"}})"},
      {"gone", R"({"play": true})"},
      {"", R"({"play": true})"},
      {"A b", R"({"play": true})"},
      {"n", R"({"create": {"task": "none"}})"},
      {"n", R"({"create": {"set": {"type": "polytope", "lp_file": "/etc/passwd"}, "learner": {"type": "auto"}}})"},
      {"n",
       R"({"create": {"set": {"type": "l2_ball", "dimension": 1000000000000, "radius": 1}, "learner": {"type": "auto"}}})"},
  };
  for (const auto& [model, value] : poison) {
    const std::string outcome = feed(model, value);
    EXPECT_NE(outcome.find("\"error\": {"), std::string::npos) << value << " " << outcome;
    EXPECT_EQ(answered_offset(outcome), feed.partition.next() - 1);
  }
  const Record tombstone{.offset = feed.partition.next(), .at_ms = 0, .key = "m"};
  EXPECT_NE(record_of(feed.partition.apply(tombstone)).json.find("no value"), std::string::npos);
  EXPECT_EQ(feed.partition.models().all().size(), 1u);
  EXPECT_EQ(feed.partition.models().find("m")->model().hash(), hash);
}

TEST(Partition, AReplyThatNoBrokerTakesIsToldInstead) {
  Feeder feed;
  feed(
      "m",
      R"({"create": {"set": {"type": "l2_ball", "dimension": 500000, "radius": 1}, "learner": {"type": "delayed_ofw", "eta": 1}}})");
  const std::string outcome = feed("m", R"({"play": true})");
  EXPECT_LT(outcome.size(), 500u);
  EXPECT_NE(outcome.find(R"("answer": "applied", "round": 1, "incarnation": 1, "error": {"status": 413)"),
            std::string::npos)
      << outcome;
}

TEST(Partition, GoesOnFromASnapshotBitForBit) {
  Feeder feed;
  feed("m", R"({"create": {"task": "binary", "features": {"capacity": 64}, "expiry": {"rounds": 20}}})");
  feed("n", R"({"create": {"task": "classes", "classes": 3, "features": {"capacity": 64}}})");
  for (int i = 0; i < 200; ++i) {
    const std::string key = "k" + std::to_string(i), before = "k" + std::to_string(i - 5);
    const std::string model = i % 2 == 0 ? "m" : "n";
    feed(model, R"({"play": true, "key": ")" + key + R"(", "features": {"x": )" + std::to_string(i % 7) +
                    R"(, "c": "w)" + std::to_string(i % 3) + R"("}})");
    const std::string other = i % 2 == 0 ? "n" : "m";
    feed(other, R"({"label": ")" + before + R"(", "value": )" +
                    (other == "m" ? std::string(i % 3 == 0 ? "true" : "false") : "\"c" + std::to_string(i % 3) + "\"") +
                    "}");
    feed("m", "poison");
  }
  for (const std::size_t cut : {std::size_t{0}, std::size_t{1}, std::size_t{100}, feed.records.size() - 1}) {
    Partition first;
    for (std::size_t at = 0; at < cut; ++at) feed.apply(first, at);
    Partition second;
    second.load(first.save());
    EXPECT_EQ(second.next(), static_cast<Offset>(cut));
    for (std::size_t at = cut; at < feed.records.size(); ++at)
      ASSERT_EQ(feed.apply(second, at), feed.apply(first, at)) << at;
    EXPECT_EQ(second.save(), feed.partition.save());
  }
}

}  // namespace
}  // namespace tarry::kafka
