// A model's history, as tarry-replay/2 has it, or its state and the history since, becomes entries of a log: the way
// back of dump.h.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "tarry/hosting/entry.h"
#include "tarry/hosting/log.h"

namespace tarry::store {

using hosting::Position;

struct Imported {
  Position incarnation = 0;
  std::uint64_t events = 0;  // that changed the model, and so are in the log
  std::string hash;          // of the model at the end
};

// `next` gives one line after the other, the header first, and false after the last. All of it is durable when this
// returns. `epoch`: of the opening that is the log's last. A line that is refused ends it with Error, and the model has
// what came before: for all or nothing, play the history first.
Imported import_model(hosting::Log& log, const std::string& name, std::uint64_t epoch, std::int64_t at_ms,
                      const std::function<bool(std::string_view& line)>& next);

// What creates a model that goes on from a state, as model/snapshot.h has it. Throws Error{kCorrupt} where it is none.
hosting::Create create_from(const std::string& name, std::string state, std::int64_t at_ms);
// The same as import_model from there. `next` may give nothing at all.
Imported import_state(hosting::Log& log, const hosting::Create& create, std::uint64_t epoch,
                      const std::function<bool(std::string_view& line)>& next);

}  // namespace tarry::store
