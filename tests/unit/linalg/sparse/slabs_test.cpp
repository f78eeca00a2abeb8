#include "tarry/linalg/sparse/slabs.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "tarry/linalg/sparse/number_slabs.h"

namespace tarry {
namespace {

struct alignas(64) Block {
  std::array<int, 16> numbers = {7};
};

TEST(Slabs, BlocksBeginAsTheyAreMadeAndStayWhereTheyAre) {
  Slabs<Block> slabs;
  std::vector<Block*> blocks;
  for (int i = 0; i < 200'000; ++i) {  // past the largest piece
    Block* block = slabs.add();
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignof(Block), 0u);
    ASSERT_EQ(block->numbers[0], 7);
    ASSERT_EQ(block->numbers[15], 0);
    block->numbers[1] = i;
    blocks.push_back(block);
  }
  Slabs<Block> moved = std::move(slabs);
  slabs = Slabs<Block>();
  slabs.add()->numbers[1] = -1;
  moved.add()->numbers[1] = -1;
  for (int i = 0; i < 200'000; ++i) ASSERT_EQ(blocks[static_cast<std::size_t>(i)]->numbers[1], i);
}

TEST(NumberSlabs, CopiesAreApart) {
  NumberSlabs one(2);
  for (std::uint32_t slot = 0; slot < 1000; ++slot) one.add(slot)[0] = slot;
  NumberSlabs other = one;
  for (std::uint32_t slot = 0; slot < 1000; ++slot) {
    ASSERT_NE(one.at(slot), other.at(slot));
    ASSERT_EQ(other.at(slot)[0], slot);
    other.at(slot)[0] += 1;
    ASSERT_EQ(one.at(slot)[0], slot);
  }
  double* room = other.add(1000);
  EXPECT_EQ(room, other.at(1000));
  one = other;
  EXPECT_EQ(one.at(999)[0], 1000);
}

}  // namespace
}  // namespace tarry
