#include "tarry/model/replay.h"

#include <gtest/gtest.h>

#include "unit/expect_error.h"

namespace tarry {
namespace {

constexpr const char* kHeader = R"({"format": "tarry-replay/1", "set": {"type": "simplex", "dimension": 2},)"
                                R"( "learner": {"type": "delayed_ofw", "eta": 0.5}})";

class ReplayTest : public testing::Test {
 protected:
  Replay replay_;

  void start() { replay_.line(kHeader); }
};

TEST_F(ReplayTest, PlaysAGame) {
  start();
  ASSERT_TRUE(replay_.started());
  EXPECT_EQ(replay_.line(R"({"play": 1})"), R"({"round": 1, "decision": [0.5, 0.5]})");
  EXPECT_EQ(replay_.line(R"({"receive": 1, "gradient": [1, 0]})"), "");
  EXPECT_TRUE(replay_.line(R"({"play": 2})").starts_with(R"({"round": 2, "decision": [0.)"));
  EXPECT_LT(replay_.model().decision()[0], 0.5);
  replay_.finish();
}

TEST_F(ReplayTest, SkipsBlankLinesButCountsThem) {
  replay_.line("");
  replay_.line(" \t\r");
  start();
  replay_.line("");
  EXPECT_ERROR(replay_.line("{"), Code::kBadInput,
               "line 5: not valid JSON (a bracket, comma or quote is out of place)");
}

TEST_F(ReplayTest, SparseFeedbackMayComeInAnyOrder) {
  Replay other;
  for (Replay* replay : {&replay_, &other}) {
    replay->line(R"({"format": "tarry-replay/1", "set": {"type": "l1_ball", "dimension": 9, "radius": 1},)"
                 R"( "learner": {"type": "delayed_ofw_sc", "beta": 1}})");
    replay->line(R"({"play": 1})");
  }
  replay_.line(R"({"receive": 1, "indices": [7, 2, 4], "values": [3, -1, 2]})");
  other.line(R"({"receive": 1, "gradient": [0, 0, -1, 0, 2, 0, 0, 3, 0]})");
  EXPECT_EQ(replay_.line(R"({"play": 2})"), other.line(R"({"play": 2})"));
}

TEST_F(ReplayTest, AnEmptyLogIsRefused) {
  EXPECT_ERROR(replay_.finish(), Code::kBadInput, "the log is empty (its first line must be a header)");
}

TEST_F(ReplayTest, SaysWhatIsWrongWithAHeader) {
  const auto refused = [](const std::string& header) { return thrown_by([&] { Replay().line(header); }).message; };
  const std::string set = R"("set": {"type": "simplex", "dimension": 2})";
  const std::string learner = R"("learner": {"type": "delayed_ofw", "eta": 0.5})";
  const std::string format = R"({"format": "tarry-replay/1", )";
  EXPECT_EQ(refused("[1]"), "line 1: header must be an object with named keys ([1])");
  EXPECT_EQ(refused(R"({"play": 1})"), "line 1: header: format is missing (wanted a text)");
  EXPECT_EQ(refused(R"({"format": "tarry-replay/3"})"),
            "line 1: header: format must be \"tarry-replay/1\" or \"tarry-replay/2\" (format = \"tarry-replay/3\")");
  EXPECT_EQ(refused(format + learner + "}"), "line 1: header: set is missing (wanted a set's spec)");
  EXPECT_EQ(refused(format + set + "}"), "line 1: header: learner is missing (wanted a learner's spec)");
  EXPECT_EQ(refused(format + set + ", " + learner + R"(, "seed": 1})"),
            "line 1: header: unknown key \"seed\" (known keys: format, set, learner, initial)");
  EXPECT_EQ(refused(format + R"("set": {"type": "cube"}, )" + learner + "}").substr(0, 50),
            "line 1: unknown set type \"cube\" (known types: l1_b");
  EXPECT_EQ(refused(format + R"("set": {"type": "simplex", "dimension": 2, "radius": -2}, )" + learner + "}"),
            "line 1: simplex: radius must be positive (radius = -2)");
  EXPECT_EQ(refused(format + R"("set": {"type": "simplex", "dimension": 2, "radius": 5e-324}, )" + learner + "}"),
            "line 1: simplex: radius must be at least 1e-290 (radius = 5e-324)");
  EXPECT_EQ(refused(format + set + R"(, "learner": {"type": "delayed_ofw"}})"),
            "line 1: delayed_ofw: give eta, or horizon and gradient_bound");
  EXPECT_EQ(
      refused(format + set + R"(, "learner": {"type": "delayed_ofw", "horizon": 9, "gradient_bound": 1,)" +
              R"( "setting": "strongly_convex_set"}})"),
      "line 1: delayed_ofw: setting = \"strongly_convex_set\" needs a strongly convex set, but this set is not one");
}

TEST_F(ReplayTest, SaysWhatIsWrongWithAnInitialPoint) {
  const auto refused = [](const std::string& initial) {
    std::string header(kHeader);
    header.insert(header.size() - 1, ", \"initial\": " + initial);
    return thrown_by([&] { Replay().line(header); }).message;
  };
  EXPECT_EQ(refused("[]"),
            "line 1: header: initial must be an array of numbers, one for each coordinate (initial = [])");
  EXPECT_EQ(refused("[1]"), "line 1: initial must have 2 entries, the set's dimension (1 came)");
  EXPECT_EQ(refused("[1, 1]"), "line 1: initial must lie in the set (initial = [1, 1])");
  EXPECT_EQ(refused("3"), "line 1: header: initial must be an array of numbers (initial = 3)");
  EXPECT_EQ(refused("[0.25, 0.75]"), "nothing was thrown");
}

TEST_F(ReplayTest, SaysWhatIsWrongWithAnEvent) {
  start();
  replay_.line(R"({"play": 1})");
  int line = 2;
  const auto refused = [&](const std::string& event) {
    const Thrown thrown = thrown_by([&] { replay_.line(event); });
    const std::string place = "line " + std::to_string(++line) + ": ";
    EXPECT_TRUE(thrown.message.starts_with(place)) << thrown.message;
    EXPECT_TRUE(thrown.code == Code::kBadInput || thrown.code == Code::kBadSpec) << thrown.message;
    return thrown.message.substr(std::min(place.size(), thrown.message.size()));
  };
  EXPECT_EQ(refused("3"), "event must be an object with named keys (3)");
  EXPECT_EQ(refused("{}"), "an event must have either \"play\" or \"receive\" ({} came)");
  EXPECT_EQ(refused(R"({"play": 2, "receive": 1})"),
            "an event must have either \"play\" or \"receive\" ({\"play\": 2, \"receive\": 1} came)");
  EXPECT_EQ(refused(R"({"play": 3})"), "play must be the next round, 2 (play = 3)");
  EXPECT_EQ(refused(R"({"play": 1})"), "play must be the next round, 2 (play = 1)");
  EXPECT_EQ(refused(R"({"play": 0})"), "event: play must be a whole number from 1 to 9007199254740992 (play = 0)");
  EXPECT_EQ(refused(R"({"play": "x"})"),
            "event: play must be a whole number from 1 to 9007199254740992 (play = \"x\")");
  EXPECT_EQ(
      refused(R"({"play": 2, "gradient": [1, 1]})"),
      "event: unknown key \"gradient\" (known keys: play, key, features, now, due, context, actions, exclude, shown)");
  EXPECT_EQ(refused(R"({"receive": 1})"),
            "a receive must have either \"gradient\", or \"indices\" and \"values\" (neither came)");
  EXPECT_EQ(refused(R"({"receive": 1, "gradient": [1, 1], "indices": [0]})"),
            "a receive must have either \"gradient\", or \"indices\" and \"values\" (both came)");
  EXPECT_EQ(refused(R"({"receive": 1, "indices": [0]})"), "event: values is missing (wanted an array of numbers)");
  EXPECT_EQ(refused(R"({"receive": 1, "values": [0]})"), "event: indices is missing (wanted an array of indices)");
  EXPECT_EQ(refused(R"({"receive": 1, "indices": [0.5], "values": [0]})"),
            "event: indices must be an array of whole numbers (indices = [0.5])");
  EXPECT_EQ(refused(R"({"receive": 1, "indices": [2], "values": [0]})"), "indices must be from 0 to 1 (2 came)");
  EXPECT_EQ(refused(R"({"receive": 1, "indices": [1, 0, 1], "values": [1, 2, 3]})"),
            "indices must be ascending, each once (1 after 1)");
  EXPECT_EQ(refused(R"({"receive": 1, "indices": [1, 0], "values": [1]})"),
            "values must have as many entries as indices (1 and 2 came)");
  EXPECT_EQ(refused(R"({"receive": 1, "gradient": [1]})"),
            "gradient must have 2 entries, the set's dimension (1 came)");
  EXPECT_EQ(refused(R"({"receive": 1, "gradient": [1, null]})"),
            "event: gradient must be an array of numbers (gradient = [1, null])");
  EXPECT_EQ(refused(R"({"receive": 1, "gradient": [1, 1e200]})"),
            "event: gradient must be an array of finite numbers of at most 1e100 in size, but entry 1 is 1e+200 "
            "(gradient = [1, 1e+200])");
  EXPECT_EQ(refused(R"({"receive": 1, "gradient": [1, 1], "weight": 1})"),
            "event: unknown key \"weight\" (known keys: receive, gradient, indices, values)");
  EXPECT_EQ(refused(R"({"receive": 2, "gradient": [1, 1]})"),
            "round 2 has not been played (receive = 2, last play = 1)");
  replay_.line(R"({"receive": 1, "gradient": [1, 1]})");
  ++line;
  EXPECT_EQ(refused(R"({"receive": 1, "gradient": [1, 1]})"), "round 1 was answered before (receive = 1)");
}

}  // namespace
}  // namespace tarry
