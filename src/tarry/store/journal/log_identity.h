// Which log a saved state belongs to. A log's salt is its own from its making on, and copies keep it; the epoch that
// wrote an entry separates what a store and its restored copy have written since at the same positions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "tarry/hosting/log.h"

namespace tarry::store {

using hosting::Position;

struct LogIdentity {
  std::uint32_t salt = 0;
  std::function<std::optional<std::uint64_t>(Position)> epoch_of;  // that wrote the entry there; nothing: not known
};

// What a saved state says about the log it was folded from.
struct LogOrigin {
  std::uint32_t salt = 0;
  std::uint64_t epoch = 0;  // that wrote the entry at its position

  bool operator==(const LogOrigin&) const = default;
};

}  // namespace tarry::store
