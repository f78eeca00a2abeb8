// What a model answers is a value with one form as JSON.
#include "tarry/model/reply.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tarry/base/error.h"
#include "tarry/model/model_spec.h"

namespace tarry {
namespace {

TEST(PlayReply, ComesBackFromItsJsonToTheBit) {
  const double odd = 0.1 + 0.2;
  const std::vector<PlayReply> all{
      {.round = 1},
      {.round = kLastRound, .prediction = ShownPrediction{.value = odd}},
      {.round = 2, .prediction = ShownPrediction{.value = -0.0}},
      {.round = 2, .prediction = ShownPrediction{.value = 1e300}, .answer = Answer::kDuplicate},
      {.round = 3,
       .prediction = ShownPrediction{.value = "a \"class\"\n", .scores = {{{"a \"class\"\n", 1}, {"", odd}}}}},
      {.round = 4, .prediction = ShownPrediction{.scores = {{}}}},  // no class has a name yet
      {.round = 5, .decision = ShownDecision{.x = {}, .names = {}}},
      {.round = 6, .decision = ShownDecision{.x = {odd, -0.0, 5e-324, 9007199254740993.0}, .names = {}}},
      {.round = 7, .decision = ShownDecision{.x = {1, 2}, .names = {"one", "two"}}},
      {.round = 8, .sample = SparseVector{.indices = {0, Index{1} << 40}, .values = {odd, 1}}},
      {.round = 9, .sample = SparseVector{}},
  };
  for (const PlayReply& reply : all) {
    const std::string json = to_json(reply);
    const PlayReply read = read_play_reply(json);
    EXPECT_EQ(read, reply) << json;
    EXPECT_EQ(to_json(read), json);
  }
  const PlayReply zero = read_play_reply(to_json(all[2]));
  EXPECT_TRUE(std::signbit(std::get<double>(*zero.prediction->value)));
}

// What models answered before replies were values, as stores and topics hold it.
TEST(PlayReply, IsReadAsItWasWrittenBefore) {
  for (const char* json :
       {R"({"round": 7, "prediction": 0.25})", R"({"round": 7, "prediction": 1})",
        R"({"round": 7, "prediction": "yes", "scores": {"no": 0.25, "yes": 0.75}})",
        R"({"round": 1, "prediction": null, "scores": {}})",
        R"({"round": 1, "prediction": 2, "scores": {"0": 0.2, "1": 0.3, "2": 0.5}})",
        R"({"round": 1, "decision": [1, -0.0, 1e-05], "allocation": {"a": 1, "b": -0.0, "c": 1e-05}})",
        R"({"round": 1, "decision": [0.5], "sample": {"indices": [0], "values": [1]}})",
        R"({"round": 2, "answer": "duplicate"})"})
    EXPECT_EQ(to_json(read_play_reply(json)), json);
}

TEST(PlayReply, OfOtherTextIsRefused) {
  for (const char* json :
       {"", "7", "{}", R"({"round": -1})", R"({"round": 1, "answer": "perhaps"})", R"({"round": 1, "prediction": [1]})",
        R"({"round": 1, "decision": ["a"]})", R"({"round": 1, "decision": [1], "allocation": {"a": 1, "b": 2}})",
        R"({"round": 1, "sample": {"values": [1]}})"}) {
    try {
      read_play_reply(json);
      FAIL() << json;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kCorrupt) << json;
    }
  }
}

}  // namespace
}  // namespace tarry
