// Times predictions and the labels that follow at once: rows of a LIBSVM file, 2^20 features by number and by name,
// logistic loss, one thread. Usage: predict_bench FILE [DIMENSION] [NAME]. With a dimension, rows of so many features,
// by number, with and without their products; with a name, that contestant alone, for a profile.
//
// The label is at hand: Model::play_and_label. `auto_waiting` is `auto` as it is where labels come later: play, and
// then label; in `auto_late` the label of the row that was played 1,000 rows before.
#include <fmt/format.h>

#include <ctime>
#include <optional>

#include "tarry/data/formats/libsvm_reader.h"
#include "tarry/data/text/text_lines.h"
#include "tarry/linalg/parallel.h"
#include "tarry/model/codec.h"
#include "tarry/model/model_spec.h"
#include "tarry/spec/json.h"

namespace {

using namespace tarry;

constexpr Index kDimension = Index{1} << 20;
constexpr std::size_t kLate = 1000;
std::string only;  // empty: all

// Prints the seconds of one example, and the mean loss, so that a fast learner that learns nothing shows.
template <class Learn>
void time(const char* name, const std::string& spec, const data::Dataset& data, Learn learn) {
  if (!only.empty() && only != name) return;
  Model model = make_model(ModelSpec::parse(spec));
  const std::size_t rows = data.rows();
  double loss = 0;
  const std::clock_t start = std::clock();  // of the processor: others may be using the machine
  for (std::size_t row = 0; row < rows; ++row) loss += learn(model, row);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / static_cast<double>(rows);
  fmt::print("{{\"name\": \"{}\", \"seconds\": [{}], \"loss\": {}}}\n", name, seconds,
             loss / static_cast<double>(rows));
}

// Plays a row and learns its label. Gives the loss.
double learn_row(Model& model, const FeaturesView& features, double label) {
  return model.judge(model.play_and_label(features, label), label).loss;
}

void time_numbered(const char* name, const std::string& set, const std::string& learner, const data::Dataset& data,
                   bool standardise = false, std::optional<std::size_t> waits = {}) {
  const std::string spec =
      fmt::format(R"({{"set": {}, "learner": {}, "loss": "logistic", "standardise": {}}})", set, learner, standardise);
  time(name, spec, data, [&](Model& model, std::size_t row) {
    if (!waits) return learn_row(model, data.features(row), data.labels[row]);
    model.play(data.features(row));
    return row < *waits ? 0 : model.label(row - *waits + 1, data.labels[row - *waits]).loss;
  });
}

// The same rows as words under one name, as a caller has them.
NamedFeatures named(const data::Dataset& data, std::size_t row) {
  std::vector<std::string> words;
  data.features(row).each([&](Index i, double) { words.push_back(std::to_string(i)); });
  return {{"words", std::move(words)}};
}

void time_products(const data::Dataset& data, Index dimension) {
  for (const Index products : {Index{0}, dimension}) {
    const std::string spec = fmt::format(
        R"({{"set": {{"type": "box", "dimension": {}, "lower": -10, "upper": 10}}, "learner": {{"type": "auto"}},
             "loss": "logistic", "standardise": true, "products": {}}})",
        dimension + products * products, products);
    time(products == 0 ? "narrow" : "products", spec, data,
         [&](Model& model, std::size_t row) { return learn_row(model, data.features(row), data.labels[row]); });
  }
}

void time_named(const std::string& set, const data::Dataset& data) {
  const std::string spec = fmt::format(
      R"({{"set": {}, "learner": {{"type": "auto"}}, "loss": "logistic", "standardise": true,
           "features": {{"capacity": {}, "intercept": false}}}})",
      set, kDimension);
  std::vector<NamedFeatures> rows;
  std::vector<std::string> lines;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    rows.push_back(named(data, row));
    lines.push_back(fmt::format(R"({{"play": {}, "features": {}}})", row + 1, to_json(rows.back())));
  }
  time("named", spec, data,
       [&](Model& model, std::size_t row) { return learn_row(model, rows[row], data.labels[row]); });
  spec::JsonReader json;
  time("named_json", spec, data, [&](Model& model, std::size_t row) {
    const spec::Value value = json.read(lines[row]);
    model.apply(read_event(spec::Node(value, "event")));
    return model.label(row + 1, data.labels[row]).loss;
  });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 4) return 2;
  const ThreadLimit one(1);
  const bool narrow = argc > 2 && argv[2][0] >= '0' && argv[2][0] <= '9';
  if (argc > 2 + narrow) only = argv[2 + narrow];
  const Index given = narrow ? std::stoll(argv[2]) : kDimension;
  data::TextLines lines(argv[1]);
  const data::Dataset data =
      data::read_libsvm(lines, {.dimension = given, .intercept = false, .shuffle = {}, .limit = 0, .as_label = {}});
  if (narrow) {
    time_products(data, given);
    return 0;
  }
  const std::string ball = fmt::format(R"({{"type": "l2_ball", "dimension": {}, "radius": 20}})", kDimension);
  const std::string box = fmt::format(R"({{"type": "box", "dimension": {}, "lower": -10, "upper": 10}})", kDimension);
  time_numbered("gauge_ftrl", ball, R"({"type": "gauge_ftrl", "light": true})", data);
  time_numbered("box_ftrl", box, R"({"type": "box_ftrl"})", data);
  time_numbered("adagrad", box, R"({"type": "adagrad"})", data);
  time_numbered("auto", box, R"({"type": "auto"})", data);
  time_numbered("auto_waiting", box, R"({"type": "auto"})", data, false, 0);
  time_numbered("auto_late", box, R"({"type": "auto"})", data, false, kLate);
  time_numbered("auto_standardised", box, R"({"type": "auto"})", data, true);
  if (only.empty() || only.starts_with("named")) time_named(box, data);
}
