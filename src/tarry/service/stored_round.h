// A round of a store that no service has open, by key, ticket or number.
#pragma once

#include <cstdint>
#include <string>

#include "tarry/store/disk/disk.h"

namespace tarry::service {

struct StoredRound {  // one of the three
  std::string key = {}, ticket = {};
  std::uint64_t number = 0;
};

// As GET /v1/models/NAME/rounds has it. Throws Error{kBadInput} where there is no such model or round.
std::string stored_round(store::Disk& disk, const std::string& path, const std::string& model, const StoredRound& asked,
                         std::int64_t now_ms);

}  // namespace tarry::service
