#include "tarry/gateway/secret_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tarry/base/error.h"

namespace tarry::gateway {

SecretFile read_or_make_secret(store::Disk& disk, const std::string& folder) {
  SecretFile file;
  const std::string path = folder + "/key";
  if (!disk.exists(path)) {
    disk.make_folder(folder);
    const service::SecretKey made = service::random_key();
    const std::string own = fmt::format("key-{}", service::base64url(service::random_bytes(9)));
    store::write_whole(disk, folder, own, {reinterpret_cast<const char*>(made.data()), made.size()});
    std::error_code taken;
    std::filesystem::create_hard_link(folder + "/" + own, path, taken);  // unlike a rename it replaces nothing
    disk.remove(folder + "/" + own);
    disk.sync_folder(folder);
    file.made = !taken;
    if (taken && !disk.exists(path))
      throw Error(Code::kIo, fmt::format("{}: cannot be made: {}", path, taken.message()));
  }
  const std::string bytes = store::read_whole(disk, path);
  if (bytes.size() != file.secret.size())
    throw Error(Code::kCorrupt, fmt::format("{}: must have {} bytes (has {})", path, file.secret.size(), bytes.size()));
  std::copy(bytes.begin(), bytes.end(), file.secret.begin());
  return file;
}

}  // namespace tarry::gateway
