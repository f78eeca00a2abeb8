#include "tarry/spec/json.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "unit/expect_error.h"

namespace tarry::spec {
namespace {

TEST(Json, KeepsTypesAndOrder) {
  const Value value = parse_json(R"( {"b": 1, "a": [1, 2.5], "c": ["x", null, true], "d": -1.5, "e": []} )");
  const auto& members = std::get<Object>(value.as);
  ASSERT_EQ(members.size(), 5u);
  EXPECT_EQ(members[0].first, "b");
  EXPECT_EQ(std::get<std::int64_t>(value.find("b")->as), 1);
  EXPECT_EQ(std::get<Numbers>(value.find("a")->as), (Numbers{1, 2.5}));
  EXPECT_EQ(std::get<Array>(value.find("c")->as).size(), 3u);
  EXPECT_EQ(std::get<double>(value.find("d")->as), -1.5);
  EXPECT_TRUE(std::get<Numbers>(value.find("e")->as).empty());
  EXPECT_EQ(value.find("missing"), nullptr);
}

TEST(Json, SaysWhatIsWrong) {
  const std::string misplaced = "not valid JSON (a bracket, comma or quote is out of place)";
  for (const char* text : {"{", "[1,]", "[1 2]", R"({"a" 1})", "[1] 2", "]"})
    EXPECT_ERROR(parse_json(text), Code::kBadInput, misplaced);
  EXPECT_ERROR(parse_json(""), Code::kBadInput, "not valid JSON (nothing there)");
  EXPECT_ERROR(parse_json(" \t"), Code::kBadInput, "not valid JSON (nothing there)");
  EXPECT_ERROR(parse_json("\"abc"), Code::kBadInput, "not valid JSON (a string is not closed)");
  EXPECT_ERROR(parse_json("nul"), Code::kBadInput, "not valid JSON (nul is not a JSON value)");
  EXPECT_ERROR(parse_json("[1e999]"), Code::kBadInput, "not valid JSON (a number is malformed or too large)");
  EXPECT_ERROR(parse_json("01"), Code::kBadInput, "not valid JSON (a number is malformed or too large)");
  EXPECT_ERROR(parse_json("\"\xFF\""), Code::kBadInput, "not valid JSON (not valid UTF-8)");
  EXPECT_ERROR(parse_json(R"({"a": {"b": 1, "b": 2}})"), Code::kBadInput, "not valid JSON (key \"b\" is given twice)");
  const std::string deep = std::string(101, '[') + std::string(101, ']');
  EXPECT_ERROR(parse_json(deep), Code::kBadInput, "not valid JSON (nested more than 100 deep)");
}

TEST(JsonReader, ReadsManyDocumentsOfGrowingSize) {
  JsonReader reader;
  for (std::size_t count : {1u, 100u, 5000u, 2u}) {
    std::string text = "[0";
    for (std::size_t i = 1; i < count; ++i) text.append(",").append(std::to_string(i));
    EXPECT_EQ(std::get<Numbers>(reader.read(text + "]").as).size(), count);
    EXPECT_THROW(reader.read("["), Error);  // and is usable afterwards
  }
}

TEST(Json, NumbersReadBackToTheSameBits) {
  for (double x : {0.0, -0.0, 1.0, -3.0, 0.1, 1e-310, 5e-324, 1e300, 9007199254740993.0, 1e16, 123456789.125,
                   std::numeric_limits<double>::max()}) {
    std::string text;
    append_json(text, std::span<const double>(&x, 1));
    const double back = std::get<Numbers>(parse_json(text).as)[0];
    EXPECT_EQ(std::bit_cast<std::uint64_t>(back), std::bit_cast<std::uint64_t>(x)) << text;
  }
}

// Beyond 64 bits a whole number is read as any other number is.
TEST(Json, ReadsWholeNumbersOfAnyLength) {
  EXPECT_EQ(std::get<double>(parse_json("18446744073709551616").as), 0x1p64);
  EXPECT_EQ(std::get<double>(parse_json("-18446744073709551616").as), -0x1p64);
  EXPECT_EQ(std::get<double>(parse_json("-9223372036854775809").as), -0x1p63);
  EXPECT_EQ(std::get<double>(parse_json("1" + std::string(100, '0')).as), 1e100);
  const Value mixed = parse_json(R"({"big": [36893488147419103232, 1.5, 1e2], "text": "\"36893488147419103232"})");
  EXPECT_EQ(std::get<Numbers>(mixed.find("big")->as), (Numbers{0x1p65, 1.5, 100}));
  EXPECT_EQ(std::get<std::string>(mixed.find("text")->as), "\"36893488147419103232");
  const std::string small = "0.36893488147419103232", power = "1e-00000000000000000000000002";
  EXPECT_EQ(std::get<Numbers>(parse_json("[36893488147419103232, " + small + ", " + power + "]").as),
            (Numbers{0x1p65, 0.36893488147419103232, 0.01}));
  for (const char* text : {"036893488147419103232", "[36893488147419103232x]", "--36893488147419103232"})
    EXPECT_THROW(parse_json(text), Error) << text;
  EXPECT_ERROR(parse_json("1" + std::string(400, '0')), Code::kBadInput,
               "not valid JSON (a number is malformed or too large)");
}

}  // namespace
}  // namespace tarry::spec
