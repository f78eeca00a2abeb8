#include "tarry/kafka/partition.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "tarry/base/error.h"
#include "tarry/features/hash.h"
#include "tarry/model/codec.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/stamp.h"
#include "tarry/service/errors.h"
#include "tarry/service/names.h"
#include "tarry/service/spec_rules.h"
#include "tarry/sets/registry.h"

namespace tarry::kafka {
namespace {

constexpr std::string_view kBegin = "{\"offset\": ";

std::string_view name_of(store::Fate fate) {
  switch (fate) {
    case store::Fate::kApplied:
      return "applied";
    case store::Fate::kDuplicate:
      return "duplicate";
    case store::Fate::kConflict:
      return "conflict";
    case store::Fate::kUnknown:
      return "unknown";
    case store::Fate::kExpired:
      return "expired";
  }
  return "";
}

// {"error": …} of the service, without its outer braces.
std::string error_member(const service::Refusal& refusal) {
  const std::string json = service::error_json(refusal);
  return json.substr(1, json.size() - 2);
}

store::Position position_of(Offset offset) { return static_cast<store::Position>(offset) + 1; }

// Feedback may say since when its model must have been there: not a later one of the same name.
const std::string kSince = "since";
constexpr Index kLastOffset = Index{1} << 62;

void check_since(const spec::Value& value, const store::HostedModel& model) {
  if (value.find(kSince) == nullptr) return;
  const auto since = spec::Node(value, "event").count(kSince, 0, kLastOffset);
  if (position_of(since) < model.incarnation()) throw service::lost_ticket();
}

std::string incarnation_member(store::Position incarnation) {
  return fmt::format(", \"incarnation\": {}", incarnation);
}

// What an outcome says of its event: the event itself has gone into the fold.
struct Told {
  bool play = false, label = false;
  std::string key = {};
};

std::string outcome_of(const Told& event, const store::Folded& folded, store::Position incarnation) {
  std::string out = fmt::format("\"answer\": \"{}\"", name_of(folded.fate));
  if (folded.round > 0) out += fmt::format(", \"round\": {}", folded.round);
  if (event.play) {
    out += incarnation_member(incarnation);
    if (!event.key.empty()) {
      out += ", \"key\": ";
      spec::append_json(out, event.key);
    }
    if (folded.reply.size() > kLargestOutcome)
      return out + ", " +
             error_member(service::Refusal(413, "too_large",
                                           fmt::format("the reply has {} bytes, more than the {} of an outcome",
                                                       folded.reply.size(), kLargestOutcome)));
    if (!folded.reply.empty()) out += ", \"reply\": " + folded.reply;
  } else if (folded.fate == store::Fate::kApplied && event.label) {
    out += ", \"loss\": ";
    spec::append_json(out, folded.loss);
  }
  return out;
}

}  // namespace

std::string Partition::apply(const Record& record) {
  std::string outcome;
  try {
    outcome = fold(record);
  } catch (const service::Refusal& refusal) {
    outcome = error_member(refusal);
  } catch (const Error& error) {
    if (error.code() == Code::kOutOfMemory || error.code() == Code::kIo) throw;  // another machine may have more
    outcome = error_member(service::refusal_of(error, true));
  }
  next_ = record.offset + 1;
  return fmt::format("{}{}, {}}}", kBegin, record.offset, outcome);
}

std::string Partition::fold(const Record& record) {
  const std::string name(record.key);
  if (!service::is_name(name))
    throw service::Refusal(400, "bad_name",
                           fmt::format("the record's key must be a model's name: {}", service::kNameRule), "key");
  if (!record.value) throw service::Refusal(400, "bad_input", "the record has no value");
  const spec::Value value = json_.read(*record.value);
  if (const spec::Value* spec = value.find("create")) {
    const spec::Node node(value, "event");
    node.at("create");
    node.refuse_unknown_keys();
    return create(name, *spec, record);
  }
  const store::ModelPointer model = models_.find(name);
  if (!model) throw service::no_such_model(name);
  if (value.find("delete") != nullptr) {
    const spec::Node node(value, "event");
    if (!node.at("delete").flag()) node.at("delete").fail("true");
    node.refuse_unknown_keys();
    models_.apply(position_of(record.offset), store::Delete{model->incarnation()});
    return "\"answer\": \"applied\"";
  }
  return feed(*model, value, record);
}

std::string Partition::create(const std::string& name, const spec::Value& given, const Record& record) {
  service::check_names_no_file(given);
  const ModelSpec spec = ModelSpec::read(given);
  if (const store::ModelPointer known = models_.find(name)) {
    const std::string difference = first_difference(spec.to_value(), ModelSpec::parse(known->model().spec()).to_value(),
                                                    "in the record", "in the model");
    if (difference.empty()) return "\"answer\": \"duplicate\"" + incarnation_member(known->incarnation());
    throw service::Refusal(409, "conflict", fmt::format("there is a model named {} already: {}", name, difference));
  }
  const auto dimension = make_set(spec::Node(spec.set, "set")).dimension();  // before anything of that size is made
  if (dimension > kLargestDimension)
    throw service::Refusal(413, "too_large",
                           fmt::format("dimension must be at most {} ({} came)", kLargestDimension, dimension));
  models_.apply(position_of(record.offset), store::Create{.name = name, .spec = spec.json(), .at_ms = record.at_ms});
  return "\"answer\": \"applied\"" + incarnation_member(position_of(record.offset));
}

std::string Partition::feed(const store::HostedModel& model, const spec::Value& value, const Record& record) {
  store::Apply entry{.incarnation = model.incarnation(), .at_ms = record.at_ms, .event = event_of(value)};
  check_since(value, model);
  Told told{.label = std::holds_alternative<Label>(entry.event)};
  if (auto* play = std::get_if<Play>(&entry.event)) {
    told.play = true;
    told.key = play->key;
    if (!play->key.empty()) {
      const Round round = std::exchange(play->round, 0);  // the number of a repeat may be another
      entry.once = store::Once{.key = play->key, .digest = hash_text(event_bytes(entry.event))};
      play->round = round;
    }
  }
  stamp(model.model(), entry.event, static_cast<double>(record.at_ms) / 1000);
  const auto folded = models_.apply(position_of(record.offset), store::Entry(std::move(entry)));
  if (!folded) throw Error(Code::kInternal, fmt::format("record {} came out of order", record.offset));
  return outcome_of(told, *folded, model.incarnation());
}

Event event_of(const spec::Value& value) {
  if (value.find(kSince) == nullptr) return read_event(spec::Node(value, "event"));
  spec::Value told = value;
  std::erase_if(std::get<spec::Object>(told.as), [](const spec::Member& member) { return member.first == kSince; });
  return read_event(spec::Node(told, "event"));
}

std::string Partition::save() const {
  ByteWriter out;
  out.i64(next_);
  models_.save(out);
  return out.take();
}

void Partition::load(std::string_view bytes) {
  ByteReader in(bytes);
  next_ = in.i64();
  models_.load(in);
  in.expect_end();
}

std::optional<Offset> answered_offset(std::string_view outcome) {
  if (!outcome.starts_with(kBegin)) return std::nullopt;
  outcome.remove_prefix(kBegin.size());
  Offset offset = -1;
  const auto [end, error] = std::from_chars(outcome.data(), outcome.data() + outcome.size(), offset);
  if (error != std::errc() || offset < 0 || end == outcome.data() + outcome.size() || *end != ',') return std::nullopt;
  return offset;
}

}  // namespace tarry::kafka
