#include "tarry/lab/world/roads_world.h"

#include <set>

#include "tarry/base/random.h"
#include "tarry/geometry/dense_direction.h"
#include "tarry/lab/play/game.h"
#include "tarry/lab/play/models.h"
#include "tarry/lab/routing/trip_flow.h"
#include "tarry/learners/registry.h"
#include "tarry/sets/combinatorial/flow.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry::lab {
namespace {

using Shared = std::shared_ptr<const Travel>;

Shared braess(const TravelRule& rule, std::uint64_t seed = 1) {
  return std::make_shared<const Travel>(Roads(braess_network()), braess_trips(), rule, seed);
}

// Two links from 1 to 2 that always take 3 and 5.
Shared parallel(const TravelRule& rule) {
  RoadNetwork network{.nodes = 2, .zones = 2, .first_thru = 0, .links = {}, .places = {}};
  for (double time : {5.0, 3.0}) network.links.push_back({.from = 0, .to = 1, .free_flow_time = time});
  return std::make_shared<const Travel>(Roads(network), std::vector<Trip>{{0, 1, 8}}, rule, 1);
}

// A game on these roads: the world, its models, and how far it has come.
struct RoadsGame {
  RoadsGame(const Shared& travel, const std::string& learner)
      : world(travel), models([=](std::size_t pair) {
          const AnySet set = TripFlow(travel, pair);
          const spec::Value spec = spec::parse_json(learner);
          return Model(set, make_learner(spec::Node(spec, "learner"), {.set = set, .initial = {}}));
        }) {}

  Played play(Round rounds, double wait = 0) {
    return play_game([&](std::size_t seat) -> Model& { return models.at(seat); }, world, *world.recorded()(wait),
                     {.rounds = rounds, .after = {}, .clock = {}});
  }
  double regret(const Played& played) const { return played.loss - *world.best_fixed(); }

  RoadsWorld world;
  Models models;
};

// A graph with cycles, zones that may not be passed, and every zone connected with every other.
Shared ring(std::uint64_t seed) {
  RandomSequence random(seed);
  RoadNetwork network{.nodes = 9, .zones = 3, .first_thru = 3, .links = {}, .places = {}};
  const auto add = [&](Index from, Index to) {
    network.links.push_back({.from = from, .to = to, .capacity = 1, .free_flow_time = random.uniform(1, 2), .b = 0.1});
  };
  for (Index v = 3; v < 9; ++v) add(v, v == 8 ? 3 : v + 1);
  for (Index v = 3; v < 9; ++v) add(v == 8 ? 3 : v + 1, v);
  for (Index zone = 0; zone < 3; ++zone) {
    add(zone, 3 + 2 * zone);
    add(3 + 2 * zone, zone);
  }
  std::vector<Trip> trips;
  for (Index a = 0; a < 3; ++a)
    for (Index b = 0; b < 3; ++b)
      if (a != b) trips.push_back({a, b, random.uniform(1, 3)});
  return std::make_shared<const Travel>(Roads(network), trips, TravelRule{}, seed);
}

TEST(TripFlow, IsTheSetFlowOfThePair) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Shared world = ring(seed);
    const Roads& roads = world->roads();
    for (std::size_t k = 0; k < world->trips().size(); ++k) {
      const Trip& trip = world->trips()[k];
      const AnySet set = TripFlow(world, k),
                   same = Flow(roads.graph(), roads.leaving(trip.origin), roads.arriving(trip.destination));
      RandomSequence random(seed, k);
      Vec c(roads.size()), v(c.size()), w(c.size());
      for (double& x : c) x = random.gaussian();
      const Shape shape = set.shape();
      write(set.oracle(DenseDirection(c, shape)), v);
      write(same.oracle(DenseDirection(c, shape)), w);
      EXPECT_EQ(v, w);
      EXPECT_TRUE(set.contains(v, 1e-12));
      EXPECT_TRUE(same.contains(start_point(shape), 1e-12));
      EXPECT_TRUE(set.contains(start_point(shape), 1e-12));
      v[0] += 0.5;
      EXPECT_FALSE(set.contains(v, 1e-9));
    }
  }
}

TEST(DrawnRoutes, HaveTheDecisionAsTheirMean) {
  const Shared world = braess({});
  const Vec decision = {0.7, 0.3, 0.4, 0.3, 0.7};
  Vec mean(5, 0.0);
  constexpr Round kDraws = 20000;
  for (Round t = 1; t <= kDraws; ++t)
    for (std::uint32_t e : draw_route(*world, 0, decision, t)) mean[e] += 1.0 / kDraws;
  for (std::size_t e = 0; e < 5; ++e) EXPECT_NEAR(mean[e], decision[e], 0.015);
}

TEST(DrawnRoutes, LeaveOutCycles) {
  const Shared world = ring(1);
  const Roads& roads = world->roads();
  Vec decision = TripFlow(world, 0).start().dense();
  for (std::size_t e = 0; e < 6; ++e) decision[e] = std::min(1.0, decision[e] + 0.5);  // the ring, around
  for (Round t = 1; t <= 200; ++t) {
    const Route route = draw_route(*world, 0, decision, t);
    Index at = roads.leaving(world->trips()[0].origin);
    std::set<Index> seen = {at};
    for (std::uint32_t e : route) {
      EXPECT_EQ(roads.graph().edges[e].from, at);
      EXPECT_GT(decision[e], 0);
      at = roads.graph().edges[e].to;
      EXPECT_TRUE(seen.insert(at).second);
    }
    EXPECT_EQ(at, roads.arriving(world->trips()[0].destination));
  }
  EXPECT_EQ(draw_route(*world, 0, Vec(roads.size(), 0.0), 1), world->free_route(0));
}

TEST(Traffic, IsThatOfTheLastTravellers) {
  const Shared world = braess({.travellers = 3});
  Traffic traffic(*world);
  Vec times(5);
  traffic.measure(1, times);
  EXPECT_NEAR(times[0], 0, 1e-7);
  traffic.drive({0, 3});
  traffic.drive({1, 4});
  EXPECT_EQ(traffic.flow(), (Vec{2, 2, 0, 2, 2}));
  traffic.drive({1, 4});
  traffic.drive({0, 2, 4});
  EXPECT_EQ(traffic.flow(), (Vec{2, 4, 2, 0, 6}));
  traffic.measure(5, times);
  EXPECT_NEAR(times[1], 54, 1e-9);
  EXPECT_NEAR(times[4], 60, 1e-6);
}

TEST(Traffic, NoiseIsWithinItsShareAndOfTheRound) {
  const Shared world = braess({.travellers = 3, .noise = 0.2});
  Traffic traffic(*world);
  Vec once(5), again(5), other(5);
  traffic.measure(7, once);
  traffic.measure(7, again);
  traffic.measure(8, other);
  EXPECT_EQ(once, again);
  EXPECT_NE(once, other);
  for (std::size_t e : {1, 3}) EXPECT_NEAR(once[e], 50, 10);
}

TEST(Travel, PairsComeInProportionToTheirDemands) {
  const Shared world = ring(5);
  constexpr Round kRounds = 60000;
  Vec share(world->trips().size(), 0.0);
  for (Round t = 1; t <= kRounds; ++t) share[world->pair_of(t)] += 1.0 / kRounds;
  for (std::size_t k = 0; k < share.size(); ++k)
    EXPECT_NEAR(share[k], world->trips()[k].demand / world->demand(), 0.01);
}

// A trip of 3 leaves at t/2 … and is known to the first who leaves after it has ended: 2·3 rounds later, and one more.
TEST(RoadsWorld, TheDelayIsTheTravelTime) {
  const Shared travel = parallel({.travellers = 4, .departures = 2});
  RoadsGame game(travel, R"({"type": "stay"})"), waiting(travel, R"({"type": "stay"})");
  const DelayCounts delays = game.play(100).delays;
  EXPECT_EQ(delays.largest, 7U);
  EXPECT_EQ(delays.mean(), 7);
  EXPECT_EQ(game.models.outstanding(), 6U);
  EXPECT_EQ(waiting.play(100, 10).delays.mean(), 21);
}

TEST(RoadsWorld, LossRegretAndFlowOfWhoStaysOnTheQuickestRoute) {
  RoadsGame game(parallel({.travellers = 4, .departures = 2}), R"({"type": "stay"})");
  EXPECT_DOUBLE_EQ(game.play(50).loss, 150);
  EXPECT_DOUBLE_EQ(*game.world.best_fixed(), 150);
  EXPECT_DOUBLE_EQ(game.world.mean_time(), 3);
  EXPECT_EQ(game.world.average_flow(), (Vec{0, 8}));
  EXPECT_NEAR(game.world.beckmann_gap(), 0, 1e-12);
}

TEST(RoadsWorld, LearnersComeCloseToTheEquilibrium) {
  const Shared travel = braess({.travellers = 200, .departures = 1, .noise = 0.1});
  RoadsGame stays(travel, R"({"type": "stay"})"), learns(travel, R"({"type": "auto"})"),
      tuned(travel, R"({"type": "delayed_ofw", "horizon": 6000, "gradient_bound": 130})");
  const Played stayed = stays.play(6000), learnt = learns.play(6000), by_theory = tuned.play(6000);
  EXPECT_GT(stays.world.beckmann_gap(), 0.1);
  EXPECT_LT(learns.world.beckmann_gap(), 0.02);
  EXPECT_GE(learns.world.beckmann_gap(), 0);
  EXPECT_LT(learns.world.mean_time(), stays.world.mean_time() - 20);
  EXPECT_LT(learns.regret(learnt), stays.regret(stayed));
  ASSERT_TRUE(tuned.models.certificate());
  EXPECT_LE(tuned.regret(by_theory), *tuned.models.certificate());
  EXPECT_FALSE(stays.models.certificate());
}

TEST(RoadsWorld, IsTheSameEveryTime) {
  const Shared travel = ring(3);
  RoadsGame a(travel, R"({"type": "delayed_ofw", "eta": 0.01})"), b(travel, R"({"type": "delayed_ofw", "eta": 0.01})");
  const Played once = a.play(500), again = b.play(500);
  EXPECT_EQ(once.loss, again.loss);
  EXPECT_EQ(a.world.average_flow(), b.world.average_flow());
  EXPECT_GE(a.regret(once), -1e-9);
}

}  // namespace
}  // namespace tarry::lab
