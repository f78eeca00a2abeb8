#include "tarry/features/standardiser.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "tarry/base/random.h"
#include "unit/every_target.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

using Entries = std::map<Index, double>;

Entries entries_of(const std::vector<Index>& indices, const Vec& values) {
  Entries entries;
  for (std::size_t j = 0; j < indices.size(); ++j) {
    if (j > 0) {
      EXPECT_LT(indices[j - 1], indices[j]);
    }
    entries[indices[j]] = values[j];
  }
  return entries;
}

Entries prepare(Standardiser& standardiser, const RowView& row) {
  std::vector<Index> indices;
  Vec values;
  standardiser.prepare(row, indices, values);
  return entries_of(indices, values);
}

Entries prepare(Standardiser& standardiser, const Vec& row) { return prepare(standardiser, Covector::dense(row)); }

Entries view(const Standardiser& standardiser, const RowView& row) {
  std::vector<Index> indices;
  Vec values;
  standardiser.view(row, indices, values);
  return entries_of(indices, values);
}

std::string bytes(const Standardiser& standardiser) {
  ByteWriter out;
  standardiser.save(out);
  return out.take();
}

// Column by column, from all the rows so far: the definition, by two passes.
double by_definition(const std::vector<Vec>& rows, std::size_t column, bool& frequent) {
  const double n = static_cast<double>(rows.size()), now = rows.back()[column];
  bool varies = false;
  double count = 0, sum = 0, squares = 0, nonzero_squares = 0;
  for (const Vec& row : rows) {
    sum += row[column];
    if (row[column] != 0) count += 1;
    varies = varies || row[column] != rows[0][column];
    nonzero_squares += row[column] * row[column];
  }
  const double mean = sum / n;
  for (const Vec& row : rows) squares += (row[column] - mean) * (row[column] - mean);
  frequent = frequent ? count >= 0.4 * n : count > n / 2;
  if (frequent) return varies ? (now - mean) / std::sqrt(squares / n) : now == 1 ? 1 : 0;
  return now == 0 ? 0 : now / std::sqrt(nonzero_squares / count);
}

TEST(Standardiser, CentresTheFrequentAndScalesTheRare) {
  Standardiser standardiser(6);
  RandomSequence random(3);
  std::vector<Vec> rows;
  std::array<bool, 6> frequent{};
  for (int t = 0; t < 400; ++t) {
    Vec row(6, 0.0);
    row[0] = 1;                                                    // an intercept
    row[1] = 1e6 + 10 * random.gaussian();                         // always there, far from 0
    if (random.uniform() < 0.8) row[2] = -3 + random.gaussian();   // often
    if (random.uniform() < 0.1) row[3] = 500 * random.gaussian();  // a rare number
    if (random.uniform() < (t < 100 ? 0.6 : 0.1)) row[4] = 1;      // an indicator, frequent and then rare
    row[5] = t < 15 ? 0.4 : random.gaussian();                     // constant for a while
    rows.push_back(row);
    const auto entries = prepare(standardiser, row);
    for (std::size_t i = 0; i < 6; ++i) {
      const auto entry = entries.find(static_cast<Index>(i));
      ASSERT_NEAR(entry == entries.end() ? 0 : entry->second, by_definition(rows, i, frequent[i]), 1e-6)
          << "row " << t << ", " << i;
    }
  }
}

// Multiplying a feature by anything positive changes nothing, and neither does adding to one that is always there.
TEST(Standardiser, DoesNotSeeUnits) {
  Standardiser one(3), other(3);
  RandomSequence random(5);
  for (int t = 0; t < 200; ++t) {
    const Vec row = {5 + random.gaussian(), random.uniform() < 0.3 ? random.gaussian() : 0, random.gaussian()};
    const auto a = prepare(one, row), b = prepare(other, {1e-6 * row[0] + 7, 1e5 * row[1], 30 * row[2]});
    ASSERT_EQ(a.size(), b.size());
    for (const auto& [i, value] : a) ASSERT_NEAR(b.at(i), value, 1e-5) << "row " << t;
  }
}

// Values whose squares vanish count as zeros: nothing is divided by them.
TEST(Standardiser, TakesTheTiniestForNothing) {
  Standardiser standardiser(2);
  for (double tiny : {5e-324, 1e-170, 0.0, 1e-170}) EXPECT_TRUE(prepare(standardiser, {tiny, tiny}).empty());
  EXPECT_NEAR(prepare(standardiser, {0, 3}).at(1), 1, 1e-12);
}

// What is rare stays sparse: a row costs its own entries and those of the frequent features, which are few.
TEST(Standardiser, KeepsRareFeaturesSparse) {
  Standardiser standardiser(100000);
  RandomSequence random(7);
  std::vector<Index> indices;
  Vec values;
  for (int t = 0; t < 2000; ++t) {
    std::vector<Index> at = {0};
    for (Index block = 1; block <= 20; ++block) at.push_back(block * 4000 + static_cast<Index>(random.below(4000)));
    standardiser.prepare(Covector::sparse(at, Vec(at.size(), 1.0)), indices, values);
    if (t > 0) {
      ASSERT_LE(indices.size(), 2 * at.size());
    }
    if (t > 4) {
      ASSERT_EQ(indices, at);
    }
  }
}

// Between two fifths and a half of the rows a feature stays what it was.
TEST(Standardiser, ChangesItsMindOnlyPastTheOtherThreshold) {
  Standardiser standardiser(2);
  const auto is_centred = [&] { return view(standardiser, Covector::dense(Vec{0, 0})).count(1) == 1; };
  double count = 0, rows = 0;
  const auto row = [&](double x) {
    prepare(standardiser, {1, x});
    rows += 1;
    count += x;
  };
  for (int t = 0; t < 3; ++t) row(1);
  row(0);
  EXPECT_TRUE(is_centred());
  while (count >= 0.4 * (rows + 1)) {
    row(0);
    EXPECT_TRUE(is_centred()) << count << " of " << rows;
  }
  row(0);
  EXPECT_FALSE(is_centred());
  while (count + 1 <= (rows + 1) / 2) {
    row(1);
    EXPECT_FALSE(is_centred()) << count << " of " << rows;
  }
  row(1);
  EXPECT_TRUE(is_centred());
}

// A named number: mean and deviation of the rows that had it, however few; nothing where it is missing.
TEST(Standardiser, CentresNamedNumbersWhereTheyAre) {
  Standardiser standardiser(Index{1} << 40);
  RandomSequence random(11);
  constexpr Index kFar = (Index{1} << 40) - 1;
  std::map<Index, Vec> seen;
  for (int t = 0; t < 500; ++t) {
    Row row;
    row.add(0, 1, false);
    if (random.uniform() < 0.1) row.add(3, 1e6 + random.gaussian(), true);
    if (random.uniform() < 0.9) row.add(4, random.below(3) == 0 ? 0 : 5, true);  // 0 is a value like any other
    if (random.uniform() < 0.5) row.add(5, 1, true);                             // has not varied: says nothing
    if (random.uniform() < 0.3) row.add(kFar, -2 + random.gaussian(), true);
    const Entries prepared = prepare(standardiser, row);
    std::size_t entries = 1;
    for (std::size_t j = 1; j < row.indices.size(); ++j) {
      Vec& values = seen[row.indices[j]];
      values.push_back(row.values[j]);
      double mean = 0, variance = 0;
      for (double x : values) mean += x / static_cast<double>(values.size());
      for (double x : values) variance += (x - mean) * (x - mean) / static_cast<double>(values.size());
      const auto entry = prepared.find(row.indices[j]);
      const double expected = variance < 1e-12 ? 0 : (row.values[j] - mean) / std::sqrt(variance);
      ASSERT_NEAR(entry == prepared.end() ? 0 : entry->second, expected, 1e-6) << t << ", " << row.indices[j];
      if (entry != prepared.end()) ++entries;
    }
    EXPECT_EQ(prepared.at(0), 1);
    EXPECT_EQ(prepared.size(), entries);  // nothing for what is missing
    EXPECT_EQ(prepared.count(5), 0u);
  }
  EXPECT_LT(standardiser.bytes(), 10'000u);
}

TEST(Standardiser, ViewsWithoutCounting) {
  Standardiser standardiser(100);
  RandomSequence random(13);
  EXPECT_TRUE(view(standardiser, Covector::dense(Vec{1, 2})).empty());
  for (int t = 0; t < 50; ++t) prepare(standardiser, {1, random.gaussian(), random.uniform() < 0.2 ? 4.0 : 0.0});
  const std::string before = bytes(standardiser);
  Row row;
  row.add(0, 1, false);
  row.add(2, 8, false);
  row.add(7, 3, true);  // never seen
  row.add(90, 3, false);
  const Entries seen = view(standardiser, row);
  EXPECT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen.at(0), 1);
  EXPECT_EQ(seen.at(2), 2);
  EXPECT_LT(std::fabs(seen.at(1)), 1);  // 0 of a frequent feature, centred
  EXPECT_EQ(bytes(standardiser), before);
}

Row random_row(RandomSequence& random) {
  Row row;
  row.add(0, 1, false);
  for (Index i = 1; i < 200; ++i)
    if (random.uniform() < (i < 10 ? 0.45 : 0.02)) row.add(i * 1000, random.gaussian(), i % 3 == 0);
  return row;
}

// Numbers, indicators that become frequent and rare again, stored zeros and absurd values.
TEST(Standardiser, PreparesARowAsItThenViewsIt) {
  Standardiser standardiser(40);
  RandomSequence random(8);
  for (int t = 0; t < 600; ++t) {
    Row row;
    for (Index i = 0; i < 40; ++i) {
      if (random.uniform() > (i % 3 == 0 ? 0.5 + 0.5 * std::sin(t / 60.0 + static_cast<double>(i)) : 0.3)) continue;
      const bool number = i % 5 == 4;
      const double size = random.uniform() < 0.01 ? 1e9 : 1;
      row.add(i, random.uniform() < 0.1 ? 0 : i % 2 == 0 && !number ? -2 : size * random.gaussian(), number);
    }
    const Entries prepared = prepare(standardiser, row);
    ASSERT_EQ(prepared, view(standardiser, row)) << "row " << t;
  }
}

// More features than go together; numbers, frequent and rare ones, one that is always 1, zeros, and an absurd value.
TEST(Standardiser, PreparesFeaturesTogetherAsEachByItself) {
  constexpr std::size_t kFeatures = 150;
  constexpr Index kNumbers = 70;
  const auto play = [&](bool by_itself) {
    Standardiser standardiser(kFeatures);
    RandomSequence random(11);
    std::string all;
    for (int t = 0; t < 60; ++t) {
      Vec row(kFeatures);
      for (std::size_t i = 0; i < kFeatures; ++i)
        row[i] = i == 80 ? 1 : i % 3 == 0 && random.uniform() < 0.6 ? 0 : random.uniform(-3, 9);
      if (t == 40) row[5] = row[95] = 1e30;
      const RowView view_of_row(Covector::dense(row), kNumbers);
      const Entries prepared = prepare(standardiser, view_of_row);
      if (by_itself) {
        EXPECT_EQ(view(standardiser, view_of_row), prepared) << "row " << t;
        EXPECT_EQ(prepared.at(80), 1);
      }
      all += bytes(standardiser);
      for (const auto& [i, value] : prepared) all += fmt::format("{} {} ", i, value);
    }
    return all;
  };
  const std::string expected = play(true);
  on_every_target([&](const char* name) { EXPECT_TRUE(play(false) == expected) << name; });
}

TEST(Standardiser, ContinuesEqualAfterLoading) {
  Standardiser one(200000), other(200000);
  RandomSequence random(17);
  for (int t = 0; t < 300; ++t) prepare(one, random_row(random));
  const std::string saved = bytes(one);
  ByteReader in(saved);
  other.load(in);
  in.expect_end();
  EXPECT_EQ(bytes(other), saved);
  Standardiser copy = one;
  for (int t = 0; t < 300; ++t) {
    const Row row = random_row(random);
    const Entries expected = prepare(one, row);
    ASSERT_EQ(prepare(other, row), expected);
    ASSERT_EQ(prepare(copy, row), expected);
  }
  EXPECT_EQ(bytes(other), bytes(one));
}

// One absurd value spoils neither the deviation of the others nor its own row.
TEST(Standardiser, TakesAnAbsurdValueAsLess) {
  Standardiser spoilt(1), clean(1);
  RandomSequence random(4);
  for (int t = 0; t < 500; ++t) {
    const double x = 100 + random.gaussian();
    prepare(clean, Vec{x});
    const Entries entries = prepare(spoilt, Vec{t == 250 ? 1e15 : x});
    if (t == 250) {
      EXPECT_LT(entries.at(0), 30);
    }
  }
  const auto at = [](const Standardiser& standardiser, double x) {
    return view(standardiser, Covector::dense(Vec{x})).at(0);
  };
  EXPECT_NEAR(at(spoilt, 102) / at(clean, 102), 1, 0.3);
}

// A value that is larger than before, and comes again, is believed soon.
TEST(Standardiser, BelievesValuesThatComeAgain) {
  Standardiser standardiser(1);
  RandomSequence random(4);
  for (int t = 0; t < 400; ++t) prepare(standardiser, Vec{(t < 200 ? 1 : 1e12) * random.gaussian()});
  EXPECT_NEAR(view(standardiser, Covector::dense(Vec{1e12})).at(0), 1.4, 0.4);
}

TEST(Standardiser, LoadsOnlyWhatIsPossible) {
  const auto load = [](double rows, Index index, std::uint64_t count, double first, double squares) {
    ByteWriter out;
    out.f64(rows);
    out.u64(1);
    out.i64(index);
    out.u64(count);
    for (double x : {first, 0.0, squares}) out.f64(x);
    Standardiser standardiser(10);
    ByteReader in(out.bytes());
    standardiser.load(in);
  };
  load(4, 9, 3 << 13 | 1, 1, 0);
  const std::string message = "snapshot: the sizes of the features are impossible";
  EXPECT_ERROR(load(-1, 9, 1 << 13, 1, 0), Code::kCorrupt, message);
  EXPECT_ERROR(load(4.5, 9, 1 << 13, 1, 0), Code::kCorrupt, message);
  EXPECT_ERROR(load(4, 10, 1 << 13, 1, 0), Code::kCorrupt, message);
  EXPECT_ERROR(load(4, -1, 1 << 13, 1, 0), Code::kCorrupt, message);
  EXPECT_ERROR(load(4, 9, 0, 1, 0), Code::kCorrupt, message);
  EXPECT_ERROR(load(4, 9, 5 << 13, 1, 0), Code::kCorrupt, message);
  EXPECT_ERROR(load(4, 9, 1 << 13 | 1, 1, 0), Code::kCorrupt, message);
  EXPECT_ERROR(load(4, 9, 1 << 13, std::nan(""), 0), Code::kCorrupt, "snapshot: a number must be finite (nan came)");
  EXPECT_ERROR(load(4, 9, 1 << 13, 1, -1), Code::kCorrupt, message);
}

}  // namespace
}  // namespace tarry
