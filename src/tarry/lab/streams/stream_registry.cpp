#include <algorithm>

#include "tarry/lab/streams/channels.h"
#include "tarry/lab/streams/choices.h"
#include "tarry/lab/streams/csv_stream.h"
#include "tarry/lab/streams/entries.h"
#include "tarry/lab/streams/routing_stream.h"
#include "tarry/lab/streams/stream.h"

namespace tarry::lab {

std::span<const StreamEntry> stream_registry() {
  static const std::vector<StreamEntry> entries = [] {
    std::vector<StreamEntry> all = synthetic_stream_entries();
    all.push_back(channels_entry());
    all.push_back(csv_entry());
    for (StreamEntry& entry : file_stream_entries()) all.push_back(std::move(entry));
    all.push_back(choices_entry());
    all.push_back(log_entry());
    all.push_back(logged_entry());
    for (StreamEntry& entry : ratings_stream_entries()) all.push_back(std::move(entry));
    all.push_back(routing_entry());
    return all;
  }();
  return entries;
}

const StreamEntry* find_stream_entry(const std::string& type) {
  for (const StreamEntry& entry : stream_registry())
    if (entry.name == type || std::find(entry.also.begin(), entry.also.end(), type) != entry.also.end()) return &entry;
  return nullptr;
}

const StreamEntry& stream_entry(const spec::Node& node) {
  const auto type = node.find("type");
  if (const StreamEntry* entry = type && type->is_text() ? find_stream_entry(type->text()) : nullptr) return *entry;
  std::vector<std::string> names;
  for (const StreamEntry& entry : stream_registry()) names.push_back(entry.name);
  spec::throw_unknown_type(node, "stream", names);
}

// Like spec::make_registered, but an error in a data file has its own line and not the specification's.
Stream make_stream(const spec::Node& node, Round rounds, std::uint64_t seed) {
  const StreamEntry& entry = stream_entry(node);
  try {
    Stream stream = entry.make(node, rounds, seed);
    node.refuse_unknown_keys();
    return stream;
  } catch (const Error& error) {
    if (error.code() != Code::kBadSpec) throw;
    node.rethrow_with_line(error);
  }
}

}  // namespace tarry::lab
