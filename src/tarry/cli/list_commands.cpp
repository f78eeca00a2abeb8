#include <fmt/format.h>

#include <iterator>

#include "tarry/cli/commands.h"
#include "tarry/lab/delays/delays.h"
#include "tarry/lab/streams/stream.h"
#include "tarry/learners/registry.h"
#include "tarry/losses/registry.h"
#include "tarry/model/tasks.h"
#include "tarry/sets/registry.h"

namespace tarry::cli {
namespace {

template <class Entry>
std::string as_text(const Entry& entry) {
  std::string out = fmt::format("{}\n    {}\n", entry.name, entry.summary);
  for (const spec::Key& key : entry.keys) {
    fmt::format_to(std::back_inserter(out), "      {:<15} {}", key.name, key.wanted);
    if (key.fallback == "optional")
      out += "; optional";
    else if (!key.fallback.empty())
      fmt::format_to(std::back_inserter(out), "; default {}", key.fallback);
    out += '\n';
  }
  fmt::format_to(std::back_inserter(out), "      e.g. {}\n", entry.examples.front());
  return out;
}

template <class Entry>
std::string as_json(const Entry& entry) {
  std::string out = "{\"name\": ";
  spec::append_json(out, entry.name);
  out += ", \"summary\": ";
  spec::append_json(out, entry.summary);
  out += ", \"keys\": [";
  for (std::size_t i = 0; i < entry.keys.size(); ++i) {
    const spec::Key& key = entry.keys[i];
    out += i > 0 ? ", {\"name\": " : "{\"name\": ";
    spec::append_json(out, key.name);
    out += ", \"wanted\": ";
    spec::append_json(out, key.wanted);
    fmt::format_to(std::back_inserter(out), ", \"required\": {}", key.fallback.empty());
    if (!key.fallback.empty() && key.fallback != "optional") {
      out += ", \"default\": ";
      spec::append_json(out, key.fallback);
    }
    out += '}';
  }
  fmt::format_to(std::back_inserter(out), "], \"examples\": [{}]}}\n", fmt::join(entry.examples, ", "));
  return out;
}

template <class Entries>
void list(const Entries& entries, bool json, Output& out) {
  for (const auto& entry : entries) out.print(json ? as_json(entry) : as_text(entry));
}

}  // namespace

void list_tasks(bool json, Output& out) { list(task_registry(), json, out); }
void list_sets(bool json, Output& out) { list(set_registry(), json, out); }
void list_learners(bool json, Output& out) { list(learner_registry(), json, out); }
void list_losses(bool json, Output& out) { list(loss_registry(), json, out); }
void list_delays(bool json, Output& out) {
  std::vector<lab::DelayEntry> entries(lab::delay_registry().begin(), lab::delay_registry().end());
  for (lab::DelayEntry& entry : entries) entry.keys.push_back({"lost", "the share of feedback that never comes", "0"});
  list(entries, json, out);
}
void list_streams(bool json, Output& out) { list(lab::stream_registry(), json, out); }

}  // namespace tarry::cli
