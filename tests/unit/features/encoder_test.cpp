#include "tarry/features/encoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "tarry/base/random.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

using Words = std::vector<std::string>;

NamedFeatures features_of(const std::string& json) { return read_named(spec::parse_json(json)); }

Encoder make(const std::string& json = "{}") {
  const spec::Value value = spec::parse_json(json);
  return Encoder(FeatureSpec::read(spec::Node(value, "features")));
}

// The row by display names: "age:31 city=Paris", named numbers with a #.
std::string text(const Encoder& encoder, const Row& row) {
  std::string out;
  for (std::size_t j = 0; j < row.indices.size(); ++j) {
    if (j > 0) {
      EXPECT_LT(row.indices[j - 1], row.indices[j]);
      out += "  ";
    }
    out += encoder.name_of(row.indices[j]) + (row.number[j] ? "#" : "") + ": ";
    spec::append_json(out, row.values[j]);
  }
  return out;
}

Row encode(Encoder& encoder, const NamedFeatures& features) {
  Row row;
  encoder.encode(features, row);
  return row;
}

Row look_up(const Encoder& encoder, const NamedFeatures& features) {
  Row row;
  encoder.look_up(features, row);
  return row;
}

std::string bytes(const Encoder& encoder) {
  ByteWriter out;
  encoder.save(out);
  return out.take();
}

TEST(Encoder, NumbersAreThemselvesAndWordsIndicators) {
  Encoder encoder = make();
  const Row row =
      encode(encoder, features_of(R"({"tags": ["b", "a", "b"], "new": true, "city": "Paris", "age": 0, "x": null})"));
  EXPECT_EQ(text(encoder, row), "(intercept): 1  age#: 0  city=Paris: 1  new=true: 1  tags=a: 1  tags=b: 1");
  EXPECT_EQ(row.indices, (std::vector<Index>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(encoder.vocabulary().size(), 6);
  EXPECT_EQ(encoder.name_of(6), "(free)");
}

TEST(Encoder, TrueIsTheWordTrue) {
  Encoder encoder = make();
  EXPECT_EQ(encode(encoder, {{"a", true}}), encode(encoder, {{"a", std::string("true")}}));
  EXPECT_NE(encode(encoder, {{"a", false}}), encode(encoder, {{"a", true}}));
}

TEST(Encoder, ANameCanBeANumberAndAWord) {
  Encoder encoder = make(R"({"intercept": false})");
  EXPECT_EQ(text(encoder, encode(encoder, features_of(R"({"a": 3})"))), "a#: 3");
  EXPECT_EQ(text(encoder, encode(encoder, features_of(R"({"a": "3"})"))), "a=3: 1");
  EXPECT_EQ(encoder.vocabulary().size(), 2);
}

// What could be confused if names and words were only put together.
TEST(Encoder, TellsAlikeLookingFeaturesApart) {
  Encoder encoder = make(R"({"interactions": "pairs"})");
  const std::vector<NamedFeatures> rows = {{{"a=b", std::string("c")}},
                                           {{"a", std::string("b=c")}},
                                           {{"a=b=c", 1.0}},
                                           {{"a=b", 1.0}},
                                           {{"a", std::string("b")}},
                                           {{"a", std::string("")}},
                                           {{"a=", 1.0}},
                                           {{"a", 1.0}},
                                           {{"ab", std::string("c")}},
                                           {{"a", std::string("bc")}},
                                           {{"abc", std::string("")}},
                                           {{"abc", 1.0}},
                                           {{std::string("a\0", 2), 1.0}},
                                           {{"a", std::string("\0", 1)}},
                                           {{"a", std::string("\0\0", 2)}},
                                           {{"a × b", 1.0}},
                                           {{"(intercept)", 1.0}},
                                           {{"true", 1.0}},
                                           {{"a", Words{"b,c"}}}};
  std::set<Index> slots = {0};
  for (const NamedFeatures& row : rows) {
    const Row encoded = encode(encoder, row);
    ASSERT_EQ(encoded.indices.size(), 2u);
    EXPECT_TRUE(slots.insert(encoded.indices[1]).second) << to_json(row);
  }
  // products: a × (b=c) and (a=b) × c look alike too
  const Row one = encode(encoder, {{"a", 2.0}, {"b", std::string("c × d")}});
  const Row two = encode(encoder, {{"a", 2.0}, {"b=c × d", 2.0}});
  EXPECT_EQ(encoder.name_of(one.indices[3]), encoder.name_of(two.indices[3]));
  EXPECT_NE(one.indices[3], two.indices[3]);
}

NamedFeatures random_row(RandomSequence& random, std::uint64_t words) {
  NamedFeatures row;
  for (std::uint64_t k = 0; k < 6; ++k) {
    const std::string name = "n" + std::to_string(random.below(10)) + "_" + std::to_string(k);
    const std::string word = "w" + std::to_string(random.below(words));
    switch (random.below(5)) {
      case 0:
        row.push_back({name, random.gaussian()});
        break;
      case 1:
        row.push_back({name, random.below(2) == 0});
        break;
      case 2:
        row.push_back({name, Words{word, "x", word, "w" + std::to_string(random.below(words))}});
        break;
      case 3:
        row.push_back({name, std::monostate{}});
        break;
      default:
        row.push_back({name, word});
    }
  }
  return row;
}

const std::vector<std::string> kSpecs = {
    R"({})", R"({"capacity": 40})", R"({"capacity": 200, "interactions": "pairs", "most_pairs": 7})",
    R"({"capacity": 100, "intercept": false, "interactions": [["n1_0", "n1_1"], ["n2_3", "n1_0"]]})",
    R"({"interactions": "pairs"})"};

TEST(Encoder, TheOrderOfFeaturesDoesNotMatter) {
  for (const std::string& spec : kSpecs) {
    Encoder one = make(spec), other = make(spec);
    RandomSequence random(4);
    for (int t = 0; t < 500; ++t) {
      NamedFeatures row = random_row(random, 50);
      const Row expected = encode(one, row);
      std::reverse(row.begin(), row.end());
      std::swap(row[random.below(6)], row[random.below(6)]);
      for (NamedFeature& feature : row)
        if (auto* list = std::get_if<Words>(&feature.value)) std::reverse(list->begin(), list->end());
      ASSERT_EQ(encode(other, row), expected);
      ASSERT_EQ(look_up(one, row), expected);
    }
    EXPECT_EQ(bytes(one), bytes(other));
  }
}

TEST(Encoder, LookingUpLearnsNothing) {
  Encoder encoder = make(R"({"interactions": "pairs"})");
  encode(encoder, features_of(R"({"a": 1, "b": "x"})"));
  const std::string before = bytes(encoder);
  EXPECT_EQ(text(encoder, look_up(encoder, features_of(R"({"a": 2, "b": "y", "c": 1})"))), "(intercept): 1  a#: 2");
  EXPECT_EQ(text(encoder, look_up(encoder, features_of(R"({"a": 2, "b": "x"})"))),
            "(intercept): 1  a#: 2  b=x: 1  a × b=x: 2");
  EXPECT_EQ(bytes(encoder), before);
}

TEST(Encoder, APreviewIsTheRowThatWillBeAndChangesNothing) {
  for (const char* spec : {R"({"capacity": 9})", R"({"capacity": 40, "interactions": "pairs"})",
                           R"({"capacity": 1000, "interactions": "pairs", "most_pairs": 3})"}) {
    Encoder encoder = make(spec);
    RandomSequence random(7);
    for (int t = 0; t < 200; ++t) {
      const NamedFeatures features = random_row(random, 12);
      const std::string before = bytes(encoder);
      Row seen;
      encoder.preview(features, seen);
      ASSERT_EQ(bytes(encoder), before);
      const Row row = encode(encoder, features);
      ASSERT_EQ(seen.indices, row.indices) << spec << " row " << t;
      ASSERT_EQ(seen.values, row.values);
    }
  }
}

TEST(Encoder, PastTheCapacityNamesShare) {
  Encoder encoder = make(R"({"capacity": 8})");
  for (int k = 0; k < 7; ++k) encode(encoder, {{"w", std::to_string(k)}});
  EXPECT_TRUE(encoder.vocabulary().full());
  EXPECT_EQ(encoder.vocabulary().shared_values(), 0u);
  const std::string full = bytes(encoder);
  std::set<Index> used;
  for (int k = 7; k < 1007; ++k) {
    const NamedFeatures features = {{"w", std::to_string(k)}};
    const Row before = look_up(encoder, features);
    const Row row = encode(encoder, features);
    EXPECT_EQ(row, before);
    ASSERT_EQ(row.indices.size(), 2u);
    ASSERT_GT(row.indices[1], 0);  // never the intercept's
    ASSERT_LT(row.indices[1], 8);
    used.insert(row.indices[1]);
    EXPECT_TRUE(encoder.vocabulary().is_shared(row.indices[1]));
  }
  EXPECT_EQ(used.size(), 7u);
  EXPECT_EQ(encoder.name_of(1), "w=0 (shared)");
  EXPECT_EQ(encoder.name_of(0), "(intercept)");
  EXPECT_EQ(encoder.vocabulary().shared_values(), 1000u);
  EXPECT_NEAR(static_cast<double>(encoder.vocabulary().shared_names()), 1000, 100);
  EXPECT_LT(bytes(encoder).size(), full.size() + 1100);                 // however many share
  EXPECT_EQ(encode(encoder, {{"w", std::string("3")}}).indices[1], 4);  // owners keep their slots
}

TEST(Encoder, NamesThatShareInOneRowAreSummed) {
  Encoder encoder = make(R"({"capacity": 2})");
  EXPECT_EQ(text(encoder, encode(encoder, features_of(R"({"b": 2, "a": 5})"))), "(intercept): 1  a (shared)#: 7");
  EXPECT_EQ(text(encoder, encode(encoder, features_of(R"({"b": 1e100, "c": 1e100})"))),
            "(intercept): 1  a (shared)#: 1e+100");
  EXPECT_EQ(text(encoder, encode(encoder, features_of(R"({"w": ["x", "x", "y"]})"))), "(intercept): 1  a (shared)#: 2");
}

TEST(Encoder, RefusesBeforeAnythingChanges) {
  Encoder encoder = make();
  const std::string before = bytes(encoder);
  Row row;
  EXPECT_ERROR(encoder.encode({{"a", 1.0}, {"b", std::string("x")}, {"a", std::string("y")}}, row), Code::kBadInput,
               "features.a is given twice");
  EXPECT_ERROR(encoder.look_up({{"a", 1.0}, {"a", 1.0}}, row), Code::kBadInput, "features.a is given twice");
  EXPECT_ERROR(encoder.encode({{"a", 1.0}, {"b", std::numeric_limits<double>::quiet_NaN()}}, row), Code::kBadInput,
               "features.b must be finite and at most 1e100 in size (nan came)");
  EXPECT_ERROR(encoder.encode({{"a", std::monostate{}}, {"", 1.0}}, row), Code::kBadInput,
               "features: a name must not be empty");
  NamedFeatures many;
  for (int k = 0; k < 100; ++k) many.push_back({"n" + std::to_string(k), 1.0});
  many.push_back({"n50", true});
  EXPECT_ERROR(encoder.encode(many, row), Code::kBadInput, "features.n50 is given twice");
  EXPECT_EQ(bytes(encoder), before);
  many.pop_back();
  encoder.encode(many, row);
  EXPECT_EQ(row.indices.size(), 101u);
}

TEST(Interactions, MultiplyNumbersAndWords) {
  Encoder encoder =
      make(R"({"intercept": false, "interactions": [["n", "m"], ["w", "n"], ["w", "v"], ["w", "gone"]]})");
  EXPECT_EQ(
      text(encoder, encode(encoder, features_of(R"({"n": 3, "m": -2, "w": ["p", "q"], "v": true, "gone": null})"))),
      "m#: -2  n#: 3  v=true: 1  w=p: 1  w=q: 1  m × n#: -6  n × w=p: 3  n × w=q: 3  "
      "v=true × w=p: 1  v=true × w=q: 1");
  EXPECT_EQ(text(encoder, encode(encoder, features_of(R"({"n": 1e80, "m": -1e80})"))),
            "m#: -1e+80  n#: 1e+80  m × n#: -1e+100");
}

TEST(Interactions, AllPairsAreOfDifferentNames) {
  Encoder encoder = make(R"({"intercept": false, "interactions": "pairs"})");
  EXPECT_EQ(text(encoder, encode(encoder, features_of(R"({"c": "x", "a": ["y", "z"], "b": 2})"))),
            "a=y: 1  a=z: 1  b#: 2  c=x: 1  a=y × b: 2  a=z × b: 2  a=y × c=x: 1  a=z × c=x: 1  b × c=x: 2");
}

TEST(Interactions, PastTheMostAreLeftOut) {
  Encoder encoder = make(R"({"intercept": false, "interactions": "pairs", "most_pairs": 2})");
  EXPECT_EQ(text(encoder, encode(encoder, features_of(R"({"c": 1, "a": 1})"))), "a#: 1  c#: 1  a × c#: 1");
  EXPECT_EQ(encoder.rows_cut(), 0u);
  const auto features = features_of(R"({"c": 1, "a": 1, "b": 1})");
  const Row row = encode(encoder, features);
  EXPECT_EQ(text(encoder, row), "a#: 1  c#: 1  a × c#: 1  b#: 1  a × b#: 1");
  EXPECT_EQ(encoder.rows_cut(), 1u);
  EXPECT_EQ(look_up(encoder, features), row);
  EXPECT_EQ(encoder.rows_cut(), 1u);
}

TEST(Encoder, ContinuesEqualAfterLoading) {
  for (const std::string& spec : kSpecs) {
    Encoder one = make(spec), other = make(spec);
    RandomSequence random(8);
    for (int t = 0; t < 300; ++t) encode(one, random_row(random, 60));
    const std::string saved = bytes(one);
    ByteReader in(saved);
    other.load(in);
    in.expect_end();
    EXPECT_EQ(bytes(other), saved);
    for (Index slot = 0; slot < one.dimension() && slot < 300; ++slot)
      ASSERT_EQ(one.name_of(slot), other.name_of(slot));
    for (int t = 0; t < 300; ++t) {
      const NamedFeatures row = random_row(random, 90);
      ASSERT_EQ(encode(other, row), encode(one, row));
    }
    EXPECT_EQ(bytes(other), bytes(one));
    EXPECT_EQ(one.vocabulary().shared_names(), other.vocabulary().shared_names());
  }
}

// The largest sketch that can be saved still says a number.
TEST(DistinctSketch, OfAllHashesThereAreIsANumber) {
  ByteWriter out;
  out.text(std::string(1024, '\x37'));
  ByteReader in(out.bytes());
  DistinctSketch sketch;
  sketch.load(in);
  EXPECT_EQ(sketch.estimate(), std::uint64_t{1} << 62);
}

// Whatever byte is wrong: an error that says so, or a state that is possible and saves as the same bytes.
TEST(Encoder, LoadsOnlyWhatIsPossible) {
  Encoder encoder = make(R"({"capacity": 12, "interactions": "pairs"})");
  RandomSequence random(2);
  for (int t = 0; t < 5; ++t) encode(encoder, random_row(random, 5));
  const std::string good = bytes(encoder);
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int change : {1, 2, 128, 255}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ change);
      Encoder fresh = make(R"({"capacity": 12, "interactions": "pairs"})");
      try {
        ByteReader in(bad);
        fresh.load(in);
        in.expect_end();
      } catch (const Error& error) {
        ASSERT_EQ(error.code(), Code::kCorrupt) << error.what();
        continue;
      }
      ASSERT_EQ(bytes(fresh), bad);
    }
    Encoder fresh = make(R"({"capacity": 12, "interactions": "pairs"})");
    ByteReader in(std::string_view(good).substr(0, at));
    EXPECT_EQ(static_cast<int>(thrown_by([&] { fresh.load(in); }).code), static_cast<int>(Code::kCorrupt));
  }
  Encoder smaller = make(R"({"capacity": 11})");
  ByteReader in(good);
  EXPECT_ERROR(smaller.load(in), Code::kCorrupt, "snapshot: the size of the vocabulary is impossible");
}

TEST(Encoder, ManyNamesKeepTheirSlots) {
  Encoder encoder = make(R"({"capacity": 100000})");
  for (int k = 0; k < 50000; ++k) ASSERT_EQ(encode(encoder, {{"w", std::to_string(k)}}).indices[1], k + 1);
  for (int k = 0; k < 50000; ++k) ASSERT_EQ(look_up(encoder, {{"w", std::to_string(k)}}).indices[1], k + 1);
  EXPECT_EQ(look_up(encoder, {{"w", std::string("50000")}}).indices.size(), 1u);
}

// Words of every length up to twenty, with one letter other than in the rest at each place.
TEST(Encoder, WordsThatDifferInOneLetterHaveSlotsOfTheirOwn) {
  Encoder encoder(FeatureSpec{});
  std::vector<std::string> words;
  for (std::size_t size = 0; size <= 20; ++size) {
    words.emplace_back(size, 'a');
    for (std::size_t at = 0; at < size; ++at) words.emplace_back(size, 'a')[at] = 'b';
  }
  Row row, again;
  encoder.encode({{"w", words}}, row);
  EXPECT_EQ(encoder.vocabulary().size(), static_cast<Index>(words.size()) + 1);  // and the intercept
  encoder.encode({{"w", words}}, again);
  EXPECT_EQ(row, again);
  for (std::size_t i = 1; i < words.size(); ++i) {
    const FeatureKey key = FeatureKey::word("w", hash_text("w"), words[i]);
    const Slot slot = encoder.vocabulary().find(key);
    EXPECT_EQ(encoder.vocabulary().find_from(slot, key), slot);
    EXPECT_EQ(encoder.vocabulary().find_from(slot == 1 ? 2 : 1, key), slot) << "a glance at another word";
    EXPECT_EQ(encoder.name_of(slot), "w=" + words[i]);
  }
}

}  // namespace
}  // namespace tarry
