// The stream `log`: a recorded history (tarry-replay/2), played again.
#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <unordered_map>

#include "tarry/base/error.h"
#include "tarry/base/overload.h"
#include "tarry/data/formats/dataset_builder.h"
#include "tarry/data/text/text_lines.h"
#include "tarry/lab/streams/data_stream.h"
#include "tarry/lab/streams/entries.h"
#include "tarry/model/codec.h"
#include "tarry/model/model_spec.h"
#include "tarry/spec/json.h"

namespace tarry::lab {

using namespace data;
namespace {

using spec::Node;

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// The time of an event is the number of its line: recorded delays then give the order of the log.
class LogReader {
 public:
  explicit LogReader(const std::string& path) : lines_(path) {}

  Stream read() {
    std::string_view line;
    spec::JsonReader json;
    while (lines_.next(line)) {
      if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      try {
        const spec::Value value = json.read(line);
        if (!spec_)
          begin(Node(value, "header"));
        else
          take(read_event(Node(value, "event")));
      } catch (const Error& error) {
        throw Error(error.code(), fmt::format("{}: line {}: {}", std::string(lines_.place().file), lines_.place().line,
                                              error.what()));
      }
    }
    if (!spec_) throw Error(Code::kBadInput, std::string(lines_.place().file) + ": has no header");
    return finish();
  }

 private:
  void begin(const Node& header) {
    if (header.text("format") != "tarry-replay/2") header.at("format").fail("\"tarry-replay/2\"");
    spec_ = ModelSpec::read(header.at("model", "a model's spec").value());
    if (!spec_->loss) header.fail_whole("its model has no loss, and so no labels to play again");
    const Node loss(*spec_->loss, "loss");
    loss_ = named_loss(loss);
    if (spec_->loss->find("names") == nullptr) return;
    // Classes get their numbers here, once for all learners.
    labels_ = LabelReader({}, loss_->loss.outputs());
    std::erase_if(std::get<spec::Object>(loss_->spec.as), [](const auto& member) { return member.first == "names"; });
  }

  void take(const Event& event) {
    const auto now = static_cast<double>(lines_.place().line);
    std::visit(Overload{[&](const Play& e) { play(e, now); }, [&](const Label& e) { label(e, now); },
                        [](const Gradient&) {}, [](const Expire&) {}, [](const Void&) {}, [](const LossValue&) {}},
               event);
  }

  void play(const Play& e, double now) {
    if (!e.features) throw Error(Code::kBadInput, "a play must have features to be played again by another learner");
    if (!e.key.empty() && !rounds_.emplace(e.key, events_.size()).second) return;  // asked again
    rows_.push_back(*e.features);
    events_.push_back(now);
    answers_.push_back(kNever);
    values_.push_back(kUnknown);
  }

  void label(const Label& e, double now) {
    std::size_t row = e.round.number - 1;
    if (e.round.number == 0) {
      const auto known = rounds_.find(e.round.key);
      if (known == rounds_.end()) return;
      row = known->second;
    }
    if (row >= rows_.size() || answers_[row] < kNever) return;  // unknown, or said before
    values_[row] = labels_.names_classes() ? labels_.read(e.label, loss_->loss) : label_as(loss_->loss)(e.label);
    labels_.add(e.label);
    answers_[row] = now;
  }

  // Names take slots in the order of the log, as they do in a model.
  Stream finish() {
    FeatureSpec names;
    if (spec_->features && spec_->features->find("users") == nullptr)
      names = FeatureSpec::read(Node(*spec_->features, "features"));
    Encoder encoder(names);
    DatasetBuilder builder;
    Index dimension = 1;
    Row row;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const auto numbered = [&](const Covector& x) {
        x.each([&](Index i, double value) {
          builder.add(i, value);
          dimension = std::max(dimension, i + 1);
        });
      };
      std::visit(Overload{[&](const Vec& x) { numbered(Covector::dense(x)); },
                          [&](const SparseVector& x) { numbered(Covector::sparse(x.indices, x.values)); },
                          [&](const NamedFeatures& x) {
                            encoder.encode(x, row);
                            numbered(row.covector());
                            for (const NamedFeature& feature : x) builder.add_named(feature.name, feature.value);
                          }},
                 static_cast<const Features::Kinds&>(rows_[r]));
      builder.end_row(values_[r], events_[r], answers_[r]);
    }
    Dataset data = builder.take(dimension);
    data.classes = labels_.names();
    return data_stream(std::move(data), *loss_, std::filesystem::path(std::string(lines_.place().file)).filename());
  }

  TextLines lines_;
  std::optional<ModelSpec> spec_;
  std::optional<NamedLoss> loss_;
  LabelReader labels_;
  std::unordered_map<std::string, std::size_t> rounds_;  // key → row
  std::vector<Features> rows_;
  Vec events_, answers_, values_;
};

}  // namespace

StreamEntry log_entry() {
  return {.name = "log",
          .summary = "a recorded history (tarry-replay/2): its plays, its labels, and the delays that happened",
          .keys = {{"path", "a file, plain or gzip", ""}},
          .make =
              [](const Node& node, Round, std::uint64_t) {
                const std::string path = node.text("path");
                node.refuse_unknown_keys();
                return LogReader(path).read();
              },
          .seeded = false,
          .examples = {R"({"type": "log", "path": "history.jsonl"})"}};
}

}  // namespace tarry::lab
