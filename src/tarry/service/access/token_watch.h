// The file with the tokens while a service runs: what is in it now, read again when it is another one than at the last
// look.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>

#include "tarry/service/access/tokens.h"
#include "tarry/store/disk/disk.h"

namespace tarry::service {

inline constexpr std::string_view kTokensFile = "tokens";

struct FoundTokens {
  Tokens tokens;
  std::string why_none = {};  // where there are none: "is missing"
};

// One thread at a time.
class TokenWatch {
 public:
  TokenWatch(store::Disk& disk, std::string path) : disk_(disk), path_(std::move(path)) {}

  // Nothing: the file is that of the last look. What cannot be read holds no tokens.
  std::optional<FoundTokens> look();
  const std::string& path() const { return path_; }

 private:
  // What identifies a file without reading it. `tarry token` puts a new file in the place of the old one.
  struct State {
    int error = 0;  // why there is no file
    std::uint64_t device = 0, inode = 0;
    std::int64_t size = 0, changed_s = 0, changed_ns = 0, written_s = 0, written_ns = 0;
    bool operator==(const State&) const = default;
  };
  State state() const;

  store::Disk& disk_;
  std::string path_;
  std::optional<State> seen_;
};

}  // namespace tarry::service
