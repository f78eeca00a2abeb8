// What an earlier version wrote into its topics (tests/golden/partition): records with their outcomes, and the state
// after all of them.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>

#include "paths.h"
#include "tarry/kafka/outcome.h"
#include "tarry/kafka/partition.h"

namespace tarry::kafka {
namespace {

struct OldRecord {
  std::string model, value, outcome;
};

std::ifstream opened(const char* name) {
  std::ifstream file(std::string(paths::kPartition) + "/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  return file;
}

std::vector<OldRecord> old_records() {
  std::vector<OldRecord> records;
  std::ifstream file = opened("outcomes.tsv");
  OldRecord record;
  while (std::getline(file, record.model, '\t') && std::getline(file, record.value, '\t') &&
         std::getline(file, record.outcome))
    records.push_back(record);
  return records;
}

TEST(OldPartition, ItsOutcomesAreReadAndWrittenAlike) {
  const std::vector<OldRecord> records = old_records();
  ASSERT_GT(records.size(), 50u);
  for (const OldRecord& record : records) EXPECT_EQ(record_of(read_outcome(record.outcome)).json, record.outcome);
}

// What was answered once is answered so again, out of a state that an earlier version saved.
TEST(OldPartition, ItsRepliesAreRemembered) {
  std::ifstream file = opened("state");
  Partition partition;
  partition.load(std::string(std::istreambuf_iterator<char>(file), {}));
  std::size_t asked = 0;
  for (const OldRecord& record : old_records()) {
    const RecordOutcome before = read_outcome(record.outcome);
    if (before.fate != hosting::Fate::kApplied || before.key.empty()) continue;
    RecordOutcome again =
        partition.apply({.offset = partition.next(), .at_ms = 5000, .key = record.model, .value = record.value});
    EXPECT_EQ(again.fate, hosting::Fate::kDuplicate) << record.outcome;
    again.offset = before.offset;
    again.arithmetic = before.arithmetic;
    again.fate = before.fate;
    EXPECT_EQ(record_of(again).json, record.outcome);
    ++asked;
  }
  EXPECT_GT(asked, 15u);
}

}  // namespace
}  // namespace tarry::kafka
