#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "tarry/lab/streams/stream.h"
#include "tarry/linalg/norms.h"
#include "tarry/spec/json.h"
#include "tarry/spec/toml.h"
#include "unit/data/files.h"
#include "unit/data/flat_rows.h"
#include "unit/data/gzip.h"
#include "unit/expect_error.h"

namespace tarry::lab {

using namespace data;
namespace {

Stream made(const std::string& json, Round rounds = 100, std::uint64_t seed = 1) {
  const spec::Value value = spec::parse_json(json);
  return make_stream(spec::Node(value, "stream"), rounds, seed);
}

Vec slope(const Stream& stream, Round t) {
  Vec b(static_cast<std::size_t>(stream.dimension));
  stream.raw()->slope(t, b, b);
  return b;
}

// {"type": "libsvm", "path": "<path>", …}
std::string file_spec(const std::string& type, const TestFile& file, const std::string& more) {
  return R"({"type": ")" + type + R"(", "path": ")" + file.path() + "\"" + more + "}";
}

TEST(Streams, NameTheKnownTypes) {
  EXPECT_ERROR(
      made(R"({"type": "river"})"), Code::kBadSpec,
      "unknown stream type \"river\" (known types: random_linear, drifting, sign_blocks, square_wave, "
      "constant, random_quadratic, box_quadratic, sparse_regression, channels, csv, libsvm, arff_events, relatives, "
      "classes_as_choices, log, logged, ratings, low_rank_ratings, routing)");
  EXPECT_ERROR(made(R"({"type": "constant", "dimension": 2, "bond": 1})"), Code::kBadSpec,
               "constant: unknown key \"bond\" (known keys: type, bound, dimension); did you mean bound?");
}

// The keys that a stream reads, as its complaint about an unknown one lists them. Files are not opened before.
std::set<std::string> keys_read(const std::string& example) {
  const Thrown thrown = thrown_by([&] { made(example.substr(0, example.size() - 1) + R"(, "bogus": 1})"); });
  const std::string start = "(known keys: ";
  const std::size_t at = thrown.message.find(start);
  EXPECT_NE(at, std::string::npos) << thrown.message;
  std::set<std::string> keys;
  std::istringstream list(thrown.message.substr(at + start.size()));
  for (std::string key; list >> key;) keys.insert(key.substr(0, key.size() - 1));
  return keys;
}

TEST(Streams, ReadExactlyTheKeysTheyDeclare) {
  for (const StreamEntry& entry : stream_registry()) {
    std::set<std::string> declared = {"type"};
    for (const spec::Key& key : entry.keys) declared.insert(key.name);
    ASSERT_FALSE(entry.examples.empty()) << entry.name;
    for (const std::string& example : entry.examples) EXPECT_EQ(keys_read(example), declared) << example;
  }
}

TEST(Streams, PlaySyntheticLossesWithinTheirBound) {
  for (const StreamEntry& entry : stream_registry())
    for (const std::string& example : entry.examples) {
      if (example.find("path") != std::string::npos) continue;
      const Stream stream = made(example);
      EXPECT_EQ(stream.name, entry.name);
      if (stream.raw() == nullptr) continue;
      bool moves = false;
      for (Round t = 1; t <= 200; ++t) {
        EXPECT_LE(norm2(slope(stream, t)), stream.gradient_bound * (1 + 1e-12)) << example;
        moves = moves || slope(stream, t) != slope(stream, 1);
      }
      EXPECT_EQ(moves, entry.name != "constant") << example;
      const bool differs = slope(made(example, 100, 2), 1) != slope(stream, 1) ||
                           slope(made(example, 100, 2), 150) != slope(stream, 150);
      EXPECT_LE(differs, entry.seeded) << example;
    }
}

TEST(Streams, MakeTheLossesThatTheyAreNamedFor) {
  EXPECT_EQ(slope(made(R"({"type": "constant", "dimension": 2, "bound": 3})"), 9), (Vec{3, 0}));
  const Stream wave = made(R"({"type": "square_wave", "dimension": 2, "half_period": 2})");
  EXPECT_EQ(slope(wave, 2), (Vec{1, 0}));
  EXPECT_EQ(slope(wave, 3), (Vec{-1, 0}));
  const Stream fixed = made(R"({"type": "random_linear", "dimension": 4, "lean": 1})");
  EXPECT_EQ(slope(fixed, 1), slope(fixed, 2));
  const Stream blocks = made(R"({"type": "sign_blocks", "dimension": 1, "block": 5})");
  for (Round t = 1; t <= 50; ++t) EXPECT_EQ(slope(blocks, t), slope(blocks, (t - 1) / 5 * 5 + 1));
  EXPECT_ERROR(made(R"({"type": "random_linear", "dimension": 4, "lean": 2})"), Code::kBadSpec,
               "random_linear: lean must be from 0 to 1 (lean = 2)");
}

TEST(Streams, DrawTheBoxQuadraticsUniformly) {
  const Stream stream = made(R"({"type": "box_quadratic", "dimension": 2, "curvature": 3, "low": -1, "high": 2})");
  EXPECT_EQ(stream.raw()->curvature, 3);
  EXPECT_DOUBLE_EQ(stream.gradient_bound, 2 * std::sqrt(2));
  double sum = 0, low = 1, high = 0;
  for (Round t = 1; t <= 4000; ++t)
    for (const double b : slope(stream, t)) {
      sum += b;
      low = std::min(low, b);
      high = std::max(high, b);
    }
  EXPECT_NEAR(sum / 8000, 0.5, 0.05);
  EXPECT_NEAR(low, -1, 0.01);
  EXPECT_NEAR(high, 2, 0.01);
  EXPECT_ERROR(made(R"({"type": "box_quadratic", "dimension": 2, "low": 2})"), Code::kBadSpec,
               "box_quadratic: low must be at most high");
}

TEST(Streams, MakeSparseRegressionFromARule) {
  const std::string rule = R"("type": "sparse_regression", "dimension": 30, "non_zeros": 3, "density": 10)";
  const Stream stream = made("{" + rule + "}", 500), longer = made("{" + rule + "}", 600);
  ASSERT_EQ(stream.rounds, 500u);
  EXPECT_EQ(stream.table()->loss_name, "squared");
  EXPECT_EQ(stream.gradient_bound, 0);
  EXPECT_NE(made("{" + rule + "}", 500, 2).table()->data->labels, stream.table()->data->labels);
  for (std::size_t row = 0; row < 500; ++row) {
    const Covector features = stream.table()->data->features(row);
    EXPECT_EQ(features.stored(), 10u);
    EXPECT_DOUBLE_EQ(features.norm(), std::sqrt(10));
    EXPECT_EQ(stream.table()->data->labels[row], longer.table()->data->labels[row]);
    EXPECT_NEAR(std::remainder(stream.table()->data->labels[row] * 3, 1), 0, 1e-12);  // sums of three times ±1/3 or 0
    EXPECT_LE(std::fabs(stream.table()->data->labels[row]), 1 + 1e-12);
  }
  const Stream signs = made("{" + rule + R"(, "noise": 0.1, "loss": "logistic"})", 500);
  for (const double label : signs.table()->data->labels) EXPECT_EQ(std::fabs(label), 1);
  EXPECT_DOUBLE_EQ(signs.gradient_bound, std::sqrt(10));
  EXPECT_ERROR(made("{" + rule + "}", 0), Code::kBadSpec,
               "sparse_regression: rounds must be given: the rows are made beforehand");
}

TEST(Streams, ReadFiles) {
  const TestFile file("rows", "1 1:3 2:4\n0 1:1\n");
  const Stream stream = made(file_spec("libsvm", file, R"(, "loss": "logistic", "intercept": false)"));
  EXPECT_EQ(stream.rounds, 2u);
  EXPECT_EQ(stream.dimension, 2);
  EXPECT_EQ(stream.table()->data->labels, (Vec{1, -1}));
  EXPECT_EQ(stream.table()->loss_name, "logistic");
  EXPECT_DOUBLE_EQ(stream.gradient_bound, 5);
  EXPECT_EQ(stream.table()->known, Known::kAtPlay);
  const Stream huber = made(file_spec("libsvm", file, R"(, "loss": {"type": "huber", "threshold": 2})"));
  EXPECT_EQ(huber.table()->loss_name, "huber");
  EXPECT_DOUBLE_EQ(huber.gradient_bound, 2 * std::sqrt(26));
}

TEST(Streams, ReadPortfoliosWhoseDaysAreKnownLater) {
  const TestFile file("days.csv", "A,B\n1.5,0.5\n");
  const Stream stream = made(file_spec("relatives", file, ""));
  EXPECT_EQ(stream.table()->known, Known::kAtFeedback);
  EXPECT_EQ(stream.table()->loss_name, "log_wealth");
  EXPECT_EQ(stream.gradient_bound, 0);
  EXPECT_ERROR(made(file_spec("relatives", file, R"(, "loss": "squared")")), Code::kBadSpec,
               "relatives: unknown key \"loss\" (known keys: type, path)");
}

TEST(Streams, ReadEvents) {
  const TestFile file("events.arff", "@attribute y {no,yes}\n@attribute id numeric\n@data\n?,1\nyes,1\n?,2\n");
  const Stream stream =
      made(file_spec("arff_events", file, R"(, "label": "y", "id": "id", "positive": "yes", "loss": "hinge")"));
  EXPECT_EQ(stream.rounds, 2u);
  EXPECT_TRUE(stream.table()->data->has_times());
  EXPECT_EQ(stream.gradient_bound, 1);
}

TEST(Streams, ReadEveryFormatFromGzipToo) {
  struct Case {
    std::string type, text, keys;
  };
  const Case cases[] = {
      {"csv", "x,y\n1,2\n", R"(, "label": "y", "features": ["x"], "loss": "squared")"},
      {"libsvm", "1 1:1\n", R"(, "loss": "squared")"},
      {"arff_events", "@attribute y real\n@attribute id real\n@data\n?,1\n2,1\n",
       R"(, "label": "y", "id": "id", "loss": "squared")"},
      {"relatives", "1.5,0.5\n", ""},
  };
  for (const auto& [type, text, keys] : cases) {
    const std::string packed = gzip(text);
    EXPECT_EQ(made(file_spec(type, TestFile(type, packed), keys)).rounds, 1u) << type;
    const TestFile cut(type + "_cut", packed.substr(0, packed.size() - 5));
    EXPECT_ERROR(made(file_spec(type, cut, keys)), Code::kCorrupt, cut.path() + ": the gzip data ends early");
  }
}

TEST(Streams, NameTheFileAndItsLineNotTheSpecification) {
  const TestFile file("labels.csv", "x,y\n1,1\n1,2\n");
  const auto from_toml = [&](const std::string& keys) {
    const spec::Value value = spec::parse_toml("\n[stream]\ntype = \"csv\"\npath = \"" + file.path() + "\"\n" + keys);
    make_stream(spec::Node(*value.find("stream"), "stream"), 1, 1);
  };
  EXPECT_ERROR(from_toml("label = \"y\"\nfeatures = [\"x\"]\nloss = \"logistic\"\n"), Code::kBadInput,
               file.path() + ": line 3: label must be -1 or 1, or 0 or 1 (2 came)");
  EXPECT_ERROR(from_toml("label = \"y\"\nfeatures = [\"x\"]\nloss = \"cubic\"\n"), Code::kBadSpec,
               "line 7: unknown loss type \"cubic\" (known types: linear, squared, logistic, hinge, absolute, huber, "
               "softmax, log_wealth, diminishing)");
  EXPECT_ERROR(from_toml("label = \"y\"\nfeatures = [\"x\"]\n"), Code::kBadSpec,
               "line 2: csv: loss is missing (wanted a loss, or its name)");
  EXPECT_ERROR(
      from_toml("label = \"y\"\nfeatures = [\"x\"]\nloss = \"squared\"\nlos = 1\n"), Code::kBadSpec,
      "line 8: csv: unknown key \"los\" (known keys: type, path, features, label, label_divide, positive, classes, "
      "divide, categorical, hash_dimension, intercept, event_time, feedback_time, due, key, sort, names, missing, "
      "dates, "
      "delimiter, limit, loss, ignore, include, feedback, expiry, blank); did you mean loss?");
}

TEST(Streams, ReadFlights) {
  REAL_DATA_OR_SKIP(path, "flights/derived_hflights_stream.csv.gz");
  const Stream stream = made(R"({"type": "csv", "path": ")" + path + R"(", "label": "ArrDelay", "label_divide": 60,
      "loss": "squared", "features": ["DepDelay", "TaxiOut", "Distance"], "divide": {"Distance": 1000},
      "categorical": ["UniqueCarrier", "Dest"], "hash_dimension": 256,
      "event_time": "t_depart_min", "feedback_time": "t_feedback_min"})");
  EXPECT_EQ(stream.rounds, 223874u);
  EXPECT_EQ(stream.dimension, 3 + 256 + 1);
  EXPECT_TRUE(stream.table()->data->has_times());
}

// A class's label is what the loss calls it, from a log as from a table.
TEST(Streams, ALogOfClassesKeepsTheirLabels) {
  const TestFile file(
      "log.jsonl", R"({"format": "tarry-replay/2", "model": {"set": {"type": "l2_ball", "dimension": 6, "radius": 1}, )"
                   R"("learner": {"type": "stay"}, "loss": {"type": "softmax", "classes": 3, "first": 1}}})"
                   "\n"
                   R"({"play": 1, "features": [1, 2]})"
                   "\n"
                   R"({"label": 1, "value": 3})"
                   "\n");
  const Stream stream = made(file_spec("log", file, ""));
  EXPECT_EQ(stream.table()->data->labels, Vec{3});
  EXPECT_EQ(stream.table()->loss.label(stream.table()->data->labels[0]), 2);
}

// `late_labels` is `csv` whose columns are found; only there do categorical columns alone add to what is found.
TEST(Streams, ATableIsOneStreamByBothOfItsNames) {
  const TestFile file("t.csv", "asked_at,known_at,x,zip,paid\n0,2,1,7,yes\n1,3,4,8,no\n2,4,2,7,yes\n");
  const auto same = [&](const std::string& type, const std::string& keys, const std::string& old_keys) {
    const Stream found = made(file_spec(type, file, keys)), old = made(file_spec("late_labels", file, old_keys));
    EXPECT_FALSE(found.read_as.empty());
    EXPECT_EQ(found.read_as, old.read_as);
    EXPECT_EQ(found.table()->data->labels, (Vec{1, -1, 1}));
    EXPECT_EQ(flat(*found.table()->data).indices, flat(*old.table()->data).indices);
    EXPECT_EQ(flat(*found.table()->data).values, flat(*old.table()->data).values);
    EXPECT_EQ(found.table()->loss_name, "logistic");
  };
  same("csv", "", "");
  same("csv", R"(, "features": "found")", "");
  same("csv", R"(, "features": "found", "categorical": ["zip"])", R"(, "categorical": ["zip"])");
  same("late_labels", R"(, "features": "found", "ignore": ["zip"])", R"(, "ignore": ["zip"])");
  const std::string words = R"(, "categorical": ["zip"], "label": "paid", "loss": "logistic")";
  EXPECT_EQ(made(file_spec("csv", file, words)).dimension, 4096 + 1);
  EXPECT_EQ(made(file_spec("late_labels", file, words)).dimension, 1 + 4096 + 1);
  for (const StreamEntry& entry : stream_registry()) EXPECT_NE(entry.name, "late_labels");
}

TEST(Streams, ATableRefusesKeysOfTheOtherWay) {
  const auto refused = [](const std::string& keys) {
    return thrown_by([&] { made(R"({"type": "csv", "path": "t.csv")" + keys + "}"); }).message;
  };
  EXPECT_EQ(refused(R"(, "sort": true)"), "csv: sort needs features, an array of columns: here they are found");
  EXPECT_EQ(refused(R"(, "features": ["x"], "label": "y", "loss": "squared", "ignore": ["z"])"),
            "csv: ignore is for columns that are found, not for those of features");
  EXPECT_EQ(refused(R"(, "features": "all")"),
            "csv: features must be an array of columns, or \"found\" (features = \"all\")");
  EXPECT_EQ(refused(R"(, "features": ["x"], "label": "y")"), "csv: loss is missing (wanted a loss, or its name)");
}

}  // namespace
}  // namespace tarry::lab
