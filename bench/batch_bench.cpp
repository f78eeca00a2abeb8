// Labels of many rounds that wait, one after the other, as learn_many of the Python package is handed them: rows of
// numbers, squared loss. Usage: batch_bench ROWS FEATURES
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>

#include "tarry/model/model_spec.h"

namespace {

using namespace tarry;

double now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }  // of the processor

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  const auto rows = static_cast<std::size_t>(std::atoi(words[1])),
             features = static_cast<std::size_t>(std::atoi(words[2]));
  Vec x(rows * features), y(rows);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i * 7 % 11) / 5 - 1;
  for (std::size_t i = 0; i < rows; ++i) y[i] = static_cast<double>(i * 5 % 7) / 3 - 1;
  const std::string spec = fmt::format(
      R"({{"set": {{"type": "box", "dimension": {}, "lower": -1, "upper": 1}}, "learner": {{"type": "auto"}}, "loss": "squared"}})",
      features);
  double best_label = 1e9, best_play = 1e9;
  for (int turn = 0; turn < 5; ++turn) {
    Model model = make_model(ModelSpec::parse(spec));
    const double start = now();
    for (std::size_t i = 0; i < rows; ++i) model.play(Covector::dense({x.data() + i * features, features}));
    const double played = now();
    for (std::size_t i = 0; i < rows; ++i) model.label(i + 1, y[i]);
    best_play = std::min(best_play, played - start);
    best_label = std::min(best_label, now() - played);
  }
  fmt::print("{{\"name\": \"label\", \"seconds\": [{}]}}\n", best_label / static_cast<double>(rows));
  fmt::print("{{\"name\": \"play\", \"seconds\": [{}]}}\n", best_play / static_cast<double>(rows));
}
