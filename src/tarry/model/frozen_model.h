// A model as it was at one moment, for another thread to save while the model goes on. What grows with the rounds that
// wait is shared with it (ledger, keys); the rest, mostly the decision if it is large, was copied as bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarry/ledger/keys.h"
#include "tarry/ledger/ledger.h"
#include "tarry/ledger/settled_rounds.h"

namespace tarry {

struct FrozenModel {
  std::string spec;
  std::uint64_t events = 0;  // as the model writes it
  Ledger ledger;
  KeyLists keys;
  std::optional<SettledRounds> settled = std::nullopt;  // where labels can be replaced
  std::vector<std::string> rest = {};                   // what follows them, piece by piece

  // The same bytes, and the same hash, as those of the model.
  void save(ByteWriter& out) const;
  std::string hash() const;
};

// SHA-256 of a specification and what `save` writes: how a model's hash is made.
std::string state_hash(std::string_view spec, const std::function<void(ByteWriter&)>& save);

}  // namespace tarry
