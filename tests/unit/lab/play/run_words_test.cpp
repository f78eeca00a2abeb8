// The words of experiments ("rounds", "stream", "delays"), and horizons: what one run is made of.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tarry/lab/play/run.h"
#include "tarry/spec/json.h"
#include "tarry/spec/toml.h"
#include "unit/expect_error.h"

namespace tarry::lab {
namespace {

Experiment experiment_of(const std::string& toml) { return read_experiment(spec::parse_toml(toml)); }

RunResult run_first(const Experiment& e, std::uint64_t seed = 1) {
  const Stream stream = make_stream(spec::Node(e.streams[0].spec, "stream"), e.rounds, seed);
  return play_run(e, stream, {&e.streams[0], &e.delays[0], &e.learners[0], seed}, {});
}

// The summed loss of one learner on gradients of norm 2 in three dimensions.
double loss_of(const std::string& learner, const std::string& delay = "type = \"fixed\"\ndelay = 3",
               std::uint64_t seed = 1) {
  return run_first(experiment_of(
                       "rounds = 50\n[set]\ntype = \"l2_ball\"\ndimension = \"stream\"\nradius = 1\n[stream]\ntype = "
                       "\"random_linear\"\ndimension = 3\nbound = 2\n[delay]\n" +
                       delay + "\n[[learners]]\n" + learner),
                   seed)
      .curves.loss.back();
}

void expect_word(const std::string& word, const std::string& number, const std::string& other_number) {
  EXPECT_EQ(loss_of(word), loss_of(number)) << word;
  EXPECT_NE(loss_of(word), loss_of(other_number)) << word;
}

TEST(Words, StandForTheirNumbers) {
  const std::string ofw = "type = \"delayed_ofw\"\n";
  expect_word(ofw + "horizon = \"rounds\"\ngradient_bound = 1", ofw + "horizon = 50\ngradient_bound = 1",
              ofw + "horizon = 51\ngradient_bound = 1");
  expect_word(ofw + "horizon = 50\ngradient_bound = \"stream\"", ofw + "horizon = 50\ngradient_bound = 2",
              ofw + "horizon = 50\ngradient_bound = 2.001");
  // Delay 3: before rounds 1, 2, 3, 4 … there are 0, 1, 2, 2 … outstanding, and at most 3 after a play.
  const std::string ogd = "type = \"delayed_ogd\"\nhorizon = 50\ngradient_bound = 2\n";
  expect_word(ogd + "mean_delay = \"delays\"", ogd + "mean_delay = 2.94", ogd + "mean_delay = 3");
  const auto bold = [](const std::string& horizon) {
    return "type = \"bold\"\nbase = { type = \"delayed_ofw\", gradient_bound = \"stream\", horizon = " + horizon + " }";
  };
  expect_word(bold("\"rounds_per_copy\""), bold("17"), bold("16"));
  expect_word(bold("\"rounds\""), bold("50"), bold("49"));
}

TEST(Words, RandomLearnersDrawByTheRunsSeedUnlessTheyNameTheirOwn) {
  const auto ospf = [](const std::string& more, std::uint64_t seed) {
    const Experiment e = experiment_of(
        "rounds = 60\n[set]\ntype = \"l2_ball\"\ndimension = 2\nradius = 1\n[stream]\ntype = \"constant\"\ndimension = "
        "2\n[[learners]]\ntype = \"delayed_ospf\"\nhorizon = \"rounds\"\ngradient_bound = \"stream\"\n" +
        more);
    return run_first(e, seed).curves.loss.back();
  };
  EXPECT_EQ(ospf("", 1), ospf("", 1));
  EXPECT_NE(ospf("", 1), ospf("", 2));
  EXPECT_EQ(ospf("seed = 2", 1), ospf("", 2));
  EXPECT_EQ(ospf("seed = 9", 1), ospf("seed = 9", 2));
}

// G of f(x) = x² + ⟨b, x⟩ with |b| ≤ √3 on a ball of radius 2 about 0 is at most √3 + 2·(0 + 4).
TEST(Words, TheGradientBoundOfCurvedLossesCountsTheirCurvature) {
  const auto loss = [](const std::string& bound) {
    return run_first(
               experiment_of("rounds = 40\n[set]\ntype = \"l2_ball\"\ndimension = 3\nradius = 2\n[stream]\ntype = "
                             "\"box_quadratic\"\ndimension = 3\ncurvature = 2\nlow = -1\nhigh = "
                             "1\n[[learners]]\ntype = \"delayed_ogd\"\nhorizon = 40\ngradient_bound = " +
                             bound))
        .curves.loss.back();
  };
  EXPECT_EQ(loss("\"stream\""), loss(fmt::format("{}", std::sqrt(3.0) + 2 * 4)));
}

TEST(Words, RoundsAndSetsFollowTheStream) {
  const Experiment e = experiment_of(
      "horizons = [5, 20, 30]\n[set]\ntype = \"l2_ball\"\ndimension = \"stream\"\nradius = 1\n[stream]\ntype = "
      "\"constant\"\ndimension = 7\n[[learners]]\ntype = \"gauge_ftrl\"");
  Stream stream = make_stream(spec::Node(e.streams[0].spec, "stream"), 30, 1);
  EXPECT_EQ(set_for(e.learners[0], stream).dimension(), 7);
  EXPECT_EQ(run_checkpoints(e, stream), (std::vector<Round>{5, 20, 30}));
  stream.rounds = 12;
  EXPECT_EQ(run_checkpoints(e, stream), (std::vector<Round>{5, 12}));
  EXPECT_EQ(run_rounds(0, stream), 12u);
  EXPECT_EQ(run_rounds(100, stream), 12u);
  EXPECT_EQ(run_rounds(3, stream), 3u);
  stream.rounds = 0;
  EXPECT_ERROR(run_rounds(0, stream), Code::kBadSpec, "experiment: rounds is missing (a synthetic stream has no end)");
  stream.dimension = 8;
  LearnerSpec seven = e.learners[0];
  seven.set = spec::parse_json(R"({"type": "l2_ball", "dimension": 7, "radius": 1})");
  EXPECT_ERROR(set_for(seven, stream), Code::kBadSpec, "l2_ball: dimension must be the stream's, 8 (it is 7)");
}

TEST(Words, UsersAndItemsAreTheStreamsOwn) {
  const Experiment e = experiment_of(
      "rounds = 10\n[set]\ntype = \"product\"\nparts = [{type = \"nuclear_ball\", rows = \"users\", cols = \"items\", "
      "radius = 1}, {type = \"box\", dimension = \"users\", lower = -1, upper = 1}, {type = \"box\", dimension = "
      "\"items\", lower = -1, upper = 1}, {type = \"box\", dimension = 1, lower = 1, upper = 5}]\n[stream]\ntype = "
      "\"low_rank_ratings\"\nusers = 4\nitems = 3\nrank = 1\n[[learners]]\ntype = \"delayed_ofw\"\neta = 1");
  const Stream stream = make_stream(spec::Node(e.streams[0].spec, "stream"), 10, 1);
  EXPECT_EQ(set_for(e.learners[0], stream).dimension(), 4 * 3 + 4 + 3 + 1);
  Stream other = stream;
  std::get<Table>(other.rule).ratings = nullptr;
  EXPECT_ERROR(set_for(e.learners[0], other), Code::kBadSpec, "\"items\": this stream has no ratings");
}

// Each horizon is a game of its own: the same as an experiment with that many rounds.
TEST(PlayRun, HorizonsAreGamesOfTheirOwn) {
  const std::string rest =
      "\n[set]\ntype = \"l2_ball\"\ndimension = 3\nradius = 1\n[stream]\ntype = \"random_linear\"\ndimension = "
      "3\n[delay]\ntype = \"geometric\"\nmean = 4\n[[learners]]\ntype = \"delayed_ofw\"\nhorizon = "
      "\"rounds\"\ngradient_bound = \"stream\"";
  const Curves all = run_first(experiment_of("horizons = [20, 50]" + rest)).curves;
  EXPECT_EQ(all.round, (std::vector<Round>{20, 50}));
  EXPECT_EQ(all.loss[0], run_first(experiment_of("rounds = 20" + rest)).curves.loss.back());
  EXPECT_EQ(all.loss[1], run_first(experiment_of("rounds = 50" + rest)).curves.loss.back());
}

}  // namespace
}  // namespace tarry::lab
