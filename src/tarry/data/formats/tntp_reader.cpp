#include "tarry/data/formats/tntp_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace tarry::data {
namespace {

constexpr Index kMost = Index{1} << 20;  // nodes, as graphs allow

std::string_view without_remark(std::string_view line) { return trimmed(line.substr(0, line.find('~'))); }

std::vector<std::string_view> words_of(std::string_view row) {
  constexpr std::string_view kBlanks = " \t";
  std::vector<std::string_view> words;
  while (true) {
    row.remove_prefix(std::min(row.find_first_not_of(kBlanks), row.size()));
    if (row.empty()) return words;
    words.push_back(row.substr(0, row.find_first_of(kBlanks)));
    row.remove_prefix(words.back().size());
  }
}

Index whole(std::string_view name, std::string_view cell, Index low, Index high, const Place& place) {
  Index number = 0;
  const char* end = cell.data() + cell.size();
  const auto [stop, error] = std::from_chars(cell.data(), end, number);
  if (error != std::errc() || stop != end || number < low || number > high)
    place.fail_cell(name, fmt::format("a whole number from {} to {}", low, high), cell);
  return number;
}

Index node_of(std::string_view name, std::string_view cell, Index nodes, const Place& place) {
  return whole(name, cell, 1, nodes, place) - 1;
}

double at_least_zero(std::string_view name, std::string_view cell, const Place& place) {
  const double x = place.number(name, cell);
  if (x < 0) place.fail_cell(name, "at least 0", cell);
  return x;
}

// What is before <END OF METADATA>: those of the keys that are asked for.
class Metadata {
 public:
  explicit Metadata(TextLines& lines) : lines_(lines) {
    for (std::string_view line; lines.next(line);) {
      line = without_remark(line);
      if (line.empty()) continue;
      const std::size_t end = line.find('>');
      if (line[0] != '<' || end == std::string_view::npos)
        lines.place().fail_cell("a line before <END OF METADATA>", "<KEY> value", line);
      const std::string_view key = line.substr(1, end - 1);
      if (key == "END OF METADATA") return;
      said_[std::string(key)] = {std::string(trimmed(line.substr(end + 1))), lines.place().line};
    }
    lines.fail_whole("has no line <END OF METADATA>");
  }

  Index count(const std::string& key, Index low, Index high) const {
    const auto said = said_.find(key);
    if (said == said_.end()) lines_.fail_whole(fmt::format("has no <{}> before <END OF METADATA>", key));
    const auto& [value, line] = said->second;
    return whole(fmt::format("<{}>", key), value, low, high, {lines_.place().file, line});
  }

 private:
  struct Said {
    std::string value;
    std::size_t line;
  };
  TextLines& lines_;
  std::map<std::string, Said> said_;
};

// The next row that says something, without the semicolon at its end.
bool next_row(TextLines& lines, std::string_view& row) {
  while (lines.next(row)) {
    row = without_remark(row);
    if (row.ends_with(';')) row = trimmed(row.substr(0, row.size() - 1));
    if (!row.empty()) return true;
  }
  return false;
}

RoadLink read_link(std::string_view row, const RoadNetwork& network, const Place& place) {
  const auto cells = words_of(row);
  if (cells.size() < 10)
    place.fail(
        fmt::format("a link must have 10 numbers: init_node, term_node, capacity, length, free_flow_time, b, "
                    "power, speed, toll, link_type ({} came)",
                    cells.size()));
  RoadLink link;
  link.from = node_of("init_node", cells[0], network.nodes, place);
  link.to = node_of("term_node", cells[1], network.nodes, place);
  if (link.from == link.to) place.fail_cell("term_node", "another node than init_node", cells[1]);
  link.capacity = place.number("capacity", cells[2]);
  if (!(link.capacity > 0)) place.fail_cell("capacity", "positive", cells[2]);
  link.length = at_least_zero("length", cells[3], place);
  link.free_flow_time = at_least_zero("free_flow_time", cells[4], place);
  link.b = at_least_zero("b", cells[5], place);
  link.power = at_least_zero("power", cells[6], place);
  link.toll = at_least_zero("toll", cells[8], place);
  return link;
}

// A pair "destination : demand".
Trip read_pair(std::string_view pair, Index origin, Index zones, const Place& place) {
  const std::size_t colon = pair.find(':');
  if (colon == std::string_view::npos) place.fail_cell("a trip", "destination : demand", pair);
  Trip trip{origin, node_of("a destination", trimmed(pair.substr(0, colon)), zones, place), 0};
  trip.demand = at_least_zero("a demand", trimmed(pair.substr(colon + 1)), place);
  return trip;
}

}  // namespace

RoadNetwork read_tntp_network(TextLines& lines) {
  const Metadata metadata(lines);
  RoadNetwork network;
  network.nodes = metadata.count("NUMBER OF NODES", 1, kMost);
  network.zones = metadata.count("NUMBER OF ZONES", 1, network.nodes);
  network.first_thru = metadata.count("FIRST THRU NODE", 1, network.nodes + 1) - 1;
  const Index links = metadata.count("NUMBER OF LINKS", 1, Index{1} << 30);
  for (std::string_view row; next_row(lines, row);) {
    if (static_cast<Index>(network.links.size()) == links)
      lines.place().fail(fmt::format("<NUMBER OF LINKS> says {}, and here is one more", links));
    network.links.push_back(read_link(row, network, lines.place()));
  }
  if (static_cast<Index>(network.links.size()) < links)
    lines.fail_whole(fmt::format("<NUMBER OF LINKS> says {}, but it has {}", links, network.links.size()));
  return network;
}

std::vector<Trip> read_tntp_trips(TextLines& lines, const RoadNetwork& network) {
  const Metadata metadata(lines);
  const Index zones = metadata.count("NUMBER OF ZONES", 1, network.nodes);
  std::vector<Trip> trips;
  std::set<std::pair<Index, Index>> seen;
  std::optional<Index> origin;
  for (std::string_view row; next_row(lines, row);) {
    const Place place = lines.place();
    if (const auto words = words_of(row); words[0] == "Origin") {
      if (words.size() != 2) place.fail_cell("an origin", "\"Origin\" and a zone", row);
      origin = node_of("an origin", words[1], zones, place);
      continue;
    }
    if (!origin) place.fail_cell("the first row", "\"Origin\" and a zone", row);
    while (!row.empty()) {
      const std::size_t end = std::min(row.find(';'), row.size());
      const Trip trip = read_pair(trimmed(row.substr(0, end)), *origin, zones, place);
      if (!seen.insert({trip.origin, trip.destination}).second)
        place.fail(fmt::format("trips from {} to {} come twice", trip.origin + 1, trip.destination + 1));
      if (trip.demand > 0 && trip.origin != trip.destination) trips.push_back(trip);
      row = trimmed(row.substr(std::min(end + 1, row.size())));
    }
  }
  if (trips.empty()) lines.fail_whole("has no trips");
  std::sort(trips.begin(), trips.end(), [](const Trip& a, const Trip& b) {
    return std::pair(a.origin, a.destination) < std::pair(b.origin, b.destination);
  });
  return trips;
}

std::vector<LinkFlow> read_tntp_flows(TextLines& lines, const RoadNetwork& network) {
  std::map<std::pair<Index, Index>, std::vector<std::size_t>> waiting;  // links that have no flow yet, last first
  for (std::size_t e = network.links.size(); e-- > 0;)
    waiting[{network.links[e].from, network.links[e].to}].push_back(e);
  std::vector<LinkFlow> flows(network.links.size());
  std::size_t read = 0;
  bool header = true;
  for (std::string_view row; next_row(lines, row);) {
    const Place place = lines.place();
    const auto cells = words_of(row);
    if (std::exchange(header, false) && (cells[0] == "From" || cells[0] == "from")) continue;
    if (cells.size() != 4)
      place.fail(fmt::format("a flow must be From, To, Volume, Cost ({} cells came)", cells.size()));
    const Index from = node_of("From", cells[0], network.nodes, place),
                to = node_of("To", cells[1], network.nodes, place);
    auto& links = waiting[{from, to}];
    if (links.empty()) place.fail(fmt::format("the network has no link from {} to {} (left)", from + 1, to + 1));
    flows[links.back()] = {at_least_zero("Volume", cells[2], place), at_least_zero("Cost", cells[3], place)};
    links.pop_back();
    ++read;
  }
  if (read < flows.size()) lines.fail_whole(fmt::format("has {} flows for {} links", read, flows.size()));
  return flows;
}

std::vector<NodePlace> read_tntp_places(TextLines& lines, const RoadNetwork& network) {
  std::vector<std::optional<NodePlace>> found(static_cast<std::size_t>(network.nodes));
  bool header = true;
  for (std::string_view row; next_row(lines, row);) {
    const Place place = lines.place();
    const auto cells = words_of(row);
    if (std::exchange(header, false) && (cells[0] == "Node" || cells[0] == "node")) continue;
    if (cells.size() != 3) place.fail(fmt::format("a place must be node, X, Y ({} cells came)", cells.size()));
    auto& node = found[static_cast<std::size_t>(node_of("node", cells[0], network.nodes, place))];
    if (node) place.fail(fmt::format("node {} comes twice", cells[0]));
    node = NodePlace{place.number("X", cells[1]), place.number("Y", cells[2])};
  }
  std::vector<NodePlace> places;
  for (const auto& node : found) {
    if (!node) lines.fail_whole(fmt::format("has no place for node {}", places.size() + 1));
    places.push_back(*node);
  }
  return places;
}

}  // namespace tarry::data
