#include "tarry/model/tasks.h"

#include <gtest/gtest.h>

#include <string>

#include "tarry/base/error.h"
#include "tarry/model/model_spec.h"
#include "tarry/spec/json.h"

namespace tarry {
namespace {

ModelSpec read(const std::string& spec) { return ModelSpec::read(spec::parse_json(spec)); }

TEST(Tasks, OfOneScoreGrowTreesUnlessSomethingElseIsSaid) {
  for (const std::string task : {"binary", "regression"}) {
    const std::string begin = R"({"task": ")" + task + "\"";
    EXPECT_TRUE(read(begin + "}").trees) << task;
    EXPECT_TRUE(read(begin + R"(, "expiry": {"rounds": 9}})").trees) << task;
    EXPECT_TRUE(read(begin + R"(, "bends": false, "trees": true})").trees) << task;
    for (const std::string said : {R"("trees": false)", R"("bends": false)", R"("products": 0)",
                                   R"("standardise": false)", R"("learner": {"type": "adagrad"})",
                                   R"("revisable": {"rounds": 9})", R"("tracked": 9)", R"("lost": "random")"})
      EXPECT_FALSE(read(begin + ", " + said + "}").trees) << task << " " << said;
  }
  EXPECT_FALSE(read(R"({"task": "classes"})").trees);
  EXPECT_FALSE(read(R"({"task": "choose"})").trees);
}

TEST(Tasks, TreesAreRefusedWhereLabelsAreCorrected) {
  EXPECT_THROW(make_model(read(R"({"task": "binary", "trees": true, "revisable": {"rounds": 9}})")), Error);
}

TEST(Tasks, WhatTheyMeantBeforeTheyChoseMoreByThemselves) {
  const auto meant = [](const std::string& given) {
    std::vector<std::string> all;
    for (const spec::Value& one : earlier_meanings(spec::parse_json(given))) {
      const ModelSpec spec = ModelSpec::read(one);
      all.push_back(std::string(spec.products > 0 ? "p" : "") + (spec.bends > 0 ? "b" : "") + (spec.trees ? "t" : ""));
    }
    return all;
  };
  EXPECT_EQ(meant(R"({"task": "binary"})"), (std::vector<std::string>{"pb", "p", ""}));
  EXPECT_EQ(meant(R"({"task": "regression", "trees": true})"), (std::vector<std::string>{"pbt", "pt", "t"}));
  EXPECT_EQ(meant(R"({"task": "classes"})"), std::vector<std::string>{""});
  EXPECT_TRUE(meant(R"({"task": "choose"})").empty());
  EXPECT_TRUE(meant(read(R"({"task": "binary"})").json()).empty());  // in full, nothing is left out
}

}  // namespace
}  // namespace tarry
