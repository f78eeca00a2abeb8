// The slots that new words take, and the order of a row's entries, whatever order the words come in.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tarry/base/random.h"
#include "tarry/features/encoder.h"
#include "tarry/spec/json.h"

namespace tarry {
namespace {

Encoder made_encoder(const std::string& json) {
  const spec::Value value = spec::parse_json(json);
  return Encoder(FeatureSpec::read(spec::Node(value, "features")));
}

Row encoded(Encoder& encoder, const NamedFeatures& features) {
  Row row;
  encoder.encode(features, row);
  return row;
}

Row looked_up(const Encoder& encoder, const NamedFeatures& features) {
  Row row;
  encoder.look_up(features, row);
  return row;
}

TEST(EncoderSlots, NewOnesTakeSlotsInTheOrderOfNamesThenWords) {
  const std::vector<std::string> sorted{std::string("\0", 1),
                                        "a",
                                        std::string("a\0", 2),
                                        "a\x01",
                                        "abcdefg",
                                        "abcdefgh",
                                        "abcdefghi",
                                        "abcdefgi",
                                        "b",
                                        "\x7f",
                                        "\xc3\xa9"};
  const std::vector<std::string> names{"n", "n2", "name"};
  RandomSequence random(1);
  const auto shuffle = [&](auto& x) {
    for (std::size_t i = x.size(); i > 1; --i) std::swap(x[i - 1], x[random.below(i)]);
  };
  for (int t = 0; t < 20; ++t) {
    Encoder encoder = made_encoder(R"({"intercept": false})");
    NamedFeatures row;
    for (const std::string& name : names) {
      std::vector<std::string> words = sorted;
      shuffle(words);
      row.push_back({name, words});
    }
    shuffle(row);
    encoded(encoder, row);
    for (std::size_t n = 0; n < names.size(); ++n)
      for (std::size_t k = 0; k < sorted.size(); ++k)
        ASSERT_EQ(looked_up(encoder, {{names[n], sorted[k]}}).indices,
                  std::vector<Index>{static_cast<Index>(n * sorted.size() + k)});
  }
}

TEST(EncoderSlots, RowsOfAnyLengthAscend) {
  for (const bool intercept : {false, true}) {
    Encoder encoder = made_encoder(intercept ? "{}" : R"({"intercept": false})");
    const Index first = intercept ? 1 : 0;
    std::vector<int> all(200);
    for (int k = 0; k < 200; ++k) encoded(encoder, {{"w", std::to_string(all[static_cast<std::size_t>(k)] = k)}});
    RandomSequence random(1);
    for (std::size_t size = 0; size < 140; ++size) {
      for (std::size_t i = 0; i < size; ++i) std::swap(all[i], all[i + random.below(all.size() - i)]);
      const std::vector<int> some(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size));
      std::vector<std::string> words;
      std::set<Index> slots;
      if (intercept) slots.insert(0);
      for (const int k : some) {
        words.push_back(std::to_string(k));
        slots.insert(k + first);
      }
      Row expected;
      for (const Index slot : slots) expected.add(slot, 1, false);
      ASSERT_EQ(encoded(encoder, {{"w", words}}), expected) << size;
      if (size == 0) continue;
      words.push_back(words[random.below(size)]);
      ASSERT_EQ(encoded(encoder, {{"w", words}}), expected) << "one word twice";
    }
  }
}

}  // namespace
}  // namespace tarry
