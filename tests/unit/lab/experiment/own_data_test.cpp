// The experiment on a table is one value, whether it is built at once or read from the text that people see.
#include "tarry/lab/experiment/own_data.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "tarry/data/infer/late_labels.h"
#include "tarry/lab/streams/csv_stream.h"
#include "tarry/spec/toml.h"
#include "unit/expect_error.h"

namespace tarry::lab {
namespace {

class OwnDataTest : public ::testing::Test {
 protected:
  ~OwnDataTest() override { std::filesystem::remove(path_); }
  std::string table(const std::vector<std::string>& labels) {
    std::ofstream file(path_);
    file << "asked_at,known_at,x,outcome\n";
    for (std::size_t i = 0; i < 30; ++i)
      file << i << "," << i + 4 << "," << i % 5 << "," << labels[i % labels.size()] << "\n";
    return path_.string();
  }
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("own_data_" + std::to_string(getpid()) + ".csv");
};

std::string all_of(const Experiment& e) {
  std::string text = e.name + "\n" + e.keep + "\n" + std::to_string(e.checkpoints);
  for (const NamedSpec& one : e.streams) text += "\n" + one.name + spec::to_json(one.spec);
  for (const NamedSpec& one : e.delays) text += "\n" + one.name + spec::to_json(one.spec);
  for (const LearnerSpec& one : e.learners)
    text += "\n" + one.name + spec::to_json(one.learner) + spec::to_json(one.set) + (one.is_task ? " task" : "") +
            (one.standardise ? " standardised" : "") + (one.only ? std::to_string(one.only->size()) : "") +
            (one.wait && one.wait->nine_in_ten ? " waits" : "");
  return text;
}

TEST_F(OwnDataTest, IsTheExperimentOfItsText) {
  for (const auto& labels : std::vector<std::vector<std::string>>{{"1", "0"}, {"a", "b", "c"}, {"3", "4", "5.5"}}) {
    const OwnData own = own_data(table(labels));
    EXPECT_EQ(all_of(own.experiment), all_of(read_experiment(spec::parse_toml(own.text))));
  }
}

TEST_F(OwnDataTest, RemembersWhatWasFound) {
  const std::string path = table({"yes", "no"});
  const OwnData own = own_data(path, {"stream.ignore=[]"});
  const NamedSpec& stream = own.experiment.streams.front();
  ASSERT_NE(stream.found, nullptr);
  EXPECT_EQ(stream.found->options.positive, "yes");
  LateLabels other = *stream.found;  // what is told of the file is believed: nobody looks again
  other.options.positive = "no";
  const spec::Node node(stream.spec, "stream");
  EXPECT_TRUE(finds_columns(node));
  EXPECT_EQ(read_csv_stream(node, stream.found.get()).table()->data->labels[0], 1);
  EXPECT_EQ(read_csv_stream(node, &other).table()->data->labels[0], -1);
  EXPECT_EQ(read_csv_stream(node).table()->data->labels[0], 1);
}

// Keys beside `found` overrule what is found; whoever names a type says all of it.
TEST_F(OwnDataTest, OverridesOfTheStreamMeanWhatTheyDidWhenItWasCalledLateLabels) {
  const std::string path = table({"yes", "no"});
  const OwnData words = own_data(path, {"stream.categorical=[\"x\"]"});
  ASSERT_NE(words.experiment.streams.front().found, nullptr);
  EXPECT_EQ(words.experiment.streams.front().found->options.categorical, std::vector<std::string>{"x"});
  EXPECT_EQ(own_data(path, {"stream.type=relatives"}).experiment.streams.front().spec.find("features"), nullptr);
  const std::vector<std::string> said = {"stream.features=[\"x\"]", "stream.label=outcome", "stream.loss=squared"};
  EXPECT_EQ(own_data(path, said).experiment.streams.front().found, nullptr);
  EXPECT_NE(own_data_file(path, {"stream.ignore=[]"}, "").text.find("features = \"found\"\nignore = []\n"),
            std::string::npos);
}

TEST_F(OwnDataTest, AWrongKeyIsRefusedBeforeTheFileIsRead) {
  EXPECT_EQ(thrown_by([&] { own_data("/no/such/file.csv", {"stream.labl=x"}); }).code, Code::kBadSpec);
  EXPECT_EQ(thrown_by([&] { own_data("/no/such/file.csv"); }).message, "/no/such/file.csv: No such file or directory");
}

}  // namespace
}  // namespace tarry::lab
