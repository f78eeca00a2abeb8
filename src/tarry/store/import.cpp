#include "tarry/store/import.h"

#include <fmt/format.h>

#include "tarry/base/error.h"
#include "tarry/model/codec.h"
#include "tarry/model/model_spec.h"
#include "tarry/spec/json.h"
#include "tarry/store/entry.h"
#include "tarry/store/hosted_model.h"

namespace tarry::store {
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

Imported import_model(Log& log, const std::string& name, std::uint64_t epoch, std::int64_t at_ms,
                      const std::function<bool(std::string_view& line)>& next) {
  spec::JsonReader json;
  std::string_view line;
  const auto next_line = [&] {
    while (next(line))
      if (!is_blank(line)) return true;
    return false;
  };
  if (!next_line()) throw Error(Code::kBadInput, "the log is empty (its first line must be a header)");
  const std::string spec = spec_in(json.read(line));
  HostedModel model(name, spec);
  Imported done;
  done.incarnation = append(log, {entry_bytes(Create{.name = name, .spec = spec, .at_ms = at_ms})});
  model.created(done.incarnation);
  std::vector<std::string> entries;
  std::size_t bytes = 0;
  while (next_line()) {
    const spec::Value value = json.read(line);
    const Apply entry{.incarnation = done.incarnation, .at_ms = at_ms, .event = read_event(spec::Node(value, "event"))};
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

}  // namespace tarry::store
