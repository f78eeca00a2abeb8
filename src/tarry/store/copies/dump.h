// A model's history as the lines of tarry-replay/2, out of a store that nobody writes to.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tarry/hosting/log.h"
#include "tarry/store/disk/disk.h"

namespace tarry::store {

using hosting::Position;

struct Dumped {
  std::string state;  // of the model before the first line, as model/snapshot.h has it; empty: from its beginning
  Position from = 0;  // of that state, or of the model's creation
  Position to = 0;    // of the last entry that changed it
  std::uint64_t events = 0;  // lines without the header
  std::string hash;          // of the model at the end
};

// Gives one line after the other, without line ends. Where the log was pruned behind the model's creation, or that
// brought a state, the history begins with a state; `may_begin_with_state` false: throws Error{kUnsupported} then,
// before any line. Throws Error{kBadInput} where there is no such model.
Dumped dump_model(Disk& disk, const std::string& path, const std::string& name, bool may_begin_with_state,
                  const std::function<void(std::string_view line)>& line);

}  // namespace tarry::store
