// Challengers in a partition: the same fold, from records.
#include <gtest/gtest.h>

#include "tarry/kafka/partition.h"

namespace tarry::kafka {
namespace {

struct Fed {
  Partition partition;
  std::vector<std::string> records = {};

  RecordOutcome operator()(const std::string& value) {
    records.push_back(value);
    return apply(partition, records.size() - 1);
  }
  RecordOutcome apply(Partition& to, std::size_t at) const {
    return to.apply({.offset = static_cast<Offset>(at), .at_ms = 1000, .key = "m", .value = records[at]});
  }
  const hosting::HostedModel& model() const { return *partition.models().find("m"); }
};

TEST(PartitionChallengers, ArePromotedAndFoldToTheSameState) {
  Fed fed;
  fed(R"({"create": {"task": "regression", "features": {"capacity": 8}}})");
  const auto rounds = [&](int from, int to) {
    for (int i = from; i < to; ++i) {
      fed(R"({"play": true, "key": "k)" + std::to_string(i) + R"(", "features": {"x": )" + std::to_string(i % 7) +
          "}}");
      fed(R"({"label": "k)" + std::to_string(i) + R"(", "value": )" + std::to_string(i % 5) + "}");
    }
  };
  rounds(0, 5);
  fed(R"({"play": true, "key": "open", "features": {"x": 1}})");
  EXPECT_EQ(fed(R"({"challenge": "plain", "with": {"products": false}})").fate, hosting::Fate::kApplied);
  EXPECT_EQ(fed(R"({"challenge": "plain", "with": {"products": false}})").fate, hosting::Fate::kDuplicate);
  EXPECT_EQ(fed(R"({"challenge": "plain", "with": {"bends": false}})").rejection->kind(),
            hosting::Rejection::kConflict);
  EXPECT_EQ(fed(R"({"challenge": "x"})").fate, std::nullopt);
  EXPECT_EQ(fed(R"({"promote": "nobody"})").rejection->code(), "no_such_challenger");
  EXPECT_EQ(fed(R"({"dismiss": "nobody"})").rejection->code(), "no_such_challenger");
  rounds(5, 40);
  EXPECT_EQ(fed(R"({"promote": "plain"})").fate, hosting::Fate::kApplied);
  EXPECT_EQ(fed(R"({"promote": "plain"})").fate, hosting::Fate::kDuplicate);
  EXPECT_EQ(fed.model().champion(), "plain");
  EXPECT_GE(fed(R"({"label": "open", "value": 2})").loss.value(), 0);  // as the model said that had decided it
  EXPECT_EQ(fed(R"({"create": {"task": "regression", "features": {"capacity": 8}}})").fate, hosting::Fate::kDuplicate);
  rounds(40, 60);
  EXPECT_EQ(fed(R"({"dismiss": "original"})").fate, hosting::Fate::kApplied);
  const std::string state = fed.partition.save();
  Partition again, loaded;
  for (std::size_t at = 0; at < fed.records.size(); ++at) {
    const std::string one = record_of(fed.apply(again, at)).json;
    if (at == 60) loaded.load(again.save());
    if (at <= 60) continue;
    EXPECT_EQ(record_of(fed.apply(loaded, at)).json, one);
  }
  EXPECT_TRUE(again.save() == state);
  EXPECT_TRUE(loaded.save() == state);
}

}  // namespace
}  // namespace tarry::kafka
