#include "tarry/store/disk/disk.h"

namespace tarry::store {

std::string read_whole(Disk& disk, const std::string& path) {
  const std::unique_ptr<File> file = disk.open(path, Open::kRead);
  return file->read(0, file->size());
}

void write_whole(Disk& disk, const std::string& folder, const std::string& name, std::string_view bytes) {
  const std::string path = folder + "/" + name;
  const std::string part = path + std::string(kUnfinished);
  {
    const std::unique_ptr<File> file = disk.open(part, Open::kCreate);
    file->write(0, bytes);
    file->sync();
  }
  disk.rename(part, path);
  disk.sync_folder(folder);
}

}  // namespace tarry::store
