// The file system of the machine.
#pragma once

#include "tarry/store/disk/disk.h"

namespace tarry::store {

std::unique_ptr<Disk> real_disk();

}  // namespace tarry::store
