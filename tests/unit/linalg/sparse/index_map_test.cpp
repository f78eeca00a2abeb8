#include "tarry/linalg/sparse/index_map.h"

#include <gtest/gtest.h>

#include <unordered_map>

#include "tarry/base/random.h"

namespace tarry {
namespace {

TEST(IndexMap, FindsWhatWasInsertedAndNothingElse) {
  IndexMap map;
  std::unordered_map<Index, std::uint32_t> expected;
  RandomSequence random(1);
  for (std::uint32_t slot = 0; slot < 20000; ++slot) {
    const auto key = static_cast<Index>(random.below(std::uint64_t{1} << (slot % 2 == 0 ? 40 : 15)));
    const auto known = expected.find(key);
    ASSERT_EQ(map.find(key), known == expected.end() ? IndexMap::kAbsent : known->second);
    const auto [kept, is_new] = expected.try_emplace(key, slot);
    ASSERT_EQ(map.find_or_insert(key, slot), kept->second);
  }
  EXPECT_EQ(map.size(), expected.size());
  for (const auto& [key, slot] : expected) ASSERT_EQ(map.find(key), slot);
}

TEST(IndexMap, SurvivesKeysThatCollide) {
  IndexMap map;
  for (Index k = 0; k < 1000; ++k) map.find_or_insert(k << 30, static_cast<std::uint32_t>(k));
  for (Index k = 0; k < 1000; ++k) {
    EXPECT_EQ(map.find(k << 30), static_cast<std::uint32_t>(k));
    EXPECT_EQ(map.find((k << 30) + 1), IndexMap::kAbsent);
  }
}

}  // namespace
}  // namespace tarry
