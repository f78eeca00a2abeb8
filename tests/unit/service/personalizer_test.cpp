// What Personalizer's clients send, read; and configurations there and back.
#include <gtest/gtest.h>

#include "tarry/base/error.h"
#include "tarry/model/model_spec.h"
#include "tarry/service/personalizer/configuration.h"
#include "tarry/service/personalizer/requests.h"
#include "tarry/spec/json.h"

namespace tarry::service::personalizer {
namespace {

TEST(PersonalizerDuration, IsAsIsoWritesIt) {
  EXPECT_EQ(read_duration("PT10M"), 600);
  EXPECT_EQ(read_duration("P1DT12H"), 129'600);
  EXPECT_EQ(read_duration("P2W"), 1'209'600);
  EXPECT_EQ(read_duration("PT1H2M3.5S"), 3723.5);
  EXPECT_EQ(read_duration(duration_text(90)), 90);
  for (const char* wrong :
       {"", "P", "PT", "P1DT", "10M", "PT10", "PTM", "PT5M1H", "PT1M1M", "P-1D", "PT0S", "PT1e3S", "P1Y", "PTinfS"})
    EXPECT_THROW(read_duration(wrong), Error) << wrong;
}

TEST(PersonalizerConfiguration, ComesBackFromTheModelItMakes) {
  const std::string given =
      R"({"rewardWaitTime": "PT10M", "defaultReward": 0.5, "rewardAggregation": "sum", "explorationPercentage": 0.25})";
  const ModelSpec made = ModelSpec::read(specification_of(spec::parse_json(given)));
  const std::string told = configuration_of(made.json());
  for (const char* part : {R"("rewardWaitTime": "PT600S")", R"("defaultReward": 0.5)", R"("rewardAggregation": "sum")",
                           R"("explorationPercentage": 0.25)"})
    EXPECT_NE(told.find(part), std::string::npos) << told;
  EXPECT_EQ(ModelSpec::read(specification_of(spec::parse_json(told))).json(), made.json());
  EXPECT_THROW(specification_of(spec::parse_json("[]")), hosting::Rejection);
}

TEST(PersonalizerConfiguration, LeavesOutWhatTheModelHasNoNumberFor) {
  const std::string told = configuration_of(ModelSpec::parse(R"({"task": "choose"})").json());
  for (const char* key : {"rewardWaitTime", "defaultReward", "explorationPercentage"})
    EXPECT_EQ(told.find(key), std::string::npos) << told;
}

TEST(PersonalizerEventId, IsReadFromAnAddress) {
  EXPECT_EQ(read_event_id("a%2Fb%20c"), "a/b c");
  EXPECT_EQ(read_event_id(std::string(256, 'x')), std::string(256, 'x'));
  for (const std::string& wrong :
       {std::string("%"), std::string("%4"), std::string("a%zz"), std::string("%+1"), std::string(257, 'x')})
    EXPECT_THROW(read_event_id(wrong), hosting::Rejection) << wrong;
}

TEST(PersonalizerRank, FlattensFeatures) {
  const Rank rank = read_rank(spec::parse_json(
      R"({"actions": [{"id": "a", "features": [{"x": 1}, {"x": {"y": [1, "two", null]}}, {"x": 2}]}], "excludedActions": ["b"],
          "contextFeatures": [{"action": {"of": true}, "_left": "out", "none": null, "empty": {}}], "eventId": null})"));
  EXPECT_EQ(rank.choosing.context, (NamedFeatures{{"context.action.of", true}}));
  EXPECT_EQ(rank.choosing.actions.at(0).features,
            (NamedFeatures{{"x", 1.0}, {"x.y.0", 1.0}, {"x.y.1", std::string("two")}, {"x#2", 2.0}}));
  EXPECT_TRUE(rank.choosing.exclude.empty());
  EXPECT_EQ(rank.event_id.size(), 36u);
  EXPECT_FALSE(rank.deferred);
}

}  // namespace
}  // namespace tarry::service::personalizer
