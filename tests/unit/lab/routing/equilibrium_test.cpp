#include "tarry/lab/routing/equilibrium.h"

#include "sanitized.h"
#include "tarry/data/formats/tntp_reader.h"
#include "unit/data/files.h"
#include "unit/expect_error.h"

namespace tarry::lab {

using namespace data;
namespace {

RoadLink link(Index from, Index to, double free, double b = 0) {
  return {.from = from, .to = to, .capacity = 1, .free_flow_time = free, .b = b};
}

struct Known {
  RoadNetwork network;
  std::vector<Trip> trips;
  std::vector<LinkFlow> flows;
};

std::optional<Known> known(const std::string& name) {
  const std::string stem = "transportation-networks/" + name;
  if (real_data(stem + "_net.tntp").empty()) return std::nullopt;
  TextLines net(real_data(stem + "_net.tntp")), trips(real_data(stem + "_trips.tntp")),
      flows(real_data(stem + "_flow.tntp"));
  Known read;
  read.network = read_tntp_network(net);
  read.trips = read_tntp_trips(trips, read.network);
  read.flows = read_tntp_flows(flows, read.network);
  return read;
}

// The largest difference from the best-known flow, relative to it; links that hardly anybody drives count absolutely.
double off_by(const Vec& flow, const std::vector<LinkFlow>& best) {
  double worst = 0;
  for (std::size_t e = 0; e < flow.size(); ++e)
    worst = std::max(worst, std::fabs(flow[e] - best[e].volume) / std::max(best[e].volume, 1.0));
  return worst;
}

TEST(Equilibrium, OfBraess) {
  const Roads roads(braess_network());
  const Equilibrium found = users_equilibrium(roads, braess_trips(), {.gap = 1e-10});
  const Vec expected = {4, 2, 2, 2, 4};
  for (std::size_t e = 0; e < 5; ++e) EXPECT_NEAR(found.flow[e], expected[e], 1e-6);
  Vec time(5);
  roads.times(found.flow, time);
  EXPECT_NEAR(time[0] + time[3], 92, 1e-5);
  EXPECT_NEAR(time[1] + time[4], 92, 1e-5);
  EXPECT_NEAR(time[0] + time[2] + time[4], 92, 1e-5);
  // 5·4² twice, 50·2 + 2²/2 twice, 10·2 + 2²/2
  EXPECT_NEAR(found.objective.high, 386, 1e-5);
  EXPECT_LE(found.objective.low, 386 + 1e-6);
  EXPECT_GE(found.objective.low, 386 - 1e-5);
}

TEST(Equilibrium, WithoutTheLinkInTheMiddleEverybodyIsQuicker) {
  RoadNetwork network = braess_network();
  network.links.erase(network.links.begin() + 2);
  const Roads roads(network);
  const Equilibrium found = users_equilibrium(roads, braess_trips());
  EXPECT_NEAR(roads.time(0, found.flow[0]) + roads.time(2, found.flow[2]), 83, 1e-3);
}

TEST(Equilibrium, NobodyPassesThroughANodeBeforeTheFirst) {
  // 1 → 2 → 3 is quicker than 1 → 4 → 3, but node 2 is a zone.
  RoadNetwork network{.nodes = 4,
                      .zones = 3,
                      .first_thru = 3,
                      .links = {link(0, 1, 1), link(1, 2, 1), link(0, 3, 5), link(3, 2, 5)},
                      .places = {}};
  const std::vector<Trip> trips = {{0, 1, 2}, {0, 2, 3}, {1, 2, 4}};
  EXPECT_EQ(users_equilibrium(Roads(network), trips).flow, (Vec{2, 4, 3, 3}));
  network.first_thru = 0;
  EXPECT_EQ(users_equilibrium(Roads(network), trips).flow, (Vec{5, 7, 0, 0}));
}

TEST(Equilibrium, TollsAndLengthsHaveAPrice) {
  RoadNetwork network{.nodes = 2, .zones = 2, .first_thru = 0, .links = {link(0, 1, 1), link(0, 1, 2)}, .places = {}};
  network.links[0].toll = 10;
  network.links[0].length = 4;
  const std::vector<Trip> trips = {{0, 1, 1}};
  EXPECT_EQ(users_equilibrium(Roads(network), trips).flow, (Vec{1, 0}));
  EXPECT_EQ(users_equilibrium(Roads(network, {.toll = 0.2}), trips).flow, (Vec{0, 1}));
  EXPECT_EQ(users_equilibrium(Roads(network, {.length = 0.3}), trips).flow, (Vec{0, 1}));
  EXPECT_DOUBLE_EQ(Roads(network, {.toll = 0.2, .length = 0.3}).time(0, 0), 1 + 2 + 1.2);
}

TEST(Equilibrium, ATripWithoutARouteIsRefused) {
  const RoadNetwork network{
      .nodes = 3, .zones = 3, .first_thru = 0, .links = {link(0, 1, 1), link(2, 1, 1)}, .places = {}};
  EXPECT_ERROR(users_equilibrium(Roads(network), {{0, 1, 2}, {0, 2, 3.5}}), Code::kBadInput,
               "roads: no route leads from 1 to 3, where 3.5 want to go");
}

TEST(Equilibrium, SlopesAndIntegralsBelongToTheTimes) {
  RoadNetwork network = braess_network();
  network.links[0] = {.from = 0, .to = 2, .capacity = 3, .free_flow_time = 2, .b = 0.15, .power = 4};
  network.links[1].power = 2.5;
  const Roads roads(network, {.toll = 1, .length = 1});
  for (std::size_t e : {0, 1, 2}) {
    constexpr double kStep = 1e-4;
    const double x = 2.7;
    EXPECT_NEAR((roads.time(e, x + kStep) - roads.time(e, x - kStep)) / (2 * kStep), roads.slope(e, x), 1e-5);
    EXPECT_NEAR((roads.integral(e, x + kStep) - roads.integral(e, x - kStep)) / (2 * kStep), roads.time(e, x), 1e-5);
    EXPECT_EQ(roads.integral(e, 0), 0);
  }
}

TEST(Equilibrium, OfSiouxFallsIsTheBestKnown) {
  REAL_DATA_OR_SKIP(net, "transportation-networks/SiouxFalls/SiouxFalls_net.tntp");
  const auto given = known("SiouxFalls/SiouxFalls");
  const Roads roads(given->network);
  const Equilibrium found = users_equilibrium(roads, given->trips, {.gap = 1e-8});
  EXPECT_LE(found.gap, 1e-8);
  EXPECT_NEAR(found.objective.high, 42.31335287107440e5, 1e-2);
  EXPECT_LE(found.objective.low, 42.31335287107440e5 * (1 + 1e-12));
  EXPECT_GE(found.objective.high, 42.31335287107440e5 * (1 - 1e-12));
  EXPECT_LT(off_by(found.flow, given->flows), 0.01);
  EXPECT_LT(found.passes, 100);
}

TEST(Equilibrium, OfAnaheimIsTheBestKnown) {
  REAL_DATA_OR_SKIP(net, "transportation-networks/Anaheim/Anaheim_net.tntp");
  const auto given = known("Anaheim/Anaheim");
  const Equilibrium found = users_equilibrium(Roads(given->network), given->trips, {.gap = 1e-8});
  EXPECT_LE(found.gap, 1e-8);
  EXPECT_LT(off_by(found.flow, given->flows), 0.01);
}

// Its README: objective 17313018.7387477 with tolls at 0.02 minutes a cent and lengths at 0.04 minutes a mile.
TEST(Equilibrium, OfChicagoSketchIsTheBestKnown) {
  REAL_DATA_OR_SKIP(net, "transportation-networks/Chicago-Sketch/ChicagoSketch_net.tntp");
  const auto given = known("Chicago-Sketch/ChicagoSketch");
  const Roads roads(given->network, {.toll = 0.02, .length = 0.04});
  const Equilibrium found = users_equilibrium(roads, given->trips, {.gap = kSanitized ? 1e-3 : 1e-5});
  EXPECT_LE(found.objective.low, 17313018.7387477 * (1 + 1e-9));
  EXPECT_GE(found.objective.high, 17313018.7387477 * (1 - 1e-9));
  EXPECT_LE(found.objective.high - found.objective.low, (kSanitized ? 2e-3 : 2e-5) * 17313018.7);
}

}  // namespace
}  // namespace tarry::lab
