#include "tarry/features/named.h"

#include <gtest/gtest.h>

#include <limits>

#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

NamedFeatures read(const std::string& json) { return read_named(spec::parse_json(json)); }

const std::string kKinds = " must be a number, text, true, false, null or a list of texts ";

TEST(NamedFeatures, ReadsEveryKind) {
  const auto features =
      read(R"({"age": 31, "x": -0.5, "city": "Paris", "new": true, "tags": ["b", "a"], "none": [], "gone": null})");
  const NamedFeatures expected = {{"age", 31.0},
                                  {"x", -0.5},
                                  {"city", std::string("Paris")},
                                  {"new", true},
                                  {"tags", std::vector<std::string>{"b", "a"}},
                                  {"none", std::vector<std::string>{}},
                                  {"gone", std::monostate{}}};
  EXPECT_EQ(features, expected);
}

TEST(NamedFeatures, ANameMayBeType) {
  EXPECT_EQ(read(R"({"type": "box"})"), (NamedFeatures{{"type", std::string("box")}}));
}

TEST(NamedFeatures, WritesCanonicalText) {
  EXPECT_EQ(to_json(read(R"({"b": ["y", "x", "y"], "a": 31, "z": null, "c": "q\"", "d": false, "e": -0.0, "l": []})")),
            R"({"a": 31, "b": ["x", "y"], "c": "q\"", "d": false, "e": 0, "l": [], "z": null})");
  EXPECT_EQ(to_json({}), "{}");
  const std::string text = R"({"a": 0.1, "b": 1e+100, "c": ["x"], "d": "e"})";
  EXPECT_EQ(to_json(read(text)), text);
}

TEST(NamedFeatures, SaysWhatIsWrong) {
  EXPECT_ERROR(read("[1, 2]"), Code::kBadInput, "features must be an object with named values (a list came)");
  EXPECT_ERROR(read(R"({"age": {"x": 1}})"), Code::kBadInput, "features.age" + kKinds + "(an object came)");
  EXPECT_ERROR(read(R"({"age": [1, 2]})"), Code::kBadInput, "features.age" + kKinds + "(a list of numbers came)");
  EXPECT_ERROR(read(R"({"age": ["a", 1]})"), Code::kBadInput, "features.age" + kKinds + "(entry 1 is a number)");
  EXPECT_ERROR(read(R"({"age": ["a", ["b"]]})"), Code::kBadInput, "features.age" + kKinds + "(entry 1 is a list)");
  EXPECT_ERROR(read(R"({"": 1})"), Code::kBadInput, "features: a name must not be empty");
  EXPECT_ERROR(read(R"({"a\nb": 1e101})"), Code::kBadInput,
               "features.a\\u000ab must be finite and at most 1e100 in size (1e+101 came)");
}

TEST(NamedFeatures, RefusesWhatIsTooLong) {
  const std::string longest(kLongestName, 'n'), too_long = longest + "n", text(kLongestWord + 1, 'w');
  EXPECT_EQ(read("{\"" + longest + "\": 1}").size(), 1u);
  EXPECT_ERROR(read("{\"" + too_long + "\": 1}"), Code::kBadInput,
               "features: a name must be at most 1024 bytes long (" + std::string(40, 'n') + "... has 1025)");
  EXPECT_EQ(read("{\"a\": \"" + text.substr(1) + "\"}").size(), 1u);
  EXPECT_ERROR(read("{\"a\": \"" + text + "\"}"), Code::kBadInput,
               "features.a must be at most 4096 bytes long (4097 came)");
  EXPECT_ERROR(read("{\"a\": [\"x\", \"" + text + "\"]}"), Code::kBadInput,
               "features.a must be at most 4096 bytes long (4097 came)");
}

TEST(NamedFeatures, ShortensNamesBetweenCharacters) {
  std::string name = std::string(39, 'a') + "éé";
  EXPECT_EQ(shown(name), std::string(39, 'a') + "...");
  EXPECT_EQ(shown("é"), "é");
}

TEST(NamedFeatures, RefusesNumbersThatAreNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_ERROR(check({"a", nan}), Code::kBadInput, "features.a must be finite and at most 1e100 in size (nan came)");
  EXPECT_ERROR(check({"a", -std::numeric_limits<double>::infinity()}), Code::kBadInput,
               "features.a must be finite and at most 1e100 in size (-inf came)");
}

// A reader of JSON refuses a name that comes twice by itself; other callers are refused here.
TEST(NamedFeatures, RefusesANameTwice) {
  spec::Object twice;
  twice.emplace_back("b", spec::Value{1.0});
  twice.emplace_back("a", spec::Value{1.0});
  twice.emplace_back("b", spec::Value{std::string("x")});
  EXPECT_ERROR(read_named({twice}), Code::kBadInput, "features.b is given twice");
}

}  // namespace
}  // namespace tarry
