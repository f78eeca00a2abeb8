// All models of a store as its log has them now. Reads only: a service may be running on the store.
#pragma once

#include <functional>
#include <string>

#include "tarry/hosting/models.h"
#include "tarry/store/disk/disk.h"

namespace tarry::store {

using Position = hosting::Position;

// `progress`: how far the log was read, and to where; now and then. Throws Error{kCorrupt} with the place.
hosting::Models read_models(Disk& disk, const std::string& path,
                            const std::function<void(Position done, Position last)>& progress);

}  // namespace tarry::store
