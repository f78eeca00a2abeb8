#include "tarry/kafka/history.h"

#include <fmt/format.h>

#include "tarry/base/error.h"
#include "tarry/kafka/partition.h"
#include "tarry/model/codec.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/stamp.h"
#include "tarry/spec/json.h"

namespace tarry::kafka {
namespace {

// Where the model is that has a name after all events.
struct Place {
  int partition = -1;
  Offset created = 0;
};

Place find_model(const Brokers& brokers, const Topics& topics, int partitions, const std::string& name) {
  for (int partition = 0; partition < partitions; ++partition) {
    Partition state;
    read_to_end(brokers, topics.events, partition, 0, [&](const Record& record) { state.apply(record); });
    if (const hosting::ModelPointer model = state.models().find(name)) {
      if (model->champion() != hosting::kOriginal)
        throw Error(Code::kUnsupported,
                    fmt::format("kafka: the model {} was promoted, and its history is not that of one model", name));
      return {partition, static_cast<Offset>(model->incarnation()) - 1};
    }
  }
  throw Error(Code::kBadInput, fmt::format("kafka: there is no model {} in {}", name, topics.events));
}

}  // namespace

Exported export_model(const Brokers& brokers, const Topics& topics, const std::string& name,
                      const std::function<void(std::string_view)>& line) {
  const Place place = find_model(brokers, topics, find_topics(brokers, topics).events.partitions, name);
  Exported done;
  Partition state;
  spec::JsonReader json;
  read_to_end(brokers, topics.events, place.partition, 0, [&](const Record& record) {
    const hosting::ModelPointer before = state.models().find(name);
    const std::uint64_t events = before ? before->model().events() : 0;
    const Round next = before ? before->model().ledger().issued() + 1 : 1;
    state.apply(record);
    if (record.key != name || record.offset < place.created) return;
    const hosting::ModelPointer model = state.models().find(name);
    if (!model) return;
    if (record.offset == place.created)
      line(fmt::format("{{\"format\": \"tarry-replay/2\", \"model\": {}}}", model->model().spec()));
    if (record.offset == place.created || model->model().events() == events) return;
    const spec::Value value = json.read(record.value.value());
    Event event = event_of(value);
    stamp(model->model(), event, static_cast<double>(record.at_ms) / 1000);
    line(event_json(event, next));
    ++done.events;
  });
  const hosting::ModelPointer model = state.models().find(name);
  if (!model) throw Error(Code::kConflict, fmt::format("kafka: the model {} was deleted meanwhile", name));
  done.hash = model->model().hash();
  return done;
}

std::string HistoryToRecords::record(std::string_view line) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return "";
  if (started_) return std::string(line);
  const spec::Value header = spec::parse_json(line);
  const spec::Node node(header, "header");
  if (node.text("format") != "tarry-replay/2") node.at("format").fail("\"tarry-replay/2\"");
  const std::string spec = ModelSpec::read(node.at("model", "a model's spec").value()).json();
  node.refuse_unknown_keys();
  started_ = true;
  return fmt::format("{{\"create\": {}}}", spec);
}

}  // namespace tarry::kafka
