#include "tarry/features/feature_spec.h"

#include <gtest/gtest.h>

#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

FeatureSpec spec_of(const std::string& json) {
  const spec::Value value = spec::parse_json(json);
  return FeatureSpec::read(spec::Node(value, "features"));
}

std::string canonical(const std::string& json) { return spec::to_json(spec_of(json).to_value()); }

TEST(FeatureSpec, WritesEveryDefault) {
  EXPECT_EQ(canonical("{}"), R"({"capacity": 262144, "intercept": true, "interactions": [], "most_pairs": 1000})");
  EXPECT_EQ(canonical(R"({"interactions": "pairs", "most_pairs": 5, "intercept": false, "capacity": 9})"),
            R"({"capacity": 9, "intercept": false, "interactions": "pairs", "most_pairs": 5})");
}

TEST(FeatureSpec, EqualSpecificationsGiveEqualText) {
  const std::string text =
      R"({"capacity": 262144, "intercept": true, "interactions": [["a", "b"], ["a", "c"]], "most_pairs": 1000})";
  EXPECT_EQ(canonical(R"({"interactions": [["c", "a"], ["b", "a"]]})"), text);
  EXPECT_EQ(canonical(text), text);
  EXPECT_EQ(spec_of(text), spec_of(R"({"interactions": [["a", "b"], ["a", "c"]]})"));
}

TEST(FeatureSpec, SaysWhatIsWrong) {
  EXPECT_ERROR(spec_of(R"({"capacity": 1})"), Code::kBadSpec,
               "features: capacity must be a whole number from 2 to 1073741824 (capacity = 1)");
  EXPECT_ERROR(spec_of(R"({"intercept": 1})"), Code::kBadSpec,
               "features: intercept must be true or false (intercept = 1)");
  EXPECT_ERROR(spec_of(R"({"interactions": "all"})"), Code::kBadSpec,
               "features: interactions must be \"pairs\" or an array of pairs of names (interactions = \"all\")");
  EXPECT_ERROR(spec_of(R"({"interactions": [["a", "b", "c"]]})"), Code::kBadSpec,
               "features: interactions[0] must be two different names (interactions[0] = [\"a\", \"b\", \"c\"])");
  EXPECT_ERROR(spec_of(R"({"interactions": [["a", "a"]]})"), Code::kBadSpec,
               "features: interactions[0] must be two different names (interactions[0] = [\"a\", \"a\"])");
  EXPECT_ERROR(spec_of(R"({"interactions": [["a", "b"], ["b", "a"]]})"), Code::kBadSpec,
               "features: interactions[1] must be given once (interactions[1] = [\"b\", \"a\"])");
  EXPECT_ERROR(spec_of(R"({"interactions": [["a", ""]]})"), Code::kBadSpec,
               "features: interactions[0][1] must be a name of 1 to 1024 bytes (interactions[0][1] = \"\")");
  EXPECT_ERROR(spec_of(R"({"interactions": [["a", 3]]})"), Code::kBadSpec,
               "features: interactions[0][1] must be a text (interactions[0][1] = 3)");
  EXPECT_ERROR(spec_of(R"({"most_pairs": 0})"), Code::kBadSpec,
               "features: most_pairs must be a whole number from 1 to 1000000 (most_pairs = 0)");
  EXPECT_ERROR(spec_of(R"({"slots": 3})"), Code::kBadSpec,
               "features: unknown key \"slots\" (known keys: capacity, intercept, products, interactions, most_pairs)");
  EXPECT_ERROR(spec_of(R"({"products": "all"})"), Code::kBadSpec,
               "features: products must be \"pairs\" or an array of pairs of names (products = \"all\")");
  EXPECT_ERROR(spec_of(R"({"products": "pairs", "interactions": []})"), Code::kBadSpec,
               "features: give either products or interactions, its earlier name, not both");
}

TEST(FeatureSpec, ProductsByNameAreKeptUnderTheirEarlierName) {
  for (const std::string pairs : {R"("pairs")", R"([["c", "a"], ["b", "a"]])", "[]"})
    EXPECT_EQ(canonical(R"({"products": )" + pairs + "}"), canonical(R"({"interactions": )" + pairs + "}")) << pairs;
}

}  // namespace
}  // namespace tarry
