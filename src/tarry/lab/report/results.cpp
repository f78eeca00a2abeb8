#include "tarry/lab/report/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "tarry/base/error.h"
#include "tarry/base/version.h"
#include "tarry/lab/report/evaluation.h"
#include "tarry/lab/report/quality_json.h"
#include "tarry/lab/report/reading_json.h"
#include "tarry/lab/report/roads_json.h"
#include "tarry/lab/report/verdict.h"
#include "tarry/spec/json.h"
#include "tarry/spec/node.h"

namespace tarry::lab {
namespace {

using spec::Value;

constexpr const char* kFormat = "tarry-run/1";

Value text(std::string x) { return {std::move(x)}; }
Value number(double x) { return std::isfinite(x) ? Value{x} : Value{}; }
Value whole(std::uint64_t x) { return {static_cast<std::int64_t>(x)}; }

// JSON has no NaN: it is written as null.
Value numbers(const Vec& x) {
  if (std::all_of(x.begin(), x.end(), [](double xi) { return std::isfinite(xi); })) return {x};
  spec::Array mixed;
  for (double xi : x) mixed.push_back(number(xi));
  return {mixed};
}

Vec read_numbers(const spec::Node& node) {
  if (const auto* flat = std::get_if<spec::Numbers>(&node.value().as)) return *flat;
  Vec x;
  for (const spec::Node& element : node.list())
    if (const auto* real = std::get_if<double>(&element.value().as))
      x.push_back(*real);  // not number(), which refuses what is beyond 1e100
    else
      x.push_back(element.is_number() ? element.number() : std::numeric_limits<double>::quiet_NaN());
  return x;
}

Value checkpoints_value(const Curves& curves) {
  Vec rounds(curves.round.begin(), curves.round.end());
  spec::Object metrics;
  for (const auto& [name, values] : curves.metrics) metrics.push_back({name, numbers(values)});
  const auto or_null = [](const Vec& x) { return x.empty() ? Value{} : numbers(x); };
  return {spec::Object{{"round", numbers(rounds)},
                       {"loss", numbers(curves.loss)},
                       {"regret_low", or_null(curves.regret_low)},
                       {"regret_high", or_null(curves.regret_high)},
                       {"bound", or_null(curves.bound)},
                       {"outstanding", numbers(curves.outstanding)},
                       {"oracle_calls", numbers(curves.oracle_calls)},
                       {"seconds", numbers(curves.seconds)},
                       {"state_bytes", numbers(curves.state_bytes)},
                       {"time", or_null(curves.time)},
                       {"metrics", Value{metrics}}}};
}

std::optional<Waits> read_waits(const spec::Node& delays) {
  const auto seconds = delays.find("seconds");
  if (!seconds || !seconds->is_object()) return std::nullopt;
  return Waits{seconds->number("half"), seconds->number("nine_in_ten"), seconds->number("longest")};
}

Value delays_value(const RunResult& run) {
  const DelayCounts& d = run.delays;
  std::size_t last = d.histogram.size();
  while (last > 0 && d.histogram[last - 1] == 0) --last;
  Vec histogram(d.histogram.begin(), d.histogram.begin() + static_cast<std::ptrdiff_t>(last));
  return {spec::Object{{"mean", number(d.mean())},
                       {"sum", number(d.sum)},
                       {"largest", whole(d.largest)},
                       {"lost", whole(run.lost)},
                       {"on_its_way", whole(run.on_its_way)},
                       {"seconds", waits_value(run.waits)},
                       {"answered", whole(d.answered)},
                       {"most_outstanding", whole(d.most_outstanding)},
                       {"sum_outstanding", number(d.sum_outstanding)},
                       {"histogram", numbers(histogram)}}};
}

Value texts(const std::vector<std::string>& x) {
  spec::Array all;
  for (const std::string& xi : x) all.push_back(text(xi));
  return {all};
}

Value top_value(const std::vector<TopItems>& top) {
  spec::Array lists;
  for (const TopItems& list : top)
    lists.push_back({spec::Object{
        {"user", text(list.user)}, {"items", texts(list.items)}, {"predictions", numbers(list.predictions)}}});
  return {lists};
}

std::vector<TopItems> read_top_lists(const spec::Node& node) {
  std::vector<TopItems> top;
  for (const spec::Node& list : node.list()) {
    top.push_back({list.text("user"), {}, list.numbers("predictions")});
    for (const spec::Node& item : list.at("items").list()) top.back().items.push_back(item.text());
    if (top.back().items.size() != top.back().predictions.size())
      list.fail_whole("must have a prediction for each item");
  }
  return top;
}

Value mean_value(const Mean& mean) {
  if (mean.rounds == 0) return {};
  return {spec::Object{
      {"rounds", number(mean.rounds)}, {"predicted", number(mean.predicted)}, {"outcome", number(mean.outcome)}}};
}

Mean read_mean(const spec::Node& run, const char* name) {
  const auto mean = run.find(name);
  if (!mean || !mean->is_object()) return {};
  const auto sum = [&](const char* key) { return mean->at(key).is_number() ? mean->number(key) : std::nan(""); };
  return {sum("rounds"), sum("predicted"), sum("outcome")};
}

Value run_value(const RunResult& run) {
  const Curves& c = run.curves;
  const auto last = [](const Vec& x) { return x.empty() ? Value{} : number(x.back()); };
  return {spec::Object{{"stream", text(run.stream)},
                       {"delay", text(run.delay)},
                       {"learner", text(run.learner)},
                       {"set", text(run.set)},
                       {"seed", whole(run.seed)},
                       {"rounds", whole(c.round.empty() ? 0 : c.round.back())},
                       {"checkpoints", checkpoints_value(c)},
                       {"delays", delays_value(run)},
                       {"seconds", last(c.seconds)},
                       {"state_bytes", last(c.state_bytes)},
                       {"oracle_calls", last(c.oracle_calls)},
                       {"top", top_value(run.top)},
                       {"roads", road_use_value(run.roads)},
                       {"mean", mean_value(run.mean)},
                       {"later_mean", mean_value(run.later_mean)},
                       {"quality", quality_value(run.quality)},
                       {"waiting", run.waiting}}};
}

Value optional(const std::optional<double>& x) { return x ? number(*x) : Value{}; }

Value group_value(const GroupSummary& g) {
  spec::Object metrics;
  for (const auto& [name, value] : g.metrics) metrics.push_back({name, number(value)});
  return {spec::Object{{"stream", text(g.stream)},
                       {"delay", text(g.delay)},
                       {"learner", text(g.learner)},
                       {"seeds", whole(g.seeds)},
                       {"loss", number(g.loss)},
                       {"regret_low", optional(g.regret_low)},
                       {"regret_high", optional(g.regret_high)},
                       {"regret_sd", optional(g.regret_sd)},
                       {"bound", optional(g.bound)},
                       {"exponent", optional(g.exponent)},
                       {"metrics", Value{metrics}},
                       {"lost_share", number(g.lost_share)},
                       {"on_its_way_share", number(g.on_its_way_share)},
                       {"microseconds_per_round", number(1e6 * g.seconds_per_round)},
                       {"state_bytes", number(g.state_bytes)},
                       {"oracle_calls", number(g.oracle_calls)}}};
}

Value board_value(const Leaderboard& board) {
  spec::Array rows;
  for (const LeaderboardRow& row : board.rows)
    rows.push_back({spec::Object{{"learner", text(row.learner)},
                                 {"value", number(row.value)},
                                 {"undelayed", optional(row.undelayed)},
                                 {"lateness", optional(row.lateness)},
                                 {"lost", number(row.lost)},
                                 {"on_its_way", number(row.on_its_way)}}});
  return {spec::Object{{"stream", text(board.stream)},
                       {"delay", text(board.delay)},
                       {"metric", text(board.metric)},
                       {"compared_to", board.compared_to ? text(*board.compared_to) : Value{}},
                       {"rows", Value{rows}}}};
}

// A file that was damaged may still be JSON.
void refuse_uneven(const Curves& c, const spec::Node& node) {
  const std::size_t rounds = c.round.size();
  bool even = rounds > 0;
  for (const Vec* column : {&c.loss, &c.outstanding, &c.oracle_calls, &c.seconds, &c.state_bytes})
    even = even && column->size() == rounds;
  for (const Vec* column : {&c.regret_low, &c.regret_high, &c.bound, &c.time})
    even = even && (column->empty() || column->size() == rounds);
  for (const auto& [name, column] : c.metrics) even = even && column.size() == rounds;
  if (!even) node.fail_whole("checkpoints must have a number for each round in every column");
}

Curves read_curves(const spec::Node& node) {
  Curves c;
  for (double round : node.numbers("round")) c.round.push_back(static_cast<Round>(round));
  const auto column = [&](const char* name) { return read_numbers(node.at(name)); };
  const auto optional = [&](const char* name) {
    return std::holds_alternative<std::monostate>(node.at(name).value().as) ? Vec{} : column(name);
  };
  c.loss = column("loss");
  c.regret_low = optional("regret_low");
  c.regret_high = optional("regret_high");
  c.bound = optional("bound");
  c.outstanding = column("outstanding");
  c.oracle_calls = column("oracle_calls");
  c.seconds = column("seconds");
  c.state_bytes = column("state_bytes");
  c.time = optional("time");
  const spec::Node metrics = node.at("metrics");
  if (!metrics.is_object()) metrics.fail("an object");
  for (const auto& member : std::get<spec::Object>(metrics.value().as))
    c.metrics[member.first] = read_numbers(metrics.at(member.first));
  refuse_uneven(c, node);
  return c;
}

}  // namespace

std::string to_json(const RunResult& result) { return spec::to_json(run_value(result)) + "\n"; }

RunResult run_from_json(const std::string& json) {
  const Value value = spec::parse_json(json);
  const spec::Node node(value, "run");
  RunResult run;
  run.stream = node.text("stream");
  run.delay = node.text("delay");
  run.learner = node.text("learner");
  run.set = node.text("set");
  run.seed = static_cast<std::uint64_t>(node.at("seed").integer());
  run.curves = read_curves(node.at("checkpoints"));
  const spec::Node delays = node.at("delays");
  run.delays.sum = delays.number("sum");
  run.delays.largest = static_cast<std::uint64_t>(delays.at("largest").integer());
  run.delays.answered = static_cast<std::uint64_t>(delays.at("answered").integer());
  run.delays.most_outstanding = static_cast<std::uint64_t>(delays.at("most_outstanding").integer());
  run.delays.sum_outstanding = delays.number("sum_outstanding");
  const Vec histogram = delays.numbers("histogram");
  for (std::size_t k = 0; k < histogram.size() && k < run.delays.histogram.size(); ++k)
    run.delays.histogram[k] = static_cast<std::uint64_t>(histogram[k]);
  run.lost = static_cast<std::uint64_t>(delays.at("lost").integer());
  run.on_its_way = static_cast<std::uint64_t>(delays.at("on_its_way").integer());
  run.waits = read_waits(delays);
  run.top = read_top_lists(node.at("top"));
  run.roads = read_road_use(node);
  run.mean = read_mean(node, "mean");
  run.later_mean = read_mean(node, "later_mean");
  run.quality = read_quality(node);
  if (const auto waiting = node.find("waiting")) run.waiting = waiting->value();
  return run;
}

std::string intervals_to_json(const std::vector<Interval>& intervals) {
  Vec low, high;
  for (const Interval& interval : intervals) {
    low.push_back(interval.low);
    high.push_back(interval.high);
  }
  return spec::to_json({spec::Object{{"low", numbers(low)}, {"high", numbers(high)}}}) + "\n";
}

std::vector<Interval> intervals_from_json(const std::string& json) {
  const Value value = spec::parse_json(json);
  const spec::Node node(value, "comparator");
  const Vec low = node.numbers("low"), high = node.numbers("high");
  std::vector<Interval> intervals;
  for (std::size_t i = 0; i < low.size() && i < high.size(); ++i) intervals.push_back({low[i], high[i]});
  return intervals;
}

std::string summary_json(const ReportInput& input, const std::vector<RunResult>& runs) {
  spec::Array run_values, groups, boards, readings, networks, evaluated, verdicts;
  const std::vector<GroupSummary> summaries = summarise(runs);
  for (const RunResult& run : runs) run_values.push_back(run_value(run));
  for (const GroupSummary& group : summaries) groups.push_back(group_value(group));
  for (const Evaluated& one : evaluations(summaries)) evaluated.push_back(to_value(one));
  for (const Leaderboard& board : input.leaderboards) boards.push_back(board_value(board));
  for (const Reading& reading : input.readings) readings.push_back(reading_value(reading));
  for (const Verdict& verdict : input.verdicts) verdicts.push_back(to_value(verdict));
  for (const Network& network : input.networks) networks.push_back(network_value(network));
  return spec::to_json({spec::Object{{"format", text(kFormat)},
                                     {"name", text(input.name)},
                                     {"title", text(input.title.empty() ? input.name : input.title)},
                                     {"about", text(input.about)},
                                     {"version", text(kVersion)},
                                     {"made", text(input.made)},
                                     {"spec", text(input.spec_text)},
                                     {"readings", Value{readings}},
                                     {"networks", Value{networks}},
                                     {"verdicts", Value{verdicts}},
                                     {"leaderboards", Value{boards}},
                                     {"evaluations", Value{evaluated}},
                                     {"groups", Value{groups}},
                                     {"runs", Value{run_values}}}}) +
         "\n";
}

}  // namespace tarry::lab
