#include "tarry/linalg/sparse/lazy_heap.h"

#include <gtest/gtest.h>

#include "tarry/base/random.h"

namespace tarry {
namespace {

// Slots with keys that rise and fall as the sparse track makes them: a fall waits until its slot is at the top.
class Keys {
  auto position_of() {
    return [this](std::uint32_t s) -> std::uint32_t& { return position_[s]; };
  }

 public:
  explicit Keys(std::size_t count) : key_(count, 0), filed_(count, 0), position_(count, LazyHeap::kOut) {}

  void set(std::uint32_t slot, double key) {
    key_[slot] = key;
    if (position_[slot] != LazyHeap::kOut && key <= filed_[slot]) return;
    filed_[slot] = key;
    heap_.raise({key, static_cast<Index>(slot), slot}, position_of());
  }

  std::uint32_t best() {
    while (true) {
      const std::uint32_t slot = heap_.top().slot;
      if (key_[slot] == heap_.top().key) return slot;
      filed_[slot] = key_[slot];
      heap_.lower_top(key_[slot], position_of());
    }
  }

  void remove_best() { heap_.pop(position_of()); }
  bool is_out(std::uint32_t slot) const { return position_[slot] == LazyHeap::kOut; }
  bool empty() const { return heap_.empty(); }
  double key(std::uint32_t slot) const { return key_[slot]; }

 private:
  Vec key_, filed_;
  std::vector<std::uint32_t> position_;
  LazyHeap heap_;
};

TEST(LazyHeap, GivesTheLargestKeyTiesToTheLowestIndex) {
  constexpr std::uint32_t kSlots = 50;
  Keys keys(kSlots);
  std::vector<bool> in(kSlots, false);
  RandomSequence random(2);
  for (int step = 0; step < 20000; ++step) {
    const auto slot = static_cast<std::uint32_t>(random.below(kSlots));
    keys.set(slot, static_cast<double>(random.below(8)));  // few values: many ties
    in[slot] = true;
    std::uint32_t best = kSlots;
    for (std::uint32_t s = 0; s < kSlots; ++s)
      if (in[s] && (best == kSlots || keys.key(s) > keys.key(best))) best = s;
    ASSERT_EQ(keys.best(), best) << "step " << step;
    if (random.uniform() < 0.3) {
      keys.remove_best();
      in[best] = false;
      ASSERT_TRUE(keys.is_out(best));
      if (keys.empty()) continue;
    }
  }
}

TEST(LazyHeap, EmptiesInOrder) {
  Keys keys(100);
  for (std::uint32_t s = 0; s < 100; ++s) keys.set(s, (s * 37) % 100);
  for (int expected = 99; expected >= 0; --expected) {
    ASSERT_FALSE(keys.empty());
    EXPECT_EQ(keys.key(keys.best()), expected);
    keys.remove_best();
  }
  EXPECT_TRUE(keys.empty());
}

}  // namespace
}  // namespace tarry
