// The secret that tickets are signed with, in a folder that gateways may share.
#pragma once

#include <string>

#include "tarry/hosting/crypto.h"
#include "tarry/store/disk/disk.h"

namespace tarry::gateway {

struct SecretFile {
  hosting::SecretKey secret{};
  bool made = false;  // it was not there before
};

// Reads FOLDER/key, or makes it; of several that make it at once one does, and all have the same. Throws Error.
SecretFile read_or_make_secret(store::Disk& disk, const std::string& folder);

}  // namespace tarry::gateway
