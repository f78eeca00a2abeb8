#include "tarry/hosting/spec_rules.h"

#include <gtest/gtest.h>

#include <string>

#include "tarry/spec/json.h"

namespace tarry::hosting {
namespace {

std::string in_full(const std::string& spec) { return ModelSpec::read(spec::parse_json(spec)).json(); }

std::string difference(const std::string& given, const std::string& there, const std::string& first) {
  return difference_from(spec::parse_json(given), in_full(there), in_full(first), "here");
}

TEST(SpecRules, ATaskSentAgainIsTheModelAnEarlierVersionMadeOfIt) {
  const std::string now = R"({"task": "binary"})", before = R"({"task": "binary", "trees": false})",
                    oldest = R"({"task": "binary", "trees": false, "bends": false})",
                    other = R"({"task": "binary", "features": {"capacity": 8}})";
  for (const std::string& there : {now, before, oldest}) EXPECT_EQ(difference(now, there, there), "") << there;
  EXPECT_EQ(difference(now, other, now), "");  // a challenger was promoted
  EXPECT_EQ(difference(R"({"task": "classes"})", R"({"task": "classes", "products": 0})",
                       R"({"task": "classes", "products": 0})"),
            "");
  EXPECT_NE(difference(before, now, now), "");  // what is said is meant
  EXPECT_NE(difference(now, other, other), "");
  EXPECT_NE(difference(now, R"({"task": "regression"})", R"({"task": "regression"})"), "");
}

}  // namespace
}  // namespace tarry::hosting
