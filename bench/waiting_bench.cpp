// What it costs to look at rounds while they are open: the task `binary` with ten features, as it is and as it would be
// without looking, where delays say nothing of the class and where labels of one class come late. With a weight the
// loss tells no probabilities, and nobody looks. Usage: waiting_bench TURNS
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "tarry/base/random.h"
#include "tarry/model/model_spec.h"
#include "timing.h"

namespace {

using namespace tarry;

constexpr Round kRounds = 20'000;
constexpr int kPairs = 5;  // of a number and a word
constexpr const char* kLooks = R"({"task": "binary", "trees": false})";
constexpr const char* kDoesNot = R"({"task": "binary", "loss": {"type": "logistic", "positive_weight": 1.000001}})";

// In each round a row, then the labels that come.
struct Stream {
  std::vector<NamedFeatures> rows;
  std::vector<std::vector<std::pair<Round, bool>>> coming;
};

// Labels take 100 rounds on average; where one class is late, 19 and 190.
Stream stream_of(bool one_is_late) {
  RandomSequence random(5);
  Stream stream{{}, std::vector<std::vector<std::pair<Round, bool>>>(kRounds + 1)};
  for (Round t = 1; t <= kRounds; ++t) {
    NamedFeatures row;
    double margin = -1;
    for (int i = 0; i < kPairs; ++i) {
      const double x = 2 * random.uniform() - 1;
      margin += i == 0 ? 2 * x : 0;
      row.push_back({fmt::format("number {}", i), x});
      row.push_back({fmt::format("word {}", i), fmt::format("w{}", random.below(20))});
    }
    const bool yes = random.uniform() < 1 / (1 + std::exp(-margin));
    const double mean = !one_is_late ? 100 : yes ? 190 : 19;
    const Round at = t + static_cast<Round>(-mean * std::log(1 - random.uniform()));
    if (at <= kRounds) stream.coming[at].push_back({t, yes});
    stream.rows.push_back(std::move(row));
  }
  return stream;
}

// Moves of targets a round.
double play(const char* spec, const Stream& stream) {
  Model model = make_model(ModelSpec::parse(spec));
  for (Round t = 1; t <= kRounds; ++t) {
    model.play(stream.rows[t - 1]);
    for (const auto& [round, yes] : stream.coming[t]) model.label(round, yes);
  }
  const auto told = model.learner().waits();
  return told ? told->moves / static_cast<double>(kRounds) : 0;
}

void print(const char* name, double value) { fmt::print("{{\"name\": \"{}\", \"seconds\": [{}]}}\n", name, value); }

// The median of the ratios of turns that followed each other.
double median_of_pairs(const bench::Contestant& looks, const bench::Contestant& does_not) {
  Vec ratios;
  for (std::size_t i = 0; i < looks.seconds.size(); ++i) ratios.push_back(looks.seconds[i] / does_not.seconds[i]);
  std::sort(ratios.begin(), ratios.end());
  return (ratios[(ratios.size() - 1) / 2] + ratios[ratios.size() / 2]) / 2;
}

}  // namespace

int main(int argc, char** argv) {
  const int turns = argc > 1 ? std::atoi(argv[1]) : 10;
  const Stream alike = stream_of(false), late = stream_of(true);
  double moves_alike = 0, moves_late = 0, none = 0;
  const auto contestant = [](const char* name, const char* spec, const Stream& stream, double& moves) {
    return bench::Contestant{name, static_cast<int>(kRounds), [&, spec] { moves = play(spec, stream); }};
  };
  std::vector<bench::Contestant> all = {
      contestant("alike", kLooks, alike, moves_alike), contestant("alike_unseen", kDoesNot, alike, none),
      contestant("late", kLooks, late, moves_late), contestant("late_unseen", kDoesNot, late, none)};
  bench::take_turns(all, turns);
  bench::print(all);
  print("pairs_alike", median_of_pairs(all[0], all[1]));
  print("pairs_late", median_of_pairs(all[2], all[3]));
  print("moves_alike", moves_alike);
  print("moves_late", moves_late);
  print("one", 1);
}
