#include "tarry/spec/value.h"

#include <gtest/gtest.h>

#include "tarry/spec/json.h"

namespace tarry::spec {
namespace {

TEST(Value, PrintsAsJsonOnOneLine) {
  const char* text = R"({"a": [1, 2.5], "b": ["x\"\\", null, true, {"c": -3}], "e": []})";
  EXPECT_EQ(to_json(parse_json(text)), text);
  EXPECT_EQ(to_json(Value{std::string("tab\there, é")}), "\"tab\\u0009here, é\"");
}

TEST(Value, IsCutShortInMessages) {
  EXPECT_EQ(brief(Value{std::int64_t{3}}), "3");
  EXPECT_EQ(brief(Value{Numbers(61, 1.0)}), "61 numbers");
  const std::string cut = brief(Value{std::string(100, 'x')});
  EXPECT_TRUE(cut.starts_with("\"xxx"));
  EXPECT_TRUE(cut.ends_with("xxx..."));
  EXPECT_EQ(cut.size(), 60u);
}

TEST(Value, IsNeverCutInsideACharacter) {
  for (std::size_t lead = 50; lead < 60; ++lead) {
    const std::string cut = brief(Value{std::string(lead, 'x') + "ééééééé"});
    const std::string whole = cut.ends_with("...") ? cut.substr(0, cut.size() - 3) : cut;
    int pending = 0;
    for (char c : whole) {
      const auto byte = static_cast<unsigned char>(c);
      pending = byte == 0xC3 ? 1 : 0;
    }
    EXPECT_EQ(pending, 0) << cut;
  }
}

}  // namespace
}  // namespace tarry::spec
