#include "tarry/base/shared_map.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <thread>

#include "tarry/base/random.h"
#include "tarry/base/shared.h"

namespace tarry {
namespace {

using Value = std::shared_ptr<const int>;
using Naive = std::map<std::uint64_t, int>;

Naive contents(const SharedMap<Value>& map) {
  Naive all;
  map.each([&](std::uint64_t key, const Value& value) {
    EXPECT_TRUE(all.empty() || all.rbegin()->first < key);
    all.emplace_hint(all.end(), key, *value);
  });
  EXPECT_EQ(map.size(), all.size());
  return all;
}

// Keys as they come: dense, far apart, at both ends of what a number can be.
std::uint64_t key_of(std::uint64_t draw) {
  const std::uint64_t x = draw >> 8;
  switch (draw % 4) {
    case 0:
      return x % 100;
    case 1:
      return 5000 + x % 2000;
    case 2:
      return (x % 40) << 40;
    default:
      return ~std::uint64_t{0} - x % 50;
  }
}

void expect_neighbours(const SharedMap<Value>& map, const Naive& naive, std::uint64_t key) {
  const auto at_or_after = naive.lower_bound(key);
  const auto after = naive.upper_bound(key);
  const auto found_after = map.at_or_after(key), found_before = map.at_or_before(key);
  ASSERT_EQ(static_cast<bool>(found_after), at_or_after != naive.end()) << key;
  if (found_after) {
    EXPECT_EQ(found_after.key, at_or_after->first) << key;
  }
  ASSERT_EQ(static_cast<bool>(found_before), after != naive.begin()) << key;
  if (found_before) {
    EXPECT_EQ(found_before.key, std::prev(after)->first) << key;
  }
  ASSERT_EQ(map.contains(key), naive.contains(key)) << key;
  if (map.contains(key)) {
    EXPECT_EQ(**map.find(key), naive.at(key)) << key;
  }
}

TEST(SharedMap, IsAnOrderedMapAndItsCopiesStayAsTheyWere) {
  SharedMap<Value> map;
  Naive naive;
  std::vector<std::pair<SharedMap<Value>, Naive>> copies;
  for (std::uint64_t step = 0; step < 20'000; ++step) {
    const std::uint64_t draw = split_stream(7, step);
    const std::uint64_t key = key_of(draw);
    const int value = static_cast<int>(step);
    if (step / 3000 % 2 == 0 ? draw >> 60 != 0 : draw >> 60 < 4) {
      map.set(key, std::make_shared<const int>(value));
      naive[key] = value;
    } else {
      ASSERT_EQ(map.erase(key), naive.erase(key) == 1);
    }
    ASSERT_EQ(map.size(), naive.size());
    expect_neighbours(map, naive, key_of(split_stream(8, step)));
    ASSERT_EQ(static_cast<bool>(map.first()), !naive.empty());
    if (!naive.empty()) {
      ASSERT_EQ(map.first().key, naive.begin()->first);
      ASSERT_EQ(map.last().key, naive.rbegin()->first);
    }
    if (step % 500 == 0) copies.emplace_back(map, naive);
    if (step % 1700 == 0 && copies.size() > 2) copies.erase(copies.begin() + 1);
  }
  EXPECT_EQ(contents(map), naive);
  for (const auto& [copy, was] : copies) EXPECT_EQ(contents(copy), was);
  while (!naive.empty()) {
    map.erase(naive.begin()->first);
    naive.erase(naive.begin());
  }
  EXPECT_FALSE(map.first());
  EXPECT_FALSE(map.at_or_before(7));
  for (const auto& [copy, was] : copies) EXPECT_EQ(contents(copy), was);
}

// Few keys that move on, as rounds that wait do: none is near 0, and others are asked for on both sides of them.
TEST(SharedMap, FindsTheNeighboursOfFewKeysFarFromZero) {
  for (const std::uint64_t begin :
       {std::uint64_t{31}, std::uint64_t{1000}, std::uint64_t{1} << 60, ~std::uint64_t{0} - 90}) {
    SharedMap<Value> map;
    Naive naive;
    for (std::uint64_t key = begin; key < begin + 80; ++key) {
      map.set(key, std::make_shared<const int>(static_cast<int>(key % 100)));
      naive[key] = static_cast<int>(key % 100);
      const std::uint64_t old = key - key % 3;
      if (key % 7 != 0) {
        ASSERT_EQ(map.erase(old), naive.erase(old) == 1);
      }
      ASSERT_EQ(contents(map), naive);
      for (const std::uint64_t asked : {std::uint64_t{0}, begin - 30, key - 1, key + 1, key + 9, ~std::uint64_t{0}})
        expect_neighbours(map, naive, asked);
    }
    map.set(2, std::make_shared<const int>(2));
    naive[2] = 2;
    ASSERT_EQ(contents(map), naive);
  }
}

TEST(SharedMap, LetsGoOfWhatNobodyHoldsAnyLonger) {
  const auto one = std::make_shared<const int>(1);
  {
    SharedMap<Value> map;
    for (std::uint64_t key = 0; key < 3000; ++key) map.set(key * key, one);
    SharedMap<Value> copy = map;
    for (std::uint64_t key = 0; key < 3000; key += 2) copy.erase(key * key);
    EXPECT_EQ(map.size(), 3000u);
    copy = map;
    map = {};
    EXPECT_EQ(one.use_count(), 3001);
  }
  EXPECT_EQ(one.use_count(), 1);
}

TEST(SharedMap, AValueIsEditedInOneCopyAlone) {
  SharedMap<Shared<std::string>> map;
  for (std::uint64_t key = 0; key < 100; ++key) map.set(key, Shared<std::string>("a"));
  SharedMap<Shared<std::string>> copy = map;
  map.edit(70)->own() += "b";
  map.edit(70)->own() += "c";
  EXPECT_EQ(**map.find(70), "abc");
  EXPECT_EQ(**copy.find(70), "a");
  EXPECT_EQ(map.edit(100), nullptr);
}

// What a snapshot does: the owner goes on while another thread reads a copy, and lets go of it in the end.
TEST(SharedMap, ACopyIsReadByAnotherThreadWhileTheOwnerGoesOn) {
  SharedMap<Value> map;
  std::uint64_t next = 0, oldest = 0;
  const auto go_on = [&] {
    map.set(next, std::make_shared<const int>(static_cast<int>(next)));
    ++next;
    if (next % 3 != 0) map.erase(oldest++);
  };
  for (; next < 20'000; ++next) map.set(next, std::make_shared<const int>(static_cast<int>(next)));
  for (int round = 0; round < 8; ++round) {
    std::atomic<bool> done = false;
    const std::uint64_t first = oldest, last = next - 1;
    std::thread reader([&, copy = map]() mutable {
      std::uint64_t expected = first;
      copy.each([&](std::uint64_t key, const Value& value) {
        EXPECT_EQ(key, expected++);
        EXPECT_EQ(static_cast<std::uint64_t>(*value), key);
      });
      EXPECT_EQ(expected, last + 1);
      copy = {};
      done = true;
    });
    while (!done) go_on();
    reader.join();
  }
}

}  // namespace
}  // namespace tarry
