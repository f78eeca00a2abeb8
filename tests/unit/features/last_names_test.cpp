#include "tarry/features/last_names.h"

#include <gtest/gtest.h>

#include <limits>

#include "tarry/base/random.h"
#include "tarry/features/encoder.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

std::string bytes_of(const Encoder& encoder) {
  ByteWriter out;
  encoder.save(out);
  return out.take();
}

// The row that an encoder in this state gives which has seen no row yet.
Row encoded_afresh(const Encoder& encoder, const NamedFeatures& features) {
  Encoder other(encoder.spec());
  const std::string state = bytes_of(encoder);
  ByteReader in(state);
  other.load(in);
  Row row;
  other.encode(features, row);
  return row;
}

NamedFeatures drawn(RandomSequence& random) {
  static const char* const kNames[] = {"a", "bb", "a b", "b", "", "a name that is longer than a short string"};
  NamedFeatures features;
  for (const char* name : kNames)
    if (*name != '\0' && random.below(4) > 0) features.push_back({name, random.uniform()});
  if (random.below(4) == 0 && features.size() > 1) std::swap(features[0], features[1]);
  if (random.below(8) == 0 && !features.empty()) features.back().value = std::string("word");
  if (random.below(8) == 0 && !features.empty()) features.back().value = std::monostate{};
  return features;
}

TEST(LastNames, RowsAreWhatTheyAreWithoutIt) {
  for (const Index capacity : {Index{3}, Index{100}})
    for (const bool intercept : {true, false}) {
      Encoder encoder(FeatureSpec{.capacity = capacity, .intercept = intercept, .interactions = {}});
      RandomSequence random(7, 1);
      for (int i = 0; i < 300; ++i) {
        const NamedFeatures features = drawn(random);
        const Row afresh = encoded_afresh(encoder, features);
        Row row, seen;
        encoder.preview(features, row);
        EXPECT_EQ(row.values, afresh.values);
        encoder.encode(features, row);
        EXPECT_EQ(row, afresh);
        if (capacity == 100) {
          encoder.look_up(features, seen);
          EXPECT_EQ(seen, row);
        }
      }
    }
}

TEST(LastNames, NamesWithAnIdAreNotComparedAgain) {
  Encoder encoder(FeatureSpec{.capacity = 10, .interactions = {}});
  const NamesId names = new_names_id(), others = new_names_id();
  EXPECT_NE(names, others);
  Row row;
  encoder.encode({{"a", 1.0}, {"b", 2.0}}, row, names);  // the names are learnt
  encoder.encode({{"a", 3.0}, {"b", 4.0}}, row, names);  // and now by their id
  encoder.encode({{"x", 5.0}, {"y", 6.0}}, row, names);  // so that nobody sees these
  EXPECT_EQ(row.indices, (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(row.values, (Vec{1, 5, 6}));
  encoder.encode({{"b", 7.0}, {"a", 8.0}}, row, others);
  EXPECT_EQ(row.values, (Vec{1, 8, 7}));
  encoder.encode({{"a", 9.0}, {"c", 1.0}}, row, names);  // what was known of the id is forgotten with its names
  EXPECT_EQ(row.indices, (std::vector<Index>{0, 1, 3}));
}

TEST(LastNames, RefusesWhatIsRefusedWithoutIt) {
  Encoder encoder(FeatureSpec{});
  Row row;
  encoder.encode({{"a", 1.0}, {"b", 2.0}}, row);
  encoder.encode({{"a", 3.0}, {"b", 4.0}}, row);
  EXPECT_EQ(row.values, (Vec{1, 3, 4}));
  EXPECT_ERROR(encoder.encode({{"a", 1.0}, {"a", 2.0}}, row), Code::kBadInput, "features.a is given twice");
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_ERROR(encoder.encode({{"a", 1.0}, {"b", infinite}}, row), Code::kBadInput,
               "features.b must be finite and at most 1e100 in size (inf came)");
}

}  // namespace
}  // namespace tarry
