#include "tarry/lab/routing/routing_game.h"

#include <set>

#include "tarry/base/random.h"
#include "tarry/geometry/dense_direction.h"
#include "tarry/lab/routing/trip_flow.h"
#include "tarry/learners/registry.h"
#include "tarry/sets/combinatorial/flow.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry::lab {
namespace {

using World = std::shared_ptr<const RoutingWorld>;

World braess(const TravelRule& rule, std::uint64_t seed = 1) {
  return std::make_shared<const RoutingWorld>(Roads(braess_network()), braess_trips(), rule, seed);
}

// Two links from 1 to 2 that always take 3 and 5.
World parallel(const TravelRule& rule) {
  RoadNetwork network{.nodes = 2, .zones = 2, .first_thru = 0, .links = {}, .places = {}};
  for (double time : {5.0, 3.0}) network.links.push_back({.from = 0, .to = 1, .free_flow_time = time});
  return std::make_shared<const RoutingWorld>(Roads(network), std::vector<Trip>{{0, 1, 8}}, rule, 1);
}

RoutingGame game_of(const World& world, const std::string& learner, double wait = 0) {
  RoutingGame::Options options;
  options.make_model = [=](std::size_t pair) {
    const AnySet set = TripFlow(world, pair);
    const spec::Value spec = spec::parse_json(learner);
    return Model(set, make_learner(spec::Node(spec, "learner"), {.set = set, .initial = {}}));
  };
  options.wait = wait;
  return RoutingGame(world, std::move(options));
}

// A graph with cycles, zones that may not be passed, and every zone connected with every other.
World ring(std::uint64_t seed) {
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
  return std::make_shared<const RoutingWorld>(Roads(network), trips, TravelRule{}, seed);
}

TEST(TripFlow, IsTheSetFlowOfThePair) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const World world = ring(seed);
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
  const World world = braess({});
  const Vec decision = {0.7, 0.3, 0.4, 0.3, 0.7};
  Vec mean(5, 0.0);
  constexpr Round kDraws = 20000;
  for (Round t = 1; t <= kDraws; ++t)
    for (std::uint32_t e : draw_route(*world, 0, decision, t)) mean[e] += 1.0 / kDraws;
  for (std::size_t e = 0; e < 5; ++e) EXPECT_NEAR(mean[e], decision[e], 0.015);
}

TEST(DrawnRoutes, LeaveOutCycles) {
  const World world = ring(1);
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
  const World world = braess({.travellers = 3});
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
  const World world = braess({.travellers = 3, .noise = 0.2});
  Traffic traffic(*world);
  Vec once(5), again(5), other(5);
  traffic.measure(7, once);
  traffic.measure(7, again);
  traffic.measure(8, other);
  EXPECT_EQ(once, again);
  EXPECT_NE(once, other);
  for (std::size_t e : {1, 3}) EXPECT_NEAR(once[e], 50, 10);
}

TEST(RoutingWorld, PairsComeInProportionToTheirDemands) {
  const World world = ring(5);
  constexpr Round kRounds = 60000;
  Vec share(world->trips().size(), 0.0);
  for (Round t = 1; t <= kRounds; ++t) share[world->pair_of(t)] += 1.0 / kRounds;
  for (std::size_t k = 0; k < share.size(); ++k)
    EXPECT_NEAR(share[k], world->trips()[k].demand / world->demand(), 0.01);
}

// A trip of 3 leaves at t/2 … and is known to the first who leaves after it has ended: 2·3 rounds later, and one more.
TEST(RoutingGame, TheDelayIsTheTravelTime) {
  const World world = parallel({.travellers = 4, .departures = 2});
  RoutingGame game = game_of(world, R"({"type": "stay"})");
  for (Round t = 1; t <= 100; ++t) game.play(t);
  EXPECT_EQ(game.delays().largest, 7U);
  EXPECT_EQ(game.delays().mean(), 7);
  EXPECT_EQ(game.outstanding(), 6U);
  RoutingGame waiting = game_of(world, R"({"type": "stay"})", 10);
  for (Round t = 1; t <= 100; ++t) waiting.play(t);
  EXPECT_EQ(waiting.delays().mean(), 21);
}

TEST(RoutingGame, LossRegretAndFlowOfWhoStaysOnTheQuickestRoute) {
  const World world = parallel({.travellers = 4, .departures = 2});
  RoutingGame game = game_of(world, R"({"type": "stay"})");
  for (Round t = 1; t <= 50; ++t) game.play(t);
  EXPECT_DOUBLE_EQ(game.loss(), 150);
  EXPECT_DOUBLE_EQ(game.best_fixed(), 150);
  EXPECT_DOUBLE_EQ(game.mean_time(), 3);
  EXPECT_EQ(game.average_flow(), (Vec{0, 8}));
  EXPECT_NEAR(game.beckmann_gap(), 0, 1e-12);
}

TEST(RoutingGame, LearnersComeCloseToTheEquilibrium) {
  const World world = braess({.travellers = 200, .departures = 1, .noise = 0.1});
  RoutingGame stays = game_of(world, R"({"type": "stay"})"), learns = game_of(world, R"({"type": "auto"})"),
              tuned = game_of(world, R"({"type": "delayed_ofw", "horizon": 6000, "gradient_bound": 130})");
  for (Round t = 1; t <= 6000; ++t)
    for (RoutingGame* game : {&stays, &learns, &tuned}) game->play(t);
  EXPECT_GT(stays.beckmann_gap(), 0.1);
  EXPECT_LT(learns.beckmann_gap(), 0.02);
  EXPECT_GE(learns.beckmann_gap(), 0);
  EXPECT_LT(learns.mean_time(), stays.mean_time() - 20);
  EXPECT_LT(learns.loss() - learns.best_fixed(), stays.loss() - stays.best_fixed());
  ASSERT_TRUE(tuned.certificate());
  EXPECT_LE(tuned.loss() - tuned.best_fixed(), *tuned.certificate());
  EXPECT_FALSE(stays.certificate());
}

TEST(RoutingGame, IsTheSameEveryTime) {
  const World world = ring(3);
  RoutingGame a = game_of(world, R"({"type": "delayed_ofw", "eta": 0.01})"),
              b = game_of(world, R"({"type": "delayed_ofw", "eta": 0.01})");
  for (Round t = 1; t <= 500; ++t) {
    a.play(t);
    b.play(t);
  }
  EXPECT_EQ(a.loss(), b.loss());
  EXPECT_EQ(a.average_flow(), b.average_flow());
  EXPECT_GE(a.loss(), a.best_fixed() - 1e-9);
}

}  // namespace
}  // namespace tarry::lab
