#include "tarry/data/formats/sparse_rows.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tarry::data {
namespace {

using SparseEntries = std::vector<std::pair<Index, double>>;

void add_sparse_row(SparseRows& rows, const SparseEntries& entries) {
  for (const auto& [index, value] : entries) rows.add(index, value);
  rows.end_row();
}

SparseEntries entries_of(const SparseRows& rows, std::size_t row) {
  SparseEntries entries;
  rows[row].each([&](Index index, double value) { entries.emplace_back(index, value); });
  return entries;
}

TEST(SparseRows, AreWhatWasAdded) {
  const std::vector<SparseEntries> all = {{{0, 1}, {3, 1}}, {{0, 1}, {3, 1}}, {{0, 2}, {3, 1}},        {{0, 2}}, {},
                                          {{3, 1}},         {{0, 1}, {3, 1}}, {{3, 1}, {5, 1}, {6, 1}}};
  SparseRows rows;
  for (const SparseEntries& entries : all) add_sparse_row(rows, entries);
  ASSERT_EQ(rows.size(), all.size());
  for (std::size_t row = 0; row < all.size(); ++row) EXPECT_EQ(entries_of(rows, row), all[row]) << row;
}

TEST(SparseRows, TellZerosOfBothSignsApart) {
  SparseRows rows;
  add_sparse_row(rows, {{0, 0.0}});
  add_sparse_row(rows, {{0, -0.0}});
  EXPECT_FALSE(std::signbit(rows[0].values()[0]));
  EXPECT_TRUE(std::signbit(rows[1].values()[0]));
}

TEST(SparseRows, KeepTheColumnsOfATableOnce) {
  SparseRows rows;
  for (int row = 0; row < 1000; ++row) add_sparse_row(rows, {{0, row + 0.5}, {1, row + 0.25}, {7, 1.0}});
  EXPECT_EQ(rows.kept(), 3u + 3000);
}

TEST(SparseRows, KeepTheOnesOfWordsOnce) {
  SparseRows rows;
  for (Index row = 1; row <= 1000; ++row) add_sparse_row(rows, {{row, 1.0}, {row + 5, 1.0}, {row + 9, 1.0}});
  add_sparse_row(rows, {{3, 1.0}});
  EXPECT_EQ(rows.kept(), 3001u + 3);
}

TEST(SparseRows, StayTheSameWhenRoomIsMade) {
  SparseRows rows;
  for (Index row = 0; row < 500; ++row) {
    add_sparse_row(rows, {{row, 1.0}, {row + 1, static_cast<double>(row)}});
    if (row == 99) rows.make_room(0.1);
  }
  for (Index row = 0; row < 500; ++row)
    EXPECT_EQ(entries_of(rows, static_cast<std::size_t>(row)),
              (SparseEntries{{row, 1.0}, {row + 1, static_cast<double>(row)}}));
}

TEST(SparseRows, ForgetTheRowUnderWay) {
  SparseRows rows;
  add_sparse_row(rows, {{0, 1}, {1, 2}});
  rows.add(5, 5);
  rows.add(2, 6);
  EXPECT_EQ(rows.open_indices()[1], 2);
  EXPECT_EQ(rows.open_values()[0], 5);
  rows.clear_open();
  rows.add(2, 6);
  rows.end_row();
  EXPECT_EQ(entries_of(rows, 0), (SparseEntries{{0, 1}, {1, 2}}));
  EXPECT_EQ(entries_of(rows, 1), (SparseEntries{{2, 6}}));
}

}  // namespace
}  // namespace tarry::data
