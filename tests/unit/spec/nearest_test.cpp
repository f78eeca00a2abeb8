#include "tarry/spec/nearest.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tarry::spec {
namespace {

TEST(DidYouMean, NamesTheNearestWord) {
  const std::vector<std::string> known = {"type", "dimension", "radius", "eta"};
  EXPECT_EQ(did_you_mean("radus", known), "; did you mean radius?");
  EXPECT_EQ(did_you_mean("dimensoin", known), "; did you mean dimension?");
  EXPECT_EQ(did_you_mean("eat", known), "; did you mean eta?");
  EXPECT_EQ(did_you_mean("dimensions", known), "; did you mean dimension?");
}

TEST(DidYouMean, SaysNothingOfWordsThatAreFarFromAll) {
  const std::vector<std::string> known = {"type", "dimension", "radius", "eta"};
  for (const char* word : {"", "x", "tp", "centre", "radial_size", "diameter"})
    EXPECT_EQ(did_you_mean(word, known), "");
  EXPECT_EQ(did_you_mean(std::string(1000, 'a'), known), "");
  EXPECT_EQ(did_you_mean("eat", {}), "");
}

}  // namespace
}  // namespace tarry::spec
