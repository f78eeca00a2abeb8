// Times choices and the rewards that follow at once: ten actions, contexts of twenty named numbers, one thread, nothing
// set. Prints the mean reward too, so that a fast chooser that learns nothing shows.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "tarry/base/random.h"
#include "tarry/model/model_spec.h"

namespace {

using namespace tarry;

constexpr int kActions = 10, kNumbers = 20, kRounds = 20000;

}  // namespace

int main() {
  RandomSequence random(7);
  Vec hidden(kActions * kNumbers);
  for (double& w : hidden) w = random.gaussian();
  std::vector<Choosing> asked(kRounds);
  std::vector<int> right(kRounds);
  for (int t = 0; t < kRounds; ++t) {
    Vec scores(kActions, 0.0);
    for (int i = 0; i < kNumbers; ++i) {
      const double x = random.gaussian();
      asked[static_cast<std::size_t>(t)].context.push_back({fmt::format("f{}", i), x});
      for (int a = 0; a < kActions; ++a)
        scores[static_cast<std::size_t>(a)] += x * hidden[static_cast<std::size_t>(a * kNumbers + i)];
    }
    for (int a = 0; a < kActions; ++a) asked[static_cast<std::size_t>(t)].actions.push_back({fmt::format("a{}", a)});
    right[static_cast<std::size_t>(t)] =
        static_cast<int>(std::max_element(scores.begin(), scores.end()) - scores.begin());
  }
  Model model = make_model(ModelSpec::parse(R"({"task": "choose"})"));
  double earned = 0;
  const std::clock_t start = std::clock();  // of the processor: others may be using the machine
  for (std::size_t t = 0; t < kRounds; ++t) {
    const Model::Outcome outcome = model.choose(asked[t]);
    const double reward = outcome.choice->action == asked[t].actions[static_cast<std::size_t>(right[t])].id ? 1 : 0;
    earned += reward;
    model.label(outcome.round, reward);
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / kRounds;
  fmt::print("{{\"name\": \"choose\", \"seconds\": [{}], \"reward\": {}}}\n", seconds, earned / kRounds);
}
