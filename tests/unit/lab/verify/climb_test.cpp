#include "tarry/lab/verify/climb.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tarry/lab/verify/verify.h"
#include "tarry/learners/registry.h"
#include "tarry/losses/registry.h"
#include "tarry/model/replay.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"

namespace tarry::lab {
namespace {

constexpr const char* kInterval = R"({"type": "box", "lower": [-1], "upper": [1]})";
constexpr const char* kBall = R"({"type": "l2_ball", "dimension": 2, "radius": 1})";
constexpr const char* kOgd = R"({"type": "delayed_ogd", "eta": 0.1})";
constexpr const char* kStay = R"({"type": "stay"})";

// A learner whose bound is its own times a factor: below 1 a promise that can be broken.
struct Boasting {
  AnyLearner learner;
  double factor;

  double play(Round t, const Covector* features, Memo& memo) { return learner.play(t, features, memo); }
  double predict(const Covector& features) const { return learner.predict(features); }
  void write(std::span<double> x) const { learner.write(x); }
  void receive(Round t, const Feedback& feedback, const Memo& memo) { learner.receive(t, feedback, memo); }
  void abandon(Round t, const Memo& memo) { learner.abandon(t, memo); }
  void save(ByteWriter& out) const { learner.save(out); }
  void load(ByteReader& in) { learner.load(in); }
  std::optional<double> bound(const theory::Seen& seen) const {
    const auto own = learner.bound(seen);
    return own ? std::optional(factor * *own) : std::nullopt;
  }
};

// One that promises GD for each of a constant number of rounds, whatever comes.
struct Promising : Boasting {
  std::optional<double> bound(const theory::Seen& seen) const { return factor * seen.gradient_bound; }
};

template <class Wrapper>
Arena arena_of(const std::string& set, const std::string& learner, double factor) {
  return {.set = set, .learner = learner, .make = [=] {
            const spec::Value set_spec = spec::parse_json(set), learner_spec = spec::parse_json(learner);
            const AnySet over = make_set(spec::Node(set_spec, "set"));
            return Model(
                over, Wrapper{make_learner(spec::Node(learner_spec, "learner"), {.set = over, .initial = {}}), factor});
          }};
}

Climbed climb_certificate(const Arena& arena, Index dimension, std::uint64_t games) {
  return climb(
      {.dimension = dimension}, [&](const SmallGame& game) { return judge_certificate(arena, game); }, games, 7);
}

Move turn(double g, Round delay, bool given_up = false) {
  return {.row = {g}, .shown = {}, .label = 0, .delay = delay, .given_up = given_up, .order = 0};
}

TEST(Climb, BreaksACertificateThatWasHalved) {
  const Arena honest = arena_of<Boasting>(kBall, kOgd, 1), halved = arena_of<Boasting>(kBall, kOgd, 0.5);
  EXPECT_FALSE(climb_certificate(honest, 2, 3000).worst.violates());
  const Climbed broken = climb_certificate(halved, 2, 3000);
  ASSERT_TRUE(broken.worst.violates()) << broken.worst.ratio;
  EXPECT_GT(broken.worst.regret, broken.worst.bound);
  EXPECT_LT(broken.games, 3200u);
  // What it found is a game that shows it again.
  const Finding again = judge_certificate(halved, broken.game);
  EXPECT_EQ(again.regret, broken.worst.regret);
  EXPECT_EQ(again.rounds, broken.worst.rounds);
}

// Staying at 0 in [−1, 1] costs G a round: a promise of 9.5 G is kept for nine rounds and broken in the tenth.
TEST(Climb, FindsTheShortestBrokenPromise) {
  const Climbed broken = climb_certificate(arena_of<Promising>(kInterval, kStay, 9.5), 1, 3000);
  ASSERT_TRUE(broken.worst.violates()) << broken.worst.ratio;
  EXPECT_EQ(broken.worst.rounds, 10u);
}

TEST(Climb, IsTheSameForTheSameSeed) {
  const Arena arena = arena_of<Boasting>(kBall, kOgd, 1);
  const Climbed a = climb_certificate(arena, 2, 300), b = climb_certificate(arena, 2, 300);
  EXPECT_EQ(a.worst.regret, b.worst.regret);
  EXPECT_EQ(a.games, b.games);
  EXPECT_EQ(log_of(arena, a.game, a.worst.rounds), log_of(arena, b.game, b.worst.rounds));
}

// The certificate is about gradients that are no larger than those that came.
TEST(JudgeCertificate, TakesWhatHasNotComeNoLargerThanWhatHas) {
  const Arena arena = arena_of<Promising>(kInterval, kStay, 100);
  EXPECT_FALSE(judge_certificate(arena, {turn(5, 9)}).promised()) << "nothing came, nothing is promised";
  EXPECT_NEAR(judge_certificate(arena, {turn(1, 1), turn(50, 9)}).regret, 2, 1e-9);
  EXPECT_NEAR(judge_certificate(arena, {turn(1, 1), turn(50, 1, true)}).regret, 2, 1e-9) << "given up";
  EXPECT_NEAR(judge_certificate(arena, {turn(1, 1), turn(0.25, 9)}).regret, 1.25, 1e-9);
  EXPECT_NEAR(judge_certificate(arena, {turn(1, 1), turn(50, 1)}).regret, 51, 1e-9) << "it came";
}

TEST(JudgeCertificate, LooksAtEveryPrefix) {
  const Finding worst = judge_certificate(arena_of<Promising>(kInterval, kStay, 1),
                                          {turn(1, 1), turn(1, 1), turn(1, 1), turn(-1, 1), turn(-1, 1)});
  EXPECT_EQ(worst.rounds, 3u);
  EXPECT_NEAR(worst.regret, 3, 1e-9);
}

// Tiny gradients have regret too: squares of them are 0, and a certificate of 0 is broken by any.
TEST(JudgeCertificate, SeesRegretWhereSquaresUnderflow) {
  const Finding tiny = judge_certificate(arena_of<Promising>(kInterval, kStay, 0), {turn(1e-165, 1)});
  EXPECT_TRUE(tiny.violates());
  EXPECT_NEAR(tiny.regret, 1e-165, 1e-170);
}

TEST(JudgeCertificate, OrdersWhatComesAtOneMoment) {
  SmallGame game = {turn(1, 2), turn(2, 1)};
  EXPECT_EQ(due(game)[2], (std::vector<Round>{1, 2}));
  game[0].order = 1;
  EXPECT_EQ(due(game)[2], (std::vector<Round>{2, 1}));
}

// The log tells the correction, and from then on nothing is promised.
TEST(JudgeCertificate, KnowsLabelsThatAreCorrected) {
  constexpr const char* kLeader = R"({"type": "gauge_ftrl"})";
  const Arena arena{.set = kBall,
                    .learner = kLeader,
                    .make =
                        [&] {
                          const spec::Value set = spec::parse_json(kBall), learner = spec::parse_json(kLeader);
                          const spec::Value loss{std::string("squared")};
                          const AnySet over = make_set(spec::Node(set, "set"));
                          ModelParts parts{
                              .set = over,
                              .learner = make_learner(spec::Node(learner, "learner"), {.set = over, .initial = {}}),
                              .loss = make_loss(spec::Node(loss, "loss"))};
                          parts.revisable.rounds = 100;
                          return Model(std::move(parts));
                        },
                    .form = Form::kFeaturesAtPlay,
                    .loss = "squared",
                    .corrects = true,
                    .more = ", \"revisable\": 100"};
  SmallGame game(6, Move{.row = {1, 0}, .shown = {}, .label = 0.1});
  const Finding before = judge_certificate(arena, game);
  EXPECT_EQ(log_of(arena, game, 6).find("revise\": true"), std::string::npos);
  game[1].corrected_after = 2;
  game[1].corrected = -50;  // a promise that looked at first labels alone would be broken now
  EXPECT_EQ(due(game, true)[4], (std::vector<Round>{4, 8}));
  EXPECT_EQ(due(game)[4], std::vector<Round>{4});
  const Finding after = judge_certificate(arena, game);
  EXPECT_TRUE(before.promised());
  EXPECT_TRUE(after.promised());
  EXPECT_LT(after.rounds, 4u);
  const std::string log = log_of(arena, game, 6);
  EXPECT_NE(log.find(R"("revise": true)"), std::string::npos) << log;
  Replay replay;
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = log.find('\n', at);
    EXPECT_EQ(replay.line(log.substr(at, end - at)).find("conflict"), std::string::npos);
    at = end + 1;
  }
}

TEST(Climb, CorrectsLabelsWhereTheArenaAllowsIt) {
  const GameSpace space{.dimension = 2, .form = Form::kFeaturesAtPlay, .corrects = true};
  std::size_t corrected = 0;
  for (std::uint64_t start = 0; start < kStarts; ++start) {
    RandomMoves moves(space, 3, start);
    SmallGame game = starting_game(space, start, 3);
    for (int i = 0; i < 20; ++i) game = moves.change(game);
    for (const Move& move : game) corrected += move.corrected_after > 0 ? 1 : 0;
    for (const Move& move : starting_game({.dimension = 2, .form = Form::kFeaturesAtPlay}, start, 3))
      EXPECT_EQ(move.corrected_after, 0u);
  }
  EXPECT_GT(corrected, 10u);
}

// Two bases that stay apart: a hedge that never moves its weights loses to the better one without limit.
TEST(JudgeHedge, KnowsAHedgeFromAMeanOfFixedWeights) {
  constexpr const char* kBases = R"([{"type": "delayed_ogd", "eta": 1e-9}, {"type": "delayed_ogd", "eta": 3}])";
  const std::string hedge = std::string(R"({"type": "hedge", "learners": )") + kBases + "}";
  const spec::Value set_spec = spec::parse_json(kInterval), bases_spec = spec::parse_json(kBases);
  const AnySet set = make_set(spec::Node(set_spec, "set"));
  const HedgeInside inside{[&] {
                             std::vector<Model> bases;
                             for (const spec::Value& base : std::get<spec::Array>(bases_spec.as))
                               bases.emplace_back(
                                   set, make_learner(spec::Node(base, "learner"), {.set = set, .initial = {}}));
                             return bases;
                           },
                           0, 1};
  SmallGame game;
  for (int t = 0; t < 50; ++t) game.push_back(turn(1, 1));
  const Arena honest{.set = kInterval, .learner = hedge, .make = [&] { return make_model(kInterval, hedge); }};
  const Arena fixed{.set = kInterval, .learner = kStay, .make = [&] { return make_model(kInterval, kStay); }};
  const Finding learnt = judge_hedge(honest, inside, game), stuck = judge_hedge(fixed, inside, game);
  EXPECT_TRUE(learnt.promised());
  EXPECT_FALSE(learnt.violates());
  EXPECT_TRUE(stuck.violates()) << stuck.ratio;
}

// The label without the other block's prediction is a difference of large numbers. In round 4 nothing is left of it, so
// the model and the bases beside it learn from different games.
TEST(JudgeHedge, DoesNotJudgeWhatRoundingDecides) {
  constexpr const char* kBases = R"([{"type": "delayed_ogd", "eta": 0.05}, {"type": "delayed_ogd", "eta": 2}])";
  constexpr const char* kPart = R"({"type": "simplex", "dimension": 3})";
  const std::string set =
      std::string(R"({"type": "product", "parts": [{"type": "simplex", "dimension": 2}, )") + kPart + "]}";
  const std::string learner =
      std::string(R"({"type": "per_block", "learners": [{"type": "delayed_ogd", "eta": 0.1}, )") +
      R"({"type": "hedge", "learners": )" + kBases + "}]}";
  const spec::Value part_spec = spec::parse_json(kPart), bases_spec = spec::parse_json(kBases), name{"squared"};
  const AnySet part = make_set(spec::Node(part_spec, "set"));
  const AnyLoss squared = make_loss(spec::Node(name, "loss"));
  const HedgeInside inside{
      [&] {
        std::vector<Model> bases;
        for (const spec::Value& base : std::get<spec::Array>(bases_spec.as))
          bases.emplace_back(part, make_learner(spec::Node(base, "learner"), {.set = part, .initial = {}}), squared);
        return bases;
      },
      2, 5};
  const Arena arena{.set = set,
                    .learner = learner,
                    .make = [&] { return make_model(set, learner, {}, "squared"); },
                    .form = Form::kFeaturesWithLabel,
                    .loss = "squared"};
  const SmallGame game = {
      {.row = {-0.9293095448538148, 0.5372520657040252, 0, 0.5704983387082841, 0.13426484601913025},
       .shown = {},
       .label = -2,
       .delay = 1},
      {.row = {-9.293095448538148e+19, 5.372520657040252e+19, 0, -1.5947764585803117e+21, 1.3426484601913025e+19},
       .shown = {},
       .label = -2.3002390423432946,
       .delay = 1},
      {.row = {0, -1e+20, 0, -2.23606797749979e+20, 1e+20}, .shown = {}, .label = -2.3002390423432946, .delay = 2},
      {.row = {0, 1e+20, 0, 2.23606797749979e+20, -1e+20}, .shown = {}, .label = -2.3002390423432946, .delay = 2},
      {.row = {9.293095448538148e+19, -5.372520657040252e+19, 0, 8.698614071612462e+20, -1.3426484601913025e+19},
       .shown = {},
       .label = 2,
       .delay = 1},
  };
  EXPECT_FALSE(judge_hedge(arena, inside, game).violates());
}

// Plays a log again and counts its plays: feedback is answered only where it was not applied.
std::size_t plays_in(Replay& replay, const std::string& log) {
  std::size_t plays = 0;
  for (std::size_t at = 0, end; (end = log.find('\n', at)) != std::string::npos; at = end + 1) {
    const std::string reply = replay.line(std::string_view(log).substr(at, end - at));
    plays += !reply.empty() && reply.find("answer") == std::string::npos ? 1 : 0;
  }
  return plays;
}

TEST(LogOf, AGameIsAReplay) {
  const Arena arena = arena_of<Boasting>(kInterval, kOgd, 1);
  Replay replay;
  EXPECT_EQ(plays_in(replay, log_of(arena, {turn(1, 2), turn(0.5, 1), turn(2, 9)}, 3)), 3u);
  EXPECT_EQ(replay.model().ledger().settled(), 3u) << "what had not come stands last";
}

TEST(LogOf, TellsFeaturesLabelsAndWhoGaveUp) {
  Arena arena{.set = kInterval, .learner = kStay, .make = [] { return make_model(kInterval, kStay, {}, "squared"); }};
  arena.form = Form::kFeaturesWithLabel;
  arena.loss = "squared";
  Move one = turn(0.5, 1);
  one.label = 2;
  const std::string log = log_of(arena, {one, turn(1, 1, true)}, 2);
  EXPECT_NE(log.find(R"("loss": "squared")"), std::string::npos);
  EXPECT_NE(log.find(R"({"label": 1, "value": 2, "features": [0.5]})"), std::string::npos) << log;
  Replay replay;
  plays_in(replay, log);
  EXPECT_EQ(replay.model().ledger().settled(), 1u);
  EXPECT_EQ(replay.model().ledger().expired(), 1u);
}

// A bound that holds in the mean only has no climbs: a climber would know the draws.
bool only_in_the_mean(const LearnerEntry& entry) {
  return entry.promise && std::all_of(entry.examples.begin(), entry.examples.end(), [&](const std::string& example) {
           return entry.promise(spec::parse_json(example)).in_the_mean;
         });
}

// A new learner cannot be forgotten: it has rows among the drawn games and among the climbs.
TEST(VerifyRows, EveryRegisteredLearnerHasSome) {
  std::vector<ClimbCheck> climbs;
  climb_jobs({.quick = true, .climb = 1}, climbs);
  for (const LearnerEntry& entry : learner_registry()) {
    const auto is = [&](const std::string& name) { return name == entry.name || name.starts_with(entry.name + " "); };
    EXPECT_NE(std::any_of(climbs.begin(), climbs.end(), [&](const ClimbCheck& c) { return is(c.learner); }),
              only_in_the_mean(entry))
        << entry.name;
    const auto drawn = drawn_learners(256);
    EXPECT_TRUE(std::any_of(drawn.begin(), drawn.end(), [&](const Named& l) { return is(l.name); })) << entry.name;
  }
}

}  // namespace
}  // namespace tarry::lab
