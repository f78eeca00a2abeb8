// What the sets say of specifications that they cannot be.
#include "tarry/sets/registry.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tarry/sets/balls/ellipsoid.h"
#include "tarry/sets/balls/lp_ball.h"
#include "tarry/sets/polytopes/simplex.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

std::string refusal_of(const std::string& json) {
  const Thrown thrown = thrown_by([&] {
    const spec::Value value = spec::parse_json(json);
    make_set(spec::Node(value, "set"));
  });
  EXPECT_EQ(thrown.code, Code::kBadSpec) << json;
  return thrown.message;
}

TEST(SetSpecs, NameTheKeyTheRequirementAndTheValue) {
  EXPECT_EQ(refusal_of(R"({"type": "simplex", "dimension": 3, "radius": -2})"),
            "simplex: radius must be positive (radius = -2)");
  EXPECT_EQ(refusal_of(R"({"type": "l1_ball", "dimension": 0, "radius": 1})"),
            "l1_ball: dimension must be a whole number from 1 to 1099511627776 (dimension = 0)");
  EXPECT_EQ(refusal_of(R"({"type": "l2_ball", "dimension": 2})"), "l2_ball: radius is missing (wanted a number)");
  EXPECT_EQ(refusal_of(R"({"type": "linf_ball", "dimension": 2, "radius": 0})"),
            "linf_ball: radius must be positive (radius = 0)");
  EXPECT_EQ(refusal_of(R"({"type": "lp_ball", "dimension": 2, "p": 0.5, "radius": 1})"),
            "lp_ball: p must be at least 1 (p = 0.5)");
  EXPECT_EQ(refusal_of(R"({"type": "unit_simplex", "dimension": 2, "radius": "x"})"),
            "unit_simplex: radius must be a number (radius = \"x\")");
  EXPECT_EQ(refusal_of(R"({"type": "simplex", "dimension": 2, "center": 1})"),
            "simplex: unknown key \"center\" (known keys: type, dimension, radius)");
  EXPECT_EQ(refusal_of(R"({"type": "hypersimplex", "dimension": 3, "k": 4})"),
            "hypersimplex: k must be a whole number from 1 to 3 (k = 4)");
  EXPECT_EQ(refusal_of(R"({"type": "k_sparse", "dimension": 3, "k": 0, "radius": 1})"),
            "k_sparse: k must be a whole number from 1 to 3 (k = 0)");
  EXPECT_EQ(refusal_of(R"({"type": "nuclear_ball", "rows": 0, "cols": 2, "radius": 1})"),
            "nuclear_ball: rows must be a whole number from 1 to 1099511627776 (rows = 0)");
  EXPECT_EQ(refusal_of(R"({"type": "nuclear_ball", "rows": 1048576, "cols": 1048577, "radius": 1})"),
            "nuclear_ball: cols must be a whole number from 1 to 1048576 (cols = 1048577)");
}

TEST(SetSpecs, ComplainOfTheFirstKeyFirst) {
  for (const char* type : {"l1_ball", "l2_ball", "linf_ball", "lp_ball", "k_sparse", "hypersimplex"})
    EXPECT_EQ(refusal_of(R"({"type": ")" + std::string(type) + "\"}"),
              std::string(type) + ": dimension is missing (wanted a whole number from 1 to 1099511627776)");
}

TEST(SetSpecs, BoxesNameTheEntry) {
  EXPECT_EQ(refusal_of(R"({"type": "box", "lower": [0, 2], "upper": [1, 1]})"),
            "box: lower must be at most upper (entry 1: 2 and 1)");
  EXPECT_EQ(refusal_of(R"({"type": "box", "lower": [0], "upper": [1, 1]})"),
            "box: upper must have as many entries as lower (2 and 1)");
  EXPECT_EQ(refusal_of(R"({"type": "box", "lower": [0, 0], "upper": [1, 1], "dimension": 3})"),
            "box: dimension must be the length of lower, 2 (dimension = 3)");
  EXPECT_EQ(refusal_of(R"({"type": "box", "lower": 0, "upper": 1})"),
            "box: dimension is missing (wanted a whole number from 1 to 1099511627776)");
  EXPECT_EQ(refusal_of(R"({"type": "box", "lower": [], "upper": []})"),
            "box: lower must have at least one entry (lower = [])");
}

TEST(SetSpecs, EllipsoidsNameTheirMatrix) {
  EXPECT_EQ(refusal_of(R"({"type": "ellipsoid"})"), "ellipsoid: give either semi_axes or matrix");
  EXPECT_EQ(refusal_of(R"({"type": "ellipsoid", "semi_axes": [1, -1]})"),
            "ellipsoid: every semi-axis must be positive (every semi-axis = -1)");
  EXPECT_EQ(refusal_of(R"({"type": "ellipsoid", "semi_axes": [1, 1], "center": [0]})"),
            "ellipsoid: center must have 2 entries (1 came)");
  EXPECT_EQ(refusal_of(R"({"type": "ellipsoid", "matrix": [[1, 0], [0]]})"),
            "ellipsoid: matrix[1] must be 2 numbers, as many as there are rows, but has 1 (matrix[1] = [0])");
  EXPECT_EQ(refusal_of(R"({"type": "ellipsoid", "matrix": [[1, 0], [0, -1]]})"),
            "ellipsoid: matrix must be positive definite (its eigenvalues reach from -1 to 1)");
}

TEST(SetSpecs, GroupsMustPartitionTheIndices) {
  EXPECT_EQ(refusal_of(R"({"type": "group_ball", "groups": [[0, 1], [1]], "p": 2, "radius": 1})"),
            "group_ball: groups must hold each of the indices 0 to 2 once (index 1 breaks this)");
  EXPECT_EQ(refusal_of(R"({"type": "group_ball", "groups": [[0], [2]], "p": 2, "radius": 1})"),
            "group_ball: groups must hold each of the indices 0 to 1 once (index 2 breaks this)");
  EXPECT_EQ(refusal_of(R"({"type": "group_ball", "groups": [[0], []], "p": 2, "radius": 1})"),
            "group_ball: group 1 is empty");
  EXPECT_EQ(refusal_of(R"({"type": "group_ball", "groups": [], "p": 2, "radius": 1})"),
            "group_ball: groups must have at least one entry (groups = [])");
}

TEST(Sets, KnowTheirConstants) {
  EXPECT_EQ(Simplex(1, 3).diameter(), 0);
  EXPECT_DOUBLE_EQ(Simplex(5, 3).diameter(), 3 * std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(LpBall(16, 4, 1.5).diameter(), 2 * 1.5 * 2);
  EXPECT_FALSE(LpBall(4, 3, 1).strong_convexity());
  EXPECT_FALSE(LpBall(4, 1, 1).strong_convexity());
  EXPECT_DOUBLE_EQ(*LpBall(16, 4.0 / 3, 2).strong_convexity(), (1.0 / 3) * std::pow(16, -0.25) / 2);
  EXPECT_DOUBLE_EQ(*LpBall(16, 1.5, 2).gauge_curvature(), 0.125);
  EXPECT_DOUBLE_EQ(Ellipsoid({1, 0.5, 2}, {}).strong_convexity(), 0.125);
  EXPECT_FALSE(Ellipsoid({1, 2}, {1, 0}).gauge_curvature());
}

TEST(Sets, AHugeDimensionCostsNothingUntilItIsPlayed) {
  const spec::Value value = spec::parse_json(R"({"type": "l1_ball", "dimension": 1099511627776, "radius": 1})");
  EXPECT_EQ(make_set(spec::Node(value, "set")).dimension(), Index{1} << 40);
}

}  // namespace
}  // namespace tarry
