#include "tarry/store/copies/import.h"

#include <fmt/format.h>

#include "tarry/base/error.h"
#include "tarry/hosting/entry.h"
#include "tarry/hosting/hosted_model.h"
#include "tarry/model/codec.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/snapshot.h"
#include "tarry/spec/json.h"

namespace tarry::store {

using namespace hosting;  // entries and models
namespace {

constexpr std::size_t kAtATime = std::size_t{1} << 20;  // bytes

Position append(Log& log, const std::vector<std::string>& entries) {
  std::size_t bytes = 0;
  for (const std::string& entry : entries) bytes += entry.size();
  const std::vector<std::string_view> payloads(entries.begin(), entries.end());
  log.reserve(entries.size(), bytes);
  return log.append(payloads);
}

std::string spec_in(const spec::Value& header) {
  const spec::Node node(header, "header");
  if (node.text("format") != "tarry-replay/2") node.at("format").fail("\"tarry-replay/2\"");
  std::string spec = ModelSpec::read(node.at("model", "a model's spec").value()).json();
  node.refuse_unknown_keys();
  return spec;
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r") == std::string_view::npos; }

}  // namespace

namespace {

using Next = std::function<bool(std::string_view& line)>;

// The next line that is not blank.
bool take_line(const Next& next, std::string_view& line) {
  while (next(line))
    if (!is_blank(line)) return true;
  return false;
}

// The model's creation, then every event that changes it.
Imported append_all(Log& log, const Create& create, std::uint64_t epoch, spec::JsonReader& json, const Next& next) {
  HostedModel model(create);
  Imported done;
  done.incarnation = append(log, {entry_bytes(create)});
  model.created(done.incarnation);
  std::vector<std::string> entries;
  std::size_t bytes = 0;
  std::string_view line;
  while (take_line(next, line)) {
    const spec::Value value = json.read(line);
    const Apply entry{
        .incarnation = done.incarnation, .at_ms = create.at_ms, .event = read_event(spec::Node(value, "event"))};
    if (model.apply(entry, epoch).fate != Fate::kApplied) continue;
    entries.push_back(entry_bytes(entry));
    bytes += entries.back().size();
    ++done.events;
    if (bytes < kAtATime) continue;
    append(log, entries);
    entries.clear();
    bytes = 0;
  }
  if (!entries.empty()) append(log, entries);
  log.sync();
  done.hash = model.model().hash();
  return done;
}

}  // namespace

Imported import_model(Log& log, const std::string& name, std::uint64_t epoch, std::int64_t at_ms, const Next& next) {
  spec::JsonReader json;
  std::string_view line;
  if (!take_line(next, line)) throw Error(Code::kBadInput, "the log is empty (its first line must be a header)");
  const Create create{.name = name, .spec = spec_in(json.read(line)), .at_ms = at_ms};
  return append_all(log, create, epoch, json, next);
}

Create create_from(const std::string& name, std::string state, std::int64_t at_ms) {
  std::string spec = ModelSpec::parse(read_head(state).spec).json();
  return {.name = name, .spec = std::move(spec), .at_ms = at_ms, .state = std::move(state)};
}

Imported import_state(Log& log, const Create& create, std::uint64_t epoch, const Next& next) {
  spec::JsonReader json;
  std::string_view line;
  if (take_line(next, line)) {
    const std::string difference =
        first_difference(ModelSpec::parse(spec_in(json.read(line))).to_value(),
                         ModelSpec::parse(create.spec).to_value(), "in the log", "in the state");
    if (!difference.empty()) throw Error(Code::kBadInput, "the log's model is not the state's: " + difference);
  }
  return append_all(log, create, epoch, json, next);
}

}  // namespace tarry::store
