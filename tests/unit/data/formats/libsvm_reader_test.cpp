#include "tarry/data/formats/libsvm_reader.h"

#include <algorithm>

#include "tarry/spec/json.h"
#include "unit/data/files.h"
#include "unit/data/flat_rows.h"
#include "unit/data/memory_text.h"
#include "unit/expect_error.h"

namespace tarry::data {
namespace {

LibsvmOptions options_of_libsvm(const std::string& json) {
  const spec::Value value = spec::parse_json(json);
  return libsvm_options(spec::Node(value, "libsvm"));
}

Dataset libsvm_of(const std::string& text, const std::string& options = R"({"intercept": false})") {
  TextLines lines = text_lines("f", text);
  return read_libsvm(lines, options_of_libsvm(options));
}

TEST(LibsvmReader, ReadsRows) {
  const Dataset data = libsvm_of("-1 1:0.5 3:2 \r\n+1\t2:-1e3 # a comment\n\n# another\n0\n");
  EXPECT_EQ(data.dimension, 3);
  EXPECT_EQ(data.labels, (Vec{-1, 1, 0}));
  EXPECT_EQ(flat(data).begin, (std::vector<std::size_t>{0, 2, 3, 3}));
  EXPECT_EQ(flat(data).indices, (std::vector<Index>{0, 2, 1}));
  EXPECT_EQ(flat(data).values, (Vec{0.5, 2, -1000}));
}

TEST(LibsvmReader, ReadsFeaturesHoweverTheyAreWritten) {
  const Dataset data = libsvm_of("1 1:1 2:-0.25  3:-0 4:1e2\t5:+3 7:1234567890.1234567890 1234567890:2 1234567891:1\n");
  EXPECT_EQ(flat(data).indices, (std::vector<Index>{0, 1, 3, 4, 6, 1234567889, 1234567890}));
  EXPECT_EQ(flat(data).values, (Vec{1, -0.25, 100, 3, 1234567890.123456789, 2, 1}));
}

TEST(LibsvmReader, NamesTheLineOfAMistakeFarIntoTheText) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "1 1:1 2:0.5\n";  // several blocks of reading
  for (const auto& [row, said] : {std::pair{"1 2:1 2:1", "indices must ascend (2 after 2)"},
                                  std::pair{"1 2:1 x:1", "a feature must be index:value (\"x:1\" came)"},
                                  std::pair{"1 2:1 3:1:1", "a value must be a number (\"1:1\" came)"},
                                  std::pair{"1 0:1", "an index must be from 1 to 2^40 (\"0:1\" came)"},
                                  std::pair{"1 9:1", "an index must be at most the dimension, 8 (9 came)"}})
    EXPECT_ERROR(libsvm_of(text + row + "\n" + text, R"({"dimension": 8})"), Code::kBadInput,
                 std::string("f: line 20001: ") + said);
}

TEST(LibsvmReader, PutsTheInterceptBehindTheDimension) {
  const Dataset data = libsvm_of("2.5 1:1\n-3 2:1\n", R"({"dimension": 10})");
  EXPECT_EQ(data.dimension, 11);
  EXPECT_EQ(flat(data).indices, (std::vector<Index>{0, 10, 1, 10}));
  EXPECT_EQ(flat(data).values, (Vec{1, 1, 1, 1}));
  EXPECT_EQ(data.labels, (Vec{2.5, -3}));
}

TEST(LibsvmReader, ShufflesBySeedAndThenCuts) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += std::to_string(i) + " 1:" + std::to_string(i + 1) + "\n";
  const Dataset once = libsvm_of(text, R"({"shuffle": 7})"), again = libsvm_of(text, R"({"shuffle": 7})");
  EXPECT_EQ(once.labels, again.labels);
  EXPECT_NE(once.labels, libsvm_of(text, R"({"shuffle": 8})").labels);
  for (std::size_t row = 0; row < once.rows(); ++row) EXPECT_EQ(once.features(row).values()[0], once.labels[row] + 1);
  Vec sorted = once.labels;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, libsvm_of(text).labels);
  EXPECT_EQ(libsvm_of(text, R"({"shuffle": 7, "limit": 5})").labels, Vec(once.labels.begin(), once.labels.begin() + 5));
  EXPECT_EQ(libsvm_of(text, R"({"limit": 5})").labels, (Vec{0, 1, 2, 3, 4}));
}

TEST(LibsvmReader, ShufflesEveryRowToEveryPlace) {
  constexpr int kSeeds = 6000;
  int counts[3][3] = {};
  for (int seed = 0; seed < kSeeds; ++seed) {
    const auto rows = shuffled(3, static_cast<std::uint64_t>(seed));
    for (std::size_t i = 0; i < 3; ++i) ++counts[i][rows[i]];
  }
  for (const auto& place : counts)
    for (const int count : place) EXPECT_NEAR(count, kSeeds / 3, 200);
}

TEST(LibsvmReader, NamesTheLineOfWhatIsWrong) {
  EXPECT_ERROR(libsvm_of(""), Code::kBadInput, "f: has no rows");
  EXPECT_ERROR(libsvm_of("# only a comment\n"), Code::kBadInput, "f: has no rows");
  EXPECT_ERROR(libsvm_of("1\n2\n"), Code::kBadInput, "f: has no features");
  EXPECT_ERROR(libsvm_of("1 1:1\nx 1:1\n"), Code::kBadInput, "f: line 2: the label must be a number (\"x\" came)");
  EXPECT_ERROR(libsvm_of("1 1:1\n1 1\n"), Code::kBadInput, "f: line 2: a feature must be index:value (\"1\" came)");
  EXPECT_ERROR(libsvm_of("1 a:1\n"), Code::kBadInput, "f: line 1: a feature must be index:value (\"a:1\" came)");
  EXPECT_ERROR(libsvm_of("1 1:1\n1 0:1\n"), Code::kBadInput,
               "f: line 2: an index must be from 1 to 2^40 (\"0:1\" came)");
  EXPECT_ERROR(libsvm_of("1 2:1 2:1\n"), Code::kBadInput, "f: line 1: indices must ascend (2 after 2)");
  EXPECT_ERROR(libsvm_of("1 2:x\n"), Code::kBadInput, "f: line 1: a value must be a number (\"x\" came)");
  EXPECT_ERROR(libsvm_of("1 2:inf\n"), Code::kBadInput, "f: line 1: a value must be a finite number (\"inf\" came)");
  EXPECT_ERROR(libsvm_of("1 1:1\n1 4:1\n", R"({"dimension": 3})"), Code::kBadInput,
               "f: line 2: an index must be at most the dimension, 3 (4 came)");
}

TEST(LibsvmReader, NamesTheLineOfALabelThatTheLossRefuses) {
  TextLines lines = text_lines("f", "1 1:1\n2 1:1\n");
  LibsvmOptions options;
  options.as_label = [](const LabelValue& given) {
    const double label = std::get<double>(given);
    if (label > 1) throw Error(Code::kBadInput, "label must be small");
    return -label;
  };
  EXPECT_ERROR(read_libsvm(lines, options), Code::kBadInput, "f: line 2: label must be small");
  options.limit = 1;
  TextLines again = text_lines("f", "1 1:1\n2 1:1\n");
  EXPECT_EQ(read_libsvm(again, options).labels, (Vec{-1}));
}

TEST(LibsvmReader, ReadsA9a) {
  REAL_DATA_OR_SKIP(path, "libsvm/a9a");
  TextLines lines(path);
  const Dataset data = read_libsvm(lines, options_of_libsvm(R"({"intercept": false})"));
  EXPECT_EQ(data.rows(), 32561u);
  EXPECT_EQ(data.dimension, 123);
  EXPECT_EQ(flat(data).values.size(), 451592u);
  EXPECT_EQ(std::count(data.labels.begin(), data.labels.end(), 1.0), 7841);
}

}  // namespace
}  // namespace tarry::data
