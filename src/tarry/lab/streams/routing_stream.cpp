#include "tarry/lab/streams/routing_stream.h"

#include <fmt/format.h>

#include <filesystem>

#include "tarry/data/formats/tntp_reader.h"
#include "tarry/lab/routing/travel.h"

namespace tarry::lab {

using namespace data;
namespace {

using spec::Node;

template <class Read>
auto read_file(const std::string& path, Read read) {
  TextLines lines(path);
  return read(lines);
}

struct Given {
  std::string name;
  RoadNetwork network;
  std::vector<Trip> trips;
};

Given built_in(const Node& node) {
  const std::string name = node.text_or("network", "braess");
  if (name != "braess") node.at("network").fail("\"braess\", the built-in one (others are files: give path)");
  for (const char* key : {"trips_path", "nodes_path"})
    if (node.has(key)) node.fail_whole(fmt::format("{} belongs to a network of a file: give path too", key));
  return {"Braess", braess_network(), braess_trips()};
}

Given from_files(const Node& node) {
  if (node.has("network")) node.fail_whole("give either network or path, not both");
  const std::string path = node.text("path");
  const std::string trips = node.text_or("trips_path", tntp_beside(path, "trips"));
  if (trips.empty()) node.fail_whole("trips_path must be given, unless path ends in _net.tntp");
  std::string places = node.text_or("nodes_path", "");
  if (const std::string beside = tntp_beside(path, "node"); places.empty() && std::filesystem::exists(beside))
    places = beside;
  Given given{std::filesystem::path(path).stem().string(), read_file(path, read_tntp_network), {}};
  given.trips = read_file(trips, [&](TextLines& lines) { return read_tntp_trips(lines, given.network); });
  if (!places.empty())
    given.network.places = read_file(places, [&](TextLines& lines) { return read_tntp_places(lines, given.network); });
  return given;
}

std::vector<std::string> described(const std::string& name, const Travel& travel) {
  const Equilibrium& found = travel.equilibrium();
  Vec times(travel.roads().size());
  travel.roads().times(found.flow, times);
  const double mean = quickest_total(travel.roads(), travel.trips(), times) / travel.demand();
  return {
      fmt::format("{}: {} nodes, {} links, {} pair{} of zones, {:.6g} vehicles", name, travel.roads().network().nodes,
                  travel.roads().size(), travel.trips().size(), travel.trips().size() == 1 ? "" : "s", travel.demand()),
      fmt::format("users' equilibrium: mean time {:.4g}, Beckmann's function {:.10g}, relative gap {:.1e}", mean,
                  found.objective.high, found.gap)};
}

double at_least_zero(const Node& node, const std::string& key) {
  const double x = node.number_or(key, 0);
  if (x < 0) node.at(key).fail("at least 0");
  return x;
}

Stream make_routing(const Node& node, Round, std::uint64_t seed) {
  TravelRule rule;
  if (node.has("travellers")) rule.travellers = static_cast<Round>(node.count("travellers", 1, Index{1} << 30));
  rule.departures = node.positive_or("departures", 1);
  rule.noise = at_least_zero(node, "noise");
  if (rule.noise >= 1) node.at("noise").fail("below 1");
  rule.gap = node.positive_or("gap", rule.gap);
  const CostWeights weights{at_least_zero(node, "toll_weight"), at_least_zero(node, "length_weight")};
  Given given = node.has("path") ? from_files(node) : built_in(node);
  node.refuse_unknown_keys();
  auto travel =
      std::make_shared<const Travel>(Roads(std::move(given.network), weights), std::move(given.trips), rule, seed);
  Stream stream;
  stream.name = node.type();
  stream.dimension = static_cast<Index>(travel->roads().size());
  stream.gradient_bound = travel->largest_times();
  stream.read_as = described(given.name, *travel);
  stream.rule = std::move(travel);
  return stream;
}

}  // namespace

std::string tntp_beside(const std::string& network_path, const std::string& kind) {
  constexpr std::string_view kEnd = "_net.tntp";
  if (!network_path.ends_with(kEnd)) return "";
  return network_path.substr(0, network_path.size() - kEnd.size()) + "_" + kind + ".tntp";
}

StreamEntry routing_entry() {
  return {.name = "routing",
          .summary =
              "each round a traveller asks for a route; a link's time follows from its flow (the BPR function) and is "
              "known "
              "when the trip ends",
          .keys = {{"network", "\"braess\", built in", "\"braess\""},
                   {"path", "a TNTP network, X_net.tntp, plain or gzip: instead of network", "optional"},
                   {"trips_path", "its trips", "X_trips.tntp beside it"},
                   {"nodes_path", "its nodes' places, for the report", "X_node.tntp, if it exists"},
                   {"toll_weight", "time a unit of toll is worth", "0"},
                   {"length_weight", "time a unit of length is worth", "0"},
                   {"travellers", "how many of them stand for the whole demand", "1000"},
                   {"departures", "how many leave in a unit of time", "1"},
                   {"noise", "the share by which measured times are off, at most", "0"},
                   {"gap", "how precisely the equilibrium is found, relative", "1e-6"}},
          .make = make_routing,
          .seeded = true,
          .examples = {R"({"type": "routing", "network": "braess", "travellers": 300, "noise": 0.1})"}};
}

}  // namespace tarry::lab
