#include "tarry/data/formats/tntp_reader.h"

#include <numeric>

#include "unit/data/files.h"
#include "unit/data/memory_text.h"
#include "unit/expect_error.h"

namespace tarry::data {
namespace {

const std::string kHead = "<NUMBER OF ZONES> 2\t\n<NUMBER OF NODES> 3\n<FIRST THRU NODE> 3\n<NUMBER OF LINKS> 3\n";
const std::string kEnd = "<ORIGINAL HEADER>~ tail head ;\n<END OF METADATA>\n\n\n~ init_node term_node ;\n";
const std::string kLinks =
    "\t1\t3\t100\t5\t2.5\t0.15\t4\t0\t1\t1\t;\n3 2 50 0 1 0 0 0 0 1;\n 1 2 10 1 9 1 1 0 0 1 ;\r\n";

RoadNetwork network(const std::string& text) {
  TextLines lines = text_lines("net", text);
  return read_tntp_network(lines);
}

RoadNetwork small() { return network(kHead + kEnd + kLinks); }

std::vector<Trip> trips(const std::string& rows) {
  TextLines lines = text_lines("trips", "<NUMBER OF ZONES> 2\n<TOTAL OD FLOW> 9\n<END OF METADATA>\n" + rows);
  return read_tntp_trips(lines, small());
}

TEST(TntpReader, ReadsANetwork) {
  const RoadNetwork read = small();
  EXPECT_EQ(read.nodes, 3);
  EXPECT_EQ(read.zones, 2);
  EXPECT_EQ(read.first_thru, 2);
  ASSERT_EQ(read.links.size(), 3U);
  const RoadLink& link = read.links[0];
  EXPECT_EQ(link.from, 0);
  EXPECT_EQ(link.to, 2);
  EXPECT_EQ(link.capacity, 100);
  EXPECT_EQ(link.length, 5);
  EXPECT_EQ(link.free_flow_time, 2.5);
  EXPECT_EQ(link.b, 0.15);
  EXPECT_EQ(link.power, 4);
  EXPECT_EQ(link.toll, 1);
  EXPECT_EQ(read.links[1].to, 1);
  EXPECT_EQ(read.links[2].b, 1);
}

TEST(TntpReader, MalformedNetworksNameTheLine) {
  const auto says = [](const std::string& text, const std::string& message) {
    EXPECT_ERROR(network(text), Code::kBadInput, message);
  };
  says("", "net: has no line <END OF METADATA>");
  says("1 2\n", R"(net: line 1: a line before <END OF METADATA> must be <KEY> value ("1 2" came))");
  says("<NUMBER OF NODES> 3\n<END OF METADATA>\n", "net: has no <NUMBER OF ZONES> before <END OF METADATA>");
  says("<NUMBER OF NODES> 3\n<NUMBER OF ZONES> 4\n<END OF METADATA>\n",
       R"(net: line 2: <NUMBER OF ZONES> must be a whole number from 1 to 3 ("4" came))");
  const std::string start = kHead + kEnd;
  says(start + "1 3 100 5 2.5 0.15 4 0 1;\n",
       "net: line 10: a link must have 10 numbers: init_node, term_node, capacity, length, free_flow_time, b, power, "
       "speed, toll, link_type (9 came)");
  says(start + "1 4 1 1 1 1 1 1 1 1;\n", R"(net: line 10: term_node must be a whole number from 1 to 3 ("4" came))");
  says(start + "1 1 1 1 1 1 1 1 1 1;\n", R"(net: line 10: term_node must be another node than init_node ("1" came))");
  says(start + "1 3 0 1 1 1 1 1 1 1;\n", R"(net: line 10: capacity must be positive ("0" came))");
  says(start + "1 3 1 1 -1 1 1 1 1 1;\n", R"(net: line 10: free_flow_time must be at least 0 ("-1" came))");
  says(start + "1 3 1 1 1 x 1 1 1 1;\n", R"(net: line 10: b must be a number ("x" came))");
  says(start + "1 3 1 1 1 1 1 1 1 1;\n", "net: <NUMBER OF LINKS> says 3, but it has 1");
  says(start + kLinks + kLinks, "net: line 13: <NUMBER OF LINKS> says 3, and here is one more");
}

TEST(TntpReader, ReadsTripsInOrder) {
  const auto read = trips("~ a remark\nOrigin  2 \n 1 : 0.5; 2: 7;\nOrigin 1\n 1 : 0.0;   2 :  3.5; \n");
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].origin, 0);
  EXPECT_EQ(read[0].destination, 1);
  EXPECT_EQ(read[0].demand, 3.5);
  EXPECT_EQ(read[1].origin, 1);
  EXPECT_EQ(read[1].demand, 0.5);
}

TEST(TntpReader, MalformedTripsNameTheLine) {
  const auto says = [](const std::string& rows, const std::string& message) {
    EXPECT_ERROR(trips(rows), Code::kBadInput, message);
  };
  says("", "trips: has no trips");
  says("1 : 2;\n", R"(trips: line 4: the first row must be "Origin" and a zone ("1 : 2" came))");
  says("Origin 3\n", R"(trips: line 4: an origin must be a whole number from 1 to 2 ("3" came))");
  says("Origin 1\n3 : 1;\n", R"(trips: line 5: a destination must be a whole number from 1 to 2 ("3" came))");
  says("Origin 1\n2 1;\n", R"(trips: line 5: a trip must be destination : demand ("2 1" came))");
  says("Origin 1\n2 : -1;\n", R"(trips: line 5: a demand must be at least 0 ("-1" came))");
  says("Origin 1\n2 : 1; 2 : 1;\n", "trips: line 5: trips from 1 to 2 come twice");
}

TEST(TntpReader, FlowsFollowTheNetworksLinks) {
  const auto flows = [](const std::string& rows) {
    TextLines lines = text_lines("flow", "From \tTo \tVolume \tCost \n" + rows);
    return read_tntp_flows(lines, small());
  };
  const auto read = flows("3 2 7 1.5\n1 2 8 2\n1 3 9 2.5\n");
  EXPECT_EQ(read[0].volume, 9);
  EXPECT_EQ(read[1].volume, 7);
  EXPECT_EQ(read[1].cost, 1.5);
  EXPECT_EQ(read[2].volume, 8);
  EXPECT_ERROR(flows("3 2 7 1.5\n"), Code::kBadInput, "flow: has 1 flows for 3 links");
  EXPECT_ERROR(flows("2 3 7 1.5\n"), Code::kBadInput, "flow: line 2: the network has no link from 2 to 3 (left)");
  EXPECT_ERROR(flows("2 3 7\n"), Code::kBadInput, "flow: line 2: a flow must be From, To, Volume, Cost (3 cells came)");
}

TEST(TntpReader, PlacesAreThoseOfEveryNode) {
  const auto places = [](const std::string& rows) {
    TextLines lines = text_lines("node", "Node\tX\tY\t;\n" + rows);
    return read_tntp_places(lines, small());
  };
  EXPECT_EQ(places("2 5 6;\n1 -3.5 4 ;\n3 0 0\n")[0].x, -3.5);
  EXPECT_ERROR(places("1 1 1;\n3 1 1;\n"), Code::kBadInput, "node: has no place for node 2");
  EXPECT_ERROR(places("1 1 1;\n1 1 1;\n"), Code::kBadInput, "node: line 3: node 1 comes twice");
}

TEST(TntpReader, ReadsTheRealNetworks) {
  struct Known {
    std::string path;
    Index nodes;
    std::size_t links;
    Index first_thru;
    double trips;  // between zones
  };
  for (const Known& known : {Known{"SiouxFalls/SiouxFalls", 24, 76, 0, 360600},
                             {"Anaheim/Anaheim", 416, 914, 38, 104694.40},
                             {"Chicago-Sketch/ChicagoSketch", 933, 2950, 0, 1137493.44}}) {
    REAL_DATA_OR_SKIP(net, "transportation-networks/" + known.path + "_net.tntp");
    TextLines lines(net), trip_lines(real_data("transportation-networks/" + known.path + "_trips.tntp")),
        flow_lines(real_data("transportation-networks/" + known.path + "_flow.tntp"));
    const RoadNetwork read = read_tntp_network(lines);
    EXPECT_EQ(read.nodes, known.nodes);
    EXPECT_EQ(read.links.size(), known.links);
    EXPECT_EQ(read.first_thru, known.first_thru);
    double total = 0;
    for (const Trip& trip : read_tntp_trips(trip_lines, read)) total += trip.demand;
    EXPECT_NEAR(total, known.trips, 1e-3) << known.path;
    EXPECT_EQ(read_tntp_flows(flow_lines, read).size(), known.links);
  }
}

}  // namespace
}  // namespace tarry::data
