#include "tarry/data/formats/relatives_reader.h"

#include <algorithm>
#include <numeric>

#include "unit/data/files.h"
#include "unit/data/flat_rows.h"
#include "unit/data/memory_text.h"
#include "unit/expect_error.h"

namespace tarry::data {
namespace {

Dataset relatives_of(const std::string& text) {
  TextLines lines = text_lines("f", text);
  return read_relatives(lines);
}

TEST(RelativesReader, ReadsDaysWithAndWithoutHeader) {
  for (const std::string header : {"", "A,B\n"}) {
    const Dataset data = relatives_of(header + "1,2\n0.5,1.25\r\n");
    EXPECT_EQ(data.dimension, 2);
    EXPECT_EQ(flat(data).values, (Vec{1, 2, 0.5, 1.25}));
    EXPECT_EQ(flat(data).indices, (std::vector<Index>{0, 1, 0, 1}));
    EXPECT_EQ(data.labels, (Vec{0, 0}));
    EXPECT_FALSE(data.has_times());
  }
}

TEST(RelativesReader, NamesTheLineOfWhatIsWrong) {
  EXPECT_ERROR(relatives_of(""), Code::kBadInput, "f: is empty");
  EXPECT_ERROR(relatives_of("A,B\n"), Code::kBadInput, "f: has no rows after its header");
  EXPECT_ERROR(relatives_of("A,B\n1,1\n1,x\n"), Code::kBadInput, "f: line 3: B must be a number (\"x\" came)");
  EXPECT_ERROR(relatives_of("1,1\n1,0\n"), Code::kBadInput, "f: line 2: column 2 must be positive (\"0\" came)");
  EXPECT_ERROR(relatives_of("1,x\n"), Code::kBadInput, "f: line 1: column 2 must be a number (\"x\" came)");
  EXPECT_ERROR(relatives_of("A,B\n1,1\n1\n"), Code::kBadInput, "f: line 3: has 1 cells, but the first line has 2");
}

TEST(RelativesReader, GivesTheKnownWealthOnTheNewYorkStockExchange) {
  REAL_DATA_OR_SKIP(path, "portfolio/relatives_nyse_o.csv");
  TextLines lines(path);
  const Dataset data = read_relatives(lines);
  ASSERT_EQ(data.rows(), 5651u);
  ASSERT_EQ(data.dimension, 36);
  double rebalanced = 1;
  Vec held(36, 1.0);
  for (std::size_t day = 0; day < data.rows(); ++day) {
    const auto relatives = data.features(day).values();
    ASSERT_EQ(relatives.size(), 36u);
    rebalanced *= std::accumulate(relatives.begin(), relatives.end(), 0.0) / 36;
    for (std::size_t i = 0; i < 36; ++i) held[i] *= relatives[i];
  }
  EXPECT_NEAR(rebalanced, 27.08, 0.005);
  EXPECT_NEAR(*std::max_element(held.begin(), held.end()), 54.14, 0.005);
}

}  // namespace
}  // namespace tarry::data
