#include "tarry/spec/node.h"

#include <gtest/gtest.h>

#include "tarry/spec/json.h"
#include "tarry/spec/registry.h"
#include "unit/expect_error.h"

namespace tarry::spec {
namespace {

class NodeTest : public testing::Test {
 protected:
  Value value_ = parse_json(R"({"type": "ball", "radius": -2, "n": 2.5, "k": 3.0, "big": 1e101, "name": "x", "flag": 1,
                                "list": [1, 2.5], "mixed": [1, "x"], "far": [0, 1e200], "dimension": 0, "nested": {"a": 1}})");
  Node node_{value_, "set"};
};

TEST_F(NodeTest, ReadsWhatIsThere) {
  EXPECT_EQ(node_.type(), "ball");
  EXPECT_EQ(node_.owner(), "ball");
  EXPECT_EQ(node_.number("radius"), -2);
  EXPECT_EQ(node_.at("k").integer(), 3);
  EXPECT_EQ(node_.text("name"), "x");
  EXPECT_EQ(node_.numbers("list"), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(node_.at("mixed").list().size(), 2u);
  EXPECT_EQ(node_.number_or("absent", 7), 7);
  EXPECT_EQ(node_.positive_or("absent", 7), 7);
  EXPECT_EQ(node_.text_or("absent", "y"), "y");
  EXPECT_EQ(node_.at("nested").number("a"), 1);
  EXPECT_TRUE(node_.at("nested").is_object());
  EXPECT_TRUE(node_.at("name").is_text());
  EXPECT_TRUE(node_.at("n").is_number());
  EXPECT_FALSE(node_.has("absent"));
}

TEST_F(NodeTest, SaysWhoAskedForWhatAndWhatCame) {
  EXPECT_ERROR(node_.positive("radius"), Code::kBadSpec, "ball: radius must be positive (radius = -2)");
  EXPECT_ERROR(node_.number("name"), Code::kBadSpec, "ball: name must be a number (name = \"x\")");
  EXPECT_ERROR(node_.number("big"), Code::kBadSpec, "ball: big must be at most 1e100 in size (big = 1e+101)");
  EXPECT_ERROR(node_.number("absent"), Code::kBadSpec, "ball: absent is missing (wanted a number)");
  EXPECT_ERROR(node_.at("n").integer(), Code::kBadSpec, "ball: n must be a whole number (n = 2.5)");
  EXPECT_ERROR(node_.at("flag").flag(), Code::kBadSpec, "ball: flag must be true or false (flag = 1)");
  EXPECT_ERROR(node_.text("k"), Code::kBadSpec, "ball: k must be a text (k = 3)");
  EXPECT_ERROR(node_.numbers("mixed"), Code::kBadSpec, "ball: mixed must be an array of numbers (mixed = [1, \"x\"])");
  EXPECT_ERROR(node_.numbers("far"), Code::kBadSpec,
               "ball: far must be an array of finite numbers of at most 1e100 in size, but entry 1 is 1e+200 "
               "(far = [0, 1e+200])");
  EXPECT_ERROR(node_.at("list").integers(), Code::kBadSpec,
               "ball: list must be an array of whole numbers (list = [1, 2.5])");
  EXPECT_ERROR(node_.at("name").list(), Code::kBadSpec, "ball: name must be an array (name = \"x\")");
  EXPECT_ERROR(node_.at("mixed").list()[1].number(), Code::kBadSpec,
               "ball: mixed[1] must be a number (mixed[1] = \"x\")");
  EXPECT_ERROR(node_.dimension(), Code::kBadSpec,
               "ball: dimension must be a whole number from 1 to 1099511627776 (dimension = 0)");
  EXPECT_ERROR(node_.count("absent", 2, 5), Code::kBadSpec,
               "ball: absent is missing (wanted a whole number from 2 to 5)");
  EXPECT_ERROR(node_.at("name").has("a"), Code::kBadSpec,
               "ball: name must be an object with named keys (name = \"x\")");
  EXPECT_ERROR(node_.fail_whole("give this or that", Code::kUnsupported), Code::kUnsupported,
               "ball: give this or that");
}

TEST_F(NodeTest, RefusesKeysThatNobodyAskedFor) {
  for (const char* key : {"type", "radius", "n", "k", "big", "name", "flag", "list", "mixed", "far", "dimension"})
    node_.has(key);
  EXPECT_ERROR(node_.refuse_unknown_keys(), Code::kBadSpec,
               "ball: unknown key \"nested\" (known keys: type, radius, n, k, big, name, flag, list, mixed, far, "
               "dimension)");
  node_.has("nested");
  node_.refuse_unknown_keys();
}

TEST(Node, OfSomethingElseThanAnObject) {
  const Value number = parse_json("3"), untyped = parse_json("{}"), odd = parse_json(R"({"type": 3})");
  EXPECT_ERROR(Node(number, "set").type(), Code::kBadSpec, "set must be an object with named keys (3)");
  EXPECT_ERROR(Node(untyped, "set").type(), Code::kBadSpec, "set: type is missing (wanted a text)");
  EXPECT_ERROR(Node(odd, "set").type(), Code::kBadSpec, "set: type must be a text (type = 3)");
}

struct Shape {
  std::string name;
  int (*make)(const Node&, int);
};

TEST(Registry, FindsMakesAndRefuses) {
  const Shape shapes[] = {{"disc", [](const Node& node, int x) { return x + static_cast<int>(node.number("r")); }},
                          {"line", [](const Node&, int) -> int { throw Error(Code::kUnsupported, "line: too thin"); }}};
  const auto made = [&](const char* json) {
    const Value value = parse_json(json);
    return make_registered(std::span<const Shape>(shapes), "shape", Node(value, "shape"), 10);
  };
  EXPECT_EQ(made(R"({"type": "disc", "r": 2})"), 12);
  EXPECT_ERROR(made(R"({"type": "cube"})"), Code::kBadSpec, "unknown shape type \"cube\" (known types: disc, line)");
  EXPECT_ERROR(made(R"({"type": "disc", "r": 2, "s": 1})"), Code::kBadSpec,
               "disc: unknown key \"s\" (known keys: type, r)");
  EXPECT_ERROR(made(R"({"type": "line"})"), Code::kUnsupported, "line: too thin");
}

}  // namespace
}  // namespace tarry::spec
