// Times shortest-path trees and the oracle of one pair's flows on road networks, from SiouxFalls to Chicago-Sketch.
// Usage: route_bench TURNS FOLDER, where FOLDER has the TNTP files; networks that are not there are left out.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "tarry/data/formats/tntp_reader.h"
#include "tarry/geometry/dense_direction.h"
#include "tarry/lab/routing/shortest_tree.h"
#include "tarry/sets/any_set.h"
#include "tarry/sets/combinatorial/flow.h"
#include "timing.h"

namespace {

using namespace tarry;
using tarry::bench::Contestant;

// 1 + free-flow time, so that SciPy, which leaves out zeros, has the same graph. A learner's direction also has some
// negative costs: every tenth link.
Vec costs_of(const data::RoadNetwork& network, bool some_negative) {
  Vec costs;
  for (std::size_t e = 0; e < network.links.size(); ++e)
    costs.push_back((some_negative && e % 10 == 0 ? -1 : 1) * (1 + network.links[e].free_flow_time));
  return costs;
}

void add(const std::string& name, const std::string& path, std::vector<Contestant>& all) {
  data::TextLines lines(path);
  const auto roads = std::make_shared<const lab::Roads>(data::read_tntp_network(lines));
  const Index zones = roads->network().zones, origins = std::min<Index>(zones, 24);  // short turns
  const Vec costs = costs_of(roads->network(), false), mixed = costs_of(roads->network(), true);
  all.push_back({"tree_" + name, static_cast<int>(origins),
                 [=, keep = roads, tree = std::make_shared<lab::ShortestTree>(*roads)] {
                   for (Index origin = 0; origin < origins; ++origin) tree->grow(origin, costs);
                 }});
  const AnySet set = Flow(roads->graph(), roads->leaving(0), roads->arriving(zones - 1));
  const auto shape = std::make_shared<const Shape>(set.shape());
  const auto asked = [=](const Vec& c) {
    return [=] {
      for (int k = 0; k < 20; ++k) set.oracle(DenseDirection(c, *shape));
    };
  };
  all.push_back({"oracle_" + name, 20, asked(costs)});
  all.push_back({"oracle_negative_" + name, 20, asked(mixed)});
}

}  // namespace

int main(int argc, char** argv) {
  const int turns = argc > 1 ? std::atoi(argv[1]) : 5;
  const std::filesystem::path folder = argc > 2 ? argv[2] : ".";
  std::vector<Contestant> all;
  for (const auto& [name, file] : {std::pair{"SiouxFalls", "SiouxFalls/SiouxFalls_net.tntp"},
                                   {"Anaheim", "Anaheim/Anaheim_net.tntp"},
                                   {"ChicagoSketch", "Chicago-Sketch/ChicagoSketch_net.tntp"}})
    if (std::filesystem::exists(folder / file)) add(name, folder / file, all);
  take_turns(all, turns);
  print(all);
}
