#include "tarry/gateway/secret_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "tarry/base/error.h"
#include "tarry/store/disk/key_file.h"

namespace tarry::gateway {

SecretFile read_or_make_secret(store::Disk& disk, const std::string& folder) {
  SecretFile file;
  const std::string path = folder + "/key";
  if (!disk.exists(path)) {
    disk.make_folder(folder);
    const std::string own = fmt::format("key-{}", hosting::base64url(hosting::random_bytes(9)));
    store::write_whole(disk, folder, own, store::key_file_bytes(hosting::random_key()));
    std::error_code taken;
    std::filesystem::create_hard_link(folder + "/" + own, path, taken);  // unlike a rename it replaces nothing
    disk.remove(folder + "/" + own);
    disk.sync_folder(folder);
    file.made = !taken;
    if (taken && !disk.exists(path))
      throw Error(Code::kIo, fmt::format("{}: cannot be made: {}", path, taken.message()));
  }
  // One without a checksum stays as it is: other gateways may be of an earlier version.
  const auto there = store::read_key(disk, folder);
  if (!there) throw Error(Code::kIo, path + ": was removed");
  file.secret = there->key;
  return file;
}

}  // namespace tarry::gateway
