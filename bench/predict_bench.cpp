// Times predictions and the labels that follow at once: rows of a LIBSVM file, 2^20 features, logistic loss, one
// thread. Usage: predict_bench FILE
#include <fmt/format.h>

#include <ctime>

#include "tarry/data/formats/libsvm_reader.h"
#include "tarry/data/text/text_lines.h"
#include "tarry/lab/verify/verify.h"
#include "tarry/learners/registry.h"
#include "tarry/linalg/parallel.h"
#include "tarry/losses/classification.h"
#include "tarry/spec/json.h"
#include "tarry/spec/node.h"

namespace {

using namespace tarry;

constexpr Index kDimension = Index{1} << 20;

// Prints the seconds of one example, and the mean loss, so that a fast learner that learns nothing shows.
void time(const char* name, const std::string& set, const std::string& learner, const lab::Dataset& data,
          bool standardise = false) {
  const Model bare = lab::make_model(set, learner);
  const spec::Value spec = spec::parse_json(learner);
  Model model(ModelParts{.set = bare.set(),
                         .learner = make_learner(spec::Node(spec, "learner"), {.set = bare.set(), .initial = {}}),
                         .loss = LogisticLoss{},
                         .standardise = standardise});

  const std::size_t rows = data.rows();
  double loss = 0;
  const std::clock_t start = std::clock();  // of the processor: others may be using the machine
  for (std::size_t row = 0; row < rows; ++row) {
    model.play(data.features(row));
    loss += model.label(row + 1, data.labels[row]).loss;
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / static_cast<double>(rows);
  fmt::print("{{\"name\": \"{}\", \"seconds\": [{}], \"loss\": {}}}\n", name, seconds,
             loss / static_cast<double>(rows));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const ThreadLimit one(1);
  lab::TextLines lines(argv[1]);
  const lab::Dataset data =
      lab::read_libsvm(lines, {.dimension = kDimension, .intercept = false, .shuffle = {}, .limit = 0, .as_label = {}});
  const std::string ball = fmt::format(R"({{"type": "l2_ball", "dimension": {}, "radius": 20}})", kDimension);
  const std::string box = fmt::format(R"({{"type": "box", "dimension": {}, "lower": -10, "upper": 10}})", kDimension);
  time("gauge_ftrl", ball, R"({"type": "gauge_ftrl", "light": true})", data);
  time("box_ftrl", box, R"({"type": "box_ftrl"})", data);
  time("adagrad", box, R"({"type": "adagrad"})", data);
  time("auto", box, R"({"type": "auto"})", data);
  time("auto_standardised", box, R"({"type": "auto"})", data, true);
}
