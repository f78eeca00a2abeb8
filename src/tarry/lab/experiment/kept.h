// Finished results on disk. Each is in a file whose name has everything that decides it, and is believed only where
// the file holds that name and the checksum of what it says.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "tarry/spec/value.h"

namespace tarry::lab {

// What specs say, with a digest of each file that they name, which is read once.
class Descriptions {
 public:
  // Nothing where a file is none that can be read again (a pipe): what came of it is not known from its name.
  std::optional<std::string> of(const spec::Value& spec);

 private:
  bool add_files(const spec::Value& spec, std::string& text);
  const std::string& digest(const std::string& path);

  std::mutex mutex_;
  std::map<std::string, std::string> digests_;  // empty: cannot be read again
};

class KeptResults {
 public:
  KeptResults(std::filesystem::path folder, bool fresh) : folder_(std::move(folder)), fresh_(fresh) {}

  // The name of a result's file: changes whenever the description does, or the code that makes results.
  static std::string key(const std::string& kind, const std::string& description);

  // The JSON object that was put there; nothing where there is none, or where it is not what was put there.
  std::optional<std::string> get(const std::string& key) const;
  void put(const std::string& key, const std::string& json) const;

 private:
  std::filesystem::path folder_;
  bool fresh_;  // never get anything
};

}  // namespace tarry::lab
