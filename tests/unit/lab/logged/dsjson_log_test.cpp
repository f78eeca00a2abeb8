#include <gtest/gtest.h>

#include "tarry/lab/logged/read_log.h"
#include "unit/data/memory_text.h"
#include "unit/expect_error.h"

namespace tarry::lab {
namespace {

Logged read(const std::string& text) {
  data::TextLines lines = data::text_lines("log", text);
  return read_dsjson_log(lines);
}

std::string event(const std::string& label, const std::string& context) {
  return "{" + label + R"(, "c": )" + context + "}\n";
}

const std::string kLabel = R"("_label_cost": -2.5, "_label_probability": 0.7, "_label_Action": 2)";
const std::string kTwo = R"({"_multi": [{"_tag": "a"}, {"_tag": "b"}]})";

TEST(DsjsonLog, NamesArePathsAndUnderscoresAreNoFeatures) {
  const std::string user = R"("User": [{"city": "Bern"}, {"age": 31, "_secret": 1}], "tags": ["x", "y"], )";
  const std::string place = R"("Geo": {"at": [1.5, 2.5], "new": true}, "_synthetic": false, )";
  const std::string actions = R"("_multi": [{"_tag": "a", "Topic": {"kind": "k"}}, {"_tag": "b"}])";
  const Logged log = read(event(kLabel, "{" + user + place + actions + "}"));
  NamedFeatures row;
  log.data.named.write(0, row);
  EXPECT_EQ(to_json(row), to_json({{"User.city", "Bern"},
                                   {"User.age", 31.0},
                                   {"tags", "x"},
                                   {"tags.2", "y"},
                                   {"Geo.at.0", 1.5},
                                   {"Geo.at.1", 2.5},
                                   {"Geo.new", true}}));
  EXPECT_EQ(log.choices[0].actions->front(), (Action{"a", {{"Topic.kind", "k"}}}));
  EXPECT_EQ(log.data.labels[0], 2.5) << "minus the cost";
}

TEST(DsjsonLog, ProbabilitiesGoWithTheOrderOfActions) {
  const std::string all = kLabel + R"(, "a": [2, 1], "p": [0.7, 0.3])";
  const LoggedChoice choice = read(event(all, kTwo)).choices.at(0);
  EXPECT_EQ(choice.taken, 1u);
  EXPECT_EQ(choice.probabilities, (Vec{0.3, 0.7}));
  EXPECT_TRUE(read(event(kLabel + R"(, "a": [0, 1], "p": [0.7, 0.3])", kTwo)).choices.at(0).probabilities.empty());
  EXPECT_TRUE(read(event(kLabel, kTwo)).choices.at(0).probabilities.empty());
}

TEST(DsjsonLog, AnActionIsKnownByItsIdOrElseByItsPlace) {
  const auto ids = [](const std::string& multi) {
    const Logged log = read(event(kLabel, R"({"_multi": [)" + multi + "]}"));
    std::string all;
    for (const Action& action : *log.choices.at(0).actions) all += action.id + " ";
    return all;
  };
  EXPECT_EQ(ids(R"({"i": {"constant": 1, "id": "pasta"}}, {"_tag": "salad"})"), "pasta salad ");
  EXPECT_EQ(ids(R"({"_tag": "tag"}, {"_tag": "tag"})"), "1 2 ");
  EXPECT_EQ(ids(R"({"x": 1}, {"x": 2})"), "1 2 ");
}

TEST(DsjsonLog, WhatIsNoChoiceIsLeftOut) {
  const Logged log = read(R"({"RewardValue": 1, "EventId": "x"})"
                          "\n" +
                          event(kLabel, kTwo) + event(kLabel + R"(, "_skipLearn": true)", kTwo));
  EXPECT_EQ(log.choices.size(), 1u);
  EXPECT_EQ(log.read_as.front(), "1 choices, as Vowpal Wabbit and Personalizer write them; 2 events without a choice");
}

TEST(DsjsonLog, SaysWhatIsWrongAndWhere) {
  EXPECT_ERROR(read("\n" + event(R"("_label_cost": 0, "_label_probability": 0, "_label_Action": 1)", kTwo)),
               Code::kBadInput, "log: line 2: _label_probability must be above 0 and at most 1 (0 came)");
  EXPECT_ERROR(
      read(event(R"("_label_cost": 0, "_label_probability": 1e-300, "_label_Action": 1)", kTwo)), Code::kBadInput,
      "log: line 1: _label_probability must be at least 1e-9, or one round would outweigh all others (1e-300 came)");
  EXPECT_ERROR(read(event(R"("_label_cost": 0, "_label_probability": 1, "_label_Action": 3)", kTwo)), Code::kBadInput,
               "log: line 1: event: _label_Action must be a whole number from 1 to 2 (_label_Action = 3)");
  EXPECT_ERROR(read(event(kLabel, R"({"_multi": [{}, {}], "_slots": []})")), Code::kBadInput,
               "log: line 1: _slots: a log of several slots cannot be judged");
}

}  // namespace
}  // namespace tarry::lab
