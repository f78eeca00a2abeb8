#include "tarry/spec/toml.h"

#include <gtest/gtest.h>

#include "tarry/spec/node.h"
#include "unit/expect_error.h"

namespace tarry::spec {
namespace {

TEST(Toml, KeepsTypesLinesAndTheOrderOfTheFile) {
  const Value value =
      parse_toml("z = 1\na = [1, 2.5]\n[set]\ntype = \"box\"\nlower = -1.5\nflag = true\nday = 1979-05-27\n");
  const auto& members = std::get<Object>(value.as);
  ASSERT_EQ(members.size(), 3u);
  EXPECT_EQ(members[0].first, "z");
  EXPECT_EQ(members[1].first, "a");
  EXPECT_EQ(std::get<Numbers>(value.find("a")->as), (Numbers{1, 2.5}));
  const Value& set = *value.find("set");
  EXPECT_EQ(std::get<std::string>(set.find("type")->as), "box");
  EXPECT_EQ(set.find("lower")->line, 5u);
  EXPECT_EQ(std::get<bool>(set.find("flag")->as), true);
  EXPECT_EQ(std::get<std::string>(set.find("day")->as), "1979-05-27");
}

TEST(Toml, ReadsIntegersOfEverySizeInArrays) {
  const Value value = parse_toml("a = [9007199254740993, 9223372036854775807, -1]");
  EXPECT_EQ(std::get<Numbers>(value.find("a")->as), (Numbers{9007199254740992.0, 9223372036854775808.0, -1}));
}

TEST(Toml, SaysTheLineThatIsWrong) {
  EXPECT_ERROR(parse_toml("a = 1\nb = ]"), Code::kBadSpec,
               "line 2: not valid TOML (Error while parsing key-value pair: expected value, saw ']')");
  EXPECT_ERROR(parse_toml("a = 1\n\na = 2"), Code::kBadSpec,
               "line 3: not valid TOML (Error while parsing key-value pair: cannot redefine existing integer 'a')");
}

TEST(Toml, NodesSayTheirLine) {
  const Value value = parse_toml("[set]\ntype = \"simplex\"\nradius = -2\nsize = 3\nscale = inf\n");
  const Node set = Node(value, "file").at("set");
  EXPECT_ERROR(set.positive("radius"), Code::kBadSpec, "line 3: simplex: radius must be positive (radius = -2)");
  EXPECT_ERROR(set.number("scale"), Code::kBadSpec, "line 5: simplex: scale must be a finite number (scale = inf)");
  set.type();
  EXPECT_ERROR(set.refuse_unknown_keys(), Code::kBadSpec,
               "line 4: simplex: unknown key \"size\" (known keys: radius, scale, type)");
}

}  // namespace
}  // namespace tarry::spec
