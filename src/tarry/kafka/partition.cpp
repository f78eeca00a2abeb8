#include "tarry/kafka/partition.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "tarry/base/arithmetic.h"
#include "tarry/base/error.h"
#include "tarry/features/hash.h"
#include "tarry/hosting/names.h"
#include "tarry/hosting/spec_rules.h"
#include "tarry/model/codec.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/stamp.h"
#include "tarry/sets/registry.h"

namespace tarry::kafka {

using namespace hosting;

namespace {

Position position_of(Offset offset) { return static_cast<Position>(offset) + 1; }

// Feedback may say since when its model must have been there: not a later one of the same name.
const std::string kSince = "since";
constexpr Index kLastOffset = Index{1} << 62;

void check_since(const spec::Value& value, const HostedModel& model) {
  if (value.find(kSince) == nullptr) return;
  const auto since = spec::Node(value, "event").count(kSince, 0, kLastOffset);
  if (position_of(since) < model.incarnation()) throw lost_ticket();
}

}  // namespace

RecordOutcome Partition::apply(const Record& record) {
  RecordOutcome outcome;
  try {
    outcome = fold(record);
  } catch (const Rejection& rejection) {
    outcome.rejection = rejection;
  } catch (const Error& error) {
    if (error.code() == Code::kOutOfMemory || error.code() == Code::kIo) throw;  // another machine may have more
    outcome.rejection = rejection_of(error, true);
  }
  next_ = record.offset + 1;
  outcome.offset = record.offset;
  outcome.arithmetic = kArithmetic;
  return outcome;
}

RecordOutcome Partition::fold(const Record& record) {
  const std::string name(record.key);
  if (!is_name(name))
    throw Rejection(Rejection::kMalformed, "bad_name",
                    fmt::format("the record's key must be a model's name: {}", kNameRule), "key");
  if (!record.value) throw Rejection(Rejection::kMalformed, "bad_input", "the record has no value");
  const spec::Value value = json_.read(*record.value);
  if (const spec::Value* spec = value.find("create")) {
    const spec::Node node(value, "event");
    node.at("create");
    node.refuse_unknown_keys();
    return create(name, *spec, record);
  }
  const ModelPointer model = models_.find(name);
  if (!model) throw no_such_model(name);
  if (value.find("delete") != nullptr) {
    const spec::Node node(value, "event");
    if (!node.at("delete").flag()) node.at("delete").fail("true");
    node.refuse_unknown_keys();
    models_.apply(position_of(record.offset), Delete{model->incarnation()});
    return {.fate = Fate::kApplied};
  }
  if (auto outcome = challengers(*model, value, record)) return *outcome;
  return feed(*model, value, record);
}

RecordOutcome Partition::create(const std::string& name, const spec::Value& given, const Record& record) {
  check_names_no_file(given);
  const ModelSpec spec = ModelSpec::read(given);
  if (const ModelPointer known = models_.find(name)) {
    const std::string difference = difference_from(given, known->model().spec(), known->first_spec(), "in the record");
    if (difference.empty()) return {.fate = Fate::kDuplicate, .incarnation = known->incarnation()};
    throw Rejection(Rejection::kConflict, "conflict",
                    fmt::format("there is a model named {} already: {}", name, difference));
  }
  const auto dimension = make_set(spec::Node(spec.set, "set")).dimension();  // before anything of that size is made
  if (dimension > kLargestDimension)
    throw Rejection(Rejection::kTooLarge, "too_large",
                    fmt::format("dimension must be at most {} ({} came)", kLargestDimension, dimension));
  models_.apply(position_of(record.offset), Create{.name = name, .spec = spec.json(), .at_ms = record.at_ms});
  return {.fate = Fate::kApplied, .incarnation = position_of(record.offset)};
}

RecordOutcome Partition::feed(const HostedModel& model, const spec::Value& value, const Record& record) {
  Apply entry{.incarnation = model.incarnation(), .at_ms = record.at_ms, .event = event_of(value)};
  check_since(value, model);
  RecordOutcome outcome;
  const bool label = std::holds_alternative<Label>(entry.event);
  if (auto* play = std::get_if<Play>(&entry.event)) {
    outcome.incarnation = model.incarnation();
    outcome.key = play->key;
    if (!play->key.empty()) {
      const Round round = std::exchange(play->round, 0);  // the number of a repeat may be another
      entry.once = Once{.key = play->key, .digest = hash_text(event_bytes(entry.event))};
      play->round = round;
    }
  }
  stamp(model.model(), entry.event, static_cast<double>(record.at_ms) / 1000);
  auto folded = models_.apply(position_of(record.offset), Entry(std::move(entry)));
  if (!folded) throw Error(Code::kInternal, fmt::format("record {} came out of order", record.offset));
  outcome.fate = folded->fate;
  outcome.round = folded->round;
  if (label && folded->fate == Fate::kApplied && !std::isnan(folded->loss)) outcome.loss = folded->loss;
  outcome.reply = std::move(folded->reply);
  return outcome;
}

Event event_of(const spec::Value& value) {
  if (value.find(kSince) == nullptr) return read_event(spec::Node(value, "event"));
  spec::Value told = value;
  std::erase_if(std::get<spec::Object>(told.as), [](const spec::Member& member) { return member.first == kSince; });
  return read_event(spec::Node(told, "event"));
}

std::string event_record(const Event& event, std::optional<Offset> since) {
  std::string value = event_json(event);
  if (since) value.insert(value.size() - 1, fmt::format(", \"{}\": {}", kSince, *since));
  return value;
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

}  // namespace tarry::kafka
