#include "tarry/features/digest.h"

#include <gtest/gtest.h>

#include <set>

#include "tarry/base/random.h"
#include "tarry/features/distinct_sketch.h"
#include "tarry/features/hash.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

std::uint64_t of(const std::string& json) { return digest(read_named(spec::parse_json(json))); }

// It is asked about features that nobody has checked.
TEST(Digest, RefusesValuesWithoutIndices) {
  const Vec values{1, 2};
  const std::vector<Index> indices{3};
  EXPECT_ERROR(digest(Covector::sparse(indices, values)), Code::kBadInput,
               "values must have as many entries as indices (2 and 1 came)");
  EXPECT_ERROR(digest(Covector::sparse({}, values)), Code::kBadInput,
               "values must have as many entries as indices (2 and 0 came)");
  EXPECT_NE(digest(Covector::sparse(indices, {values.data(), 1})), digest(Covector::sparse({}, {})));
}

// Kept ones must stay valid: these values never change.
TEST(Digest, IsFixed) {
  EXPECT_EQ(hash_text(""), 4527911721318542849u);
  EXPECT_EQ(hash_text("abc"), 4382576332345282453u);
  EXPECT_EQ(hash_text("Paris"), 3484764034118710632u);
  EXPECT_EQ(hash_text("a longer text of names"), 7980635279302478657u);
  EXPECT_EQ(of("{}"), 9814751005095918756u);
  EXPECT_EQ(of(R"({"age": 31, "city": "Paris", "new": true, "tags": ["a", "b"]})"), 15931870407101478494u);
  EXPECT_EQ(digest(Covector::dense(Vec{0, 1.5, -2})), 13115403969163338236u);
}

TEST(Digest, FollowsTheMeaning) {
  EXPECT_EQ(of(R"({"a": 1, "b": ["x", "y"]})"), of(R"({"b": ["y", "x", "y"], "a": 1.0, "c": null})"));
  EXPECT_EQ(of(R"({"a": true, "b": 0})"), of(R"({"a": "true", "b": -0.0})"));
  const std::vector<std::string> different = {R"({})",
                                              R"({"a": 1})",
                                              R"({"a": 2})",
                                              R"({"a": "1"})",
                                              R"({"b": 1})",
                                              R"({"a": 0})",
                                              R"({"a": "0"})",
                                              R"({"a": true})",
                                              R"({"a": false})",
                                              R"({"a": "b=c"})",
                                              R"({"a=b": "c"})",
                                              R"({"a": ["b", "c"]})",
                                              R"({"a": "b", "c": "b"})",
                                              R"({"a": 1, "b": 2})",
                                              R"({"a": 2, "b": 1})"};
  std::set<std::uint64_t> digests;
  for (const std::string& json : different) EXPECT_TRUE(digests.insert(of(json)).second) << json;
}

TEST(Digest, OfNumberedRowsDoesNotSeeHowTheyAreStored) {
  const std::vector<Index> indices = {1, 2, 4};
  const Vec values = {1.5, -0.0, -2};
  EXPECT_EQ(digest(Covector::dense(Vec{0, 1.5, 0, 0, -2, 0})), digest(Covector::sparse(indices, values)));
  EXPECT_NE(digest(Covector::dense(Vec{1.5, 0, 0, 0, -2})), digest(Covector::sparse(indices, values)));
  EXPECT_NE(digest(Covector::dense(Vec{0, 1.5, 0, 0, 2})), digest(Covector::sparse(indices, values)));
  EXPECT_NE(digest(Covector::dense(Vec{})), of("{}"));
}

TEST(Hash, TellsTextsApart) {
  std::set<std::uint64_t> seen, low, high;
  std::size_t count = 0;
  for (std::size_t size = 0; size <= 40; ++size)
    for (char c : {'a', 'b', '\0', '\xff'})
      for (std::size_t at = 0; at <= size; ++at) {  // one byte changed, at every place
        std::string text(size, c);
        if (at < size) text[at] = 'x';
        if (c != 'a' && (size == 0 || (size == 1 && at == 0))) continue;  // the same text again
        ++count;
        EXPECT_TRUE(seen.insert(hash_text(text)).second) << size << ", " << at;
        low.insert(hash_text(text) & 0xFFFFFFFF);
        high.insert(hash_text(text) >> 32);
      }
  EXPECT_EQ(low.size(), count);  // either half is enough for so few
  EXPECT_EQ(high.size(), count);
}

TEST(Hash, SpreadsNumberedNamesEvenly) {
  std::vector<double> low(256), high(256);
  constexpr int kNames = 100000;
  for (int k = 0; k < kNames; ++k) {
    const std::uint64_t hash = hash_text("name" + std::to_string(k));
    low[hash & 255] += 1;
    high[hash >> 56] += 1;
  }
  for (const auto& bins : {low, high}) {
    double chi = 0;
    for (double bin : bins) chi += (bin - kNames / 256.0) * (bin - kNames / 256.0) / (kNames / 256.0);
    EXPECT_GT(chi, 170);  // of 255 degrees of freedom: 255 ± 22.6
    EXPECT_LT(chi, 350);
  }
}

TEST(DistinctSketch, CountsDifferentHashes) {
  for (const int count : {0, 1, 10, 500, 3000, 100000}) {
    DistinctSketch sketch;
    for (int again = 0; again < 2; ++again)
      for (int k = 0; k < count; ++k) sketch.add(hash_text(std::to_string(k)));
    EXPECT_NEAR(static_cast<double>(sketch.estimate()), count, 0.1 * count);
    ByteWriter out;
    sketch.save(out);
    DistinctSketch other;
    ByteReader in(out.bytes());
    other.load(in);
    EXPECT_EQ(other.estimate(), sketch.estimate());
  }
  ByteWriter out;
  out.text("too short");
  ByteReader in(out.bytes());
  DistinctSketch sketch;
  EXPECT_ERROR(sketch.load(in), Code::kCorrupt, "snapshot: the sketch of shared names is impossible");
}

}  // namespace
}  // namespace tarry
