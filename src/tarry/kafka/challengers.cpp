// Records about a model's challengers.
#include <fmt/format.h>

#include "tarry/base/error.h"
#include "tarry/hosting/challenger_spec.h"
#include "tarry/hosting/reply.h"
#include "tarry/hosting/spec_rules.h"
#include "tarry/kafka/partition.h"
#include "tarry/spec/node.h"

namespace tarry::kafka {

using namespace hosting;

// Nothing: the record is about something else.
std::optional<RecordOutcome> Partition::challengers(const HostedModel& model, const spec::Value& value,
                                                    const Record& record) {
  const auto position = static_cast<Position>(record.offset) + 1;
  const spec::Node node(value, "event");
  const auto known = [&](const std::string& challenger) {
    if (model.find_challenger(challenger) == nullptr) throw no_such_challenger(model.name(), challenger);
  };
  if (value.find("challenge") != nullptr) {
    Challenge entry{.incarnation = model.incarnation(), .at_ms = record.at_ms, .challenger = node.text("challenge")};
    const spec::Value& given = node.at("with", "a specification, or what is to be different").value();
    node.refuse_unknown_keys();
    check_names_no_file(given);
    const ModelSpec spec = challenger_spec(model.model(), given);
    if (const Challenger* there = model.find_challenger(entry.challenger);
        there != nullptr && there->spec() == spec.json())
      return RecordOutcome{.fate = Fate::kDuplicate};
    check_size(spec, kLargestDimension);
    entry.spec = spec.json();
    models_.apply(position, entry);
    return RecordOutcome{.fate = Fate::kApplied};
  }
  if (value.find("dismiss") != nullptr) {
    const Dismiss entry{.incarnation = model.incarnation(), .at_ms = record.at_ms, .challenger = node.text("dismiss")};
    node.refuse_unknown_keys();
    known(entry.challenger);
    models_.apply(position, entry);
    return RecordOutcome{.fate = Fate::kApplied};
  }
  if (value.find("promote") == nullptr) return std::nullopt;
  const Promote entry{.incarnation = model.incarnation(), .at_ms = record.at_ms, .challenger = node.text("promote")};
  node.refuse_unknown_keys();
  if (entry.challenger == model.champion()) return RecordOutcome{.fate = Fate::kDuplicate};
  known(entry.challenger);
  models_.apply(position, entry);
  return RecordOutcome{.fate = Fate::kApplied};
}

}  // namespace tarry::kafka
