#include "tarry/model/model_spec.h"

#include <gtest/gtest.h>

#include "tarry/model/tasks.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

std::string json_of(const std::string& spec) { return ModelSpec::parse(spec).json(); }

TEST(ModelSpec, IsTheSameTextHoweverItIsWritten) {
  const std::string plain = R"({"set": {"type": "box", "dimension": 2, "lower": -1, "upper": 1},
      "learner": {"type": "delayed_ofw", "eta": 2}, "loss": "squared", "expiry": {"rounds": 2}})";
  const std::string turned = R"({"expiry": {"then": "drop", "rounds": 2}, "loss": {"type": "squared"},
      "standardise": false, "names": [], "initial": [],
      "learner": {"eta": 2.0, "type": "delayed_ofw"}, "set": {"upper": 1, "lower": -1.0, "dimension": 2, "type": "box"}})";
  EXPECT_EQ(json_of(plain), json_of(turned));
  EXPECT_EQ(json_of(json_of(plain)), json_of(plain));
  EXPECT_EQ(json_of(plain), R"({"set": {"type": "box", "dimension": 2, "lower": -1, "upper": 1}, )"
                            R"("learner": {"type": "delayed_ofw", "eta": 2}, "loss": {"type": "squared"}, )"
                            R"("expiry": {"rounds": 2, "then": "drop"}})");
}

TEST(ModelSpec, ATaskIsItsExpansion) {
  for (const TaskEntry& task : task_registry()) {
    for (const std::string& example : task.examples) {
      const ModelSpec spec = ModelSpec::parse(example);
      const std::string expanded = spec.json();
      EXPECT_EQ(expanded.find("\"task\""), std::string::npos);
      EXPECT_EQ(json_of(expanded), expanded) << example;
    }
  }
  for (const std::string small :  // those above are large
       {R"({"task": "regression", "features": {"capacity": 16}})",
        R"({"task": "binary", "features": {"capacity": 16}})",
        R"({"task": "classes", "features": {"capacity": 16}, "classes": ["a", "b"]})",
        R"({"task": "choose", "features": {"capacity": 16}, "actions": ["a", "b"]})",
        R"({"task": "ratings", "users": 3, "items": 4})", R"({"task": "allocation", "options": ["a", "b"]})"}) {
    const ModelSpec spec = ModelSpec::parse(small);
    EXPECT_EQ(make_model(spec).hash(), make_model(ModelSpec::parse(spec.json())).hash()) << small;
  }
}

TEST(ModelSpec, EveryKeyCanBeGivenBesideTheTask) {
  const auto with = [](const std::string& task, const std::string& key, const std::string& value) {
    const ModelSpec spec = ModelSpec::parse(R"({"task": ")" + task + R"(", ")" + key + R"(": )" + value + "}");
    const spec::Value whole = spec.to_value();
    const spec::Value* found = whole.find(key);
    return found == nullptr ? "absent" : spec::to_json(*found);
  };
  EXPECT_EQ(with("binary", "set", R"({"type": "l2_ball", "dimension": 262144, "radius": 3})"),
            R"({"type": "l2_ball", "dimension": 262144, "radius": 3})");
  EXPECT_EQ(with("binary", "learner", R"({"type": "adagrad"})"), R"({"type": "adagrad"})");
  EXPECT_EQ(with("binary", "loss", R"("hinge")"), R"({"type": "hinge"})");
  EXPECT_EQ(with("binary", "standardise", "false"), "absent");
  EXPECT_NE(with("binary", "features", R"({"capacity": 64})").find(R"("capacity": 64)"), std::string::npos);
  EXPECT_EQ(with("binary", "expiry", R"({"rounds": 5})"), R"({"rounds": 5, "then": "drop"})");
  EXPECT_EQ(with("allocation", "names", R"(["x", "y"], "options": ["a", "b"])"), R"(["x", "y"])");
  EXPECT_EQ(with("allocation", "initial", R"([1, 0], "options": ["a", "b"])"), "[1, 0]");
  const std::string small =
      json_of(R"({"task": "classes", "features": {"capacity": 64}, "classes": 3, "products": 0})");
  EXPECT_NE(small.find(R"("dimension": 192)"), std::string::npos) << "the set follows the features: " << small;
}

TEST(ModelSpec, NamesAWrongKey) {
  const auto refused = [](const std::string& spec) {
    const Thrown thrown = thrown_by([&] { make_model(ModelSpec::parse(spec)); });
    EXPECT_EQ(thrown.code, Code::kBadSpec) << spec;
    return thrown.message;
  };
  const std::string set = R"("set": {"type": "simplex", "dimension": 2})", learner = R"("learner": {"type": "auto"})";
  EXPECT_EQ(refused("[1]"), "model: a model must be an object ([1] came)");
  EXPECT_EQ(refused("{" + learner + "}"), "model: set is missing (wanted a set)");
  EXPECT_EQ(refused("{" + set + "}"), "model: learner is missing (wanted a learner)");
  EXPECT_EQ(
      refused("{" + set + ", " + learner + R"(, "seed": 1})"),
      R"(model: unknown key "seed" (known keys: task, set, learner, loss, standardise, products, bends, trees, numbers, features, names, initial, expiry, labels, revisable, tracked, lost, choose))");
  EXPECT_EQ(refused("{" + set + ", " + learner + R"(, "standardise": 1})"),
            "model: standardise must be true or false (standardise = 1)");
  EXPECT_EQ(refused("{" + set + ", " + learner + R"(, "standardise": true})"),
            "standardise needs a loss: a gradient cannot be converted to other units");
  EXPECT_EQ(refused("{" + set + ", " + learner + R"(, "features": {}})"),
            "model: features need a loss: without one there is nothing to predict");
  EXPECT_EQ(refused("{" + set + ", " + learner + R"(, "loss": "squared", "features": {"capacity": 64}})"),
            "model: the set must have a weight for each of the 64 slots of the features (dimension = 2)");
  EXPECT_EQ(refused("{" + set + ", " + learner + R"(, "names": ["a"]})"),
            "model: names must have 2 entries, the set's dimension (1 came)");
  EXPECT_EQ(refused("{" + set + ", " + learner + R"(, "names": ["a", "a"]})"),
            R"(model: names must be an array of different names (names = ["a", "a"]))");
  EXPECT_EQ(refused("{" + set + ", " + learner + R"(, "expiry": {"hours": 1}})"),
            "expiry: give either rounds or seconds");
  EXPECT_EQ(refused(R"({"task": "magic"})"),
            R"(model: task must be one of regression, binary, classes, choose, ratings, allocation (task = "magic"))");
  EXPECT_EQ(refused(R"({"task": "allocation"})"), "model: options is missing (wanted an array of names)");
  EXPECT_NE(refused(R"({"task": "binary", "classes": 3})").find(R"(unknown key "classes")"), std::string::npos);
  EXPECT_EQ(refused(R"({"task": "classes", "classes": ["a"]})"),
            R"(model: classes must be at least two classes (classes = ["a"]))");
  EXPECT_NE(refused(R"({"task": "ratings", "range": [5, 1]})").find("range"), std::string::npos);
}

TEST(ModelSpec, TellsTheFirstDifference) {
  const auto difference = [](const std::string& a, const std::string& b) {
    return first_difference(spec::parse_json(a), spec::parse_json(b), "here", "there");
  };
  EXPECT_EQ(difference(R"({"a": 1})", R"({"a": 1})"), "");
  EXPECT_EQ(difference(R"({"learner": {"type": "x", "eta": 0.1}})", R"({"learner": {"type": "x", "eta": 0.2}})"),
            "learner.eta is 0.1 here and 0.2 there");
  EXPECT_EQ(difference(R"({"a": 1})", R"({"a": 1, "b": [2]})"), "b is absent here and [2] there");
  EXPECT_EQ(difference(R"({"a": {"c": {"d": 1}}})", R"({"a": {"c": {}}})"), "a.c.d is 1 here and absent there");
  EXPECT_EQ(difference(R"({"a": {"b": 1}})", R"({"a": 2})"), R"(a is {"b": 1} here and 2 there)");
}

}  // namespace
}  // namespace tarry
