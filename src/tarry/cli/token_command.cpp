#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tarry/base/error.h"
#include "tarry/cli/commands.h"
#include "tarry/cli/table.h"
#include "tarry/service/access/token_watch.h"
#include "tarry/store/disk/real_disk.h"

namespace tarry::cli {
namespace {

using service::Tokens;

// Root writes as the directory's owner: a file of root's could not be read by a service that runs as its own user,
// which would then refuse everyone.
void act_as_owner_of(const std::string& folder) {
  struct stat about {};
  if (::geteuid() != 0 || ::stat(folder.c_str(), &about) != 0) return;
  if (::setegid(about.st_gid) != 0 || ::seteuid(about.st_uid) != 0)
    throw Error(Code::kIo, fmt::format("{}: cannot act as its owner ({})", folder, std::strerror(errno)));
}

struct TokensFile {
  explicit TokensFile(std::string data) : folder(std::move(data)), disk(store::real_disk()) {
    disk->make_folder(folder);
    act_as_owner_of(folder);
    const std::string path = fmt::format("{}/{}", folder, service::kTokensFile);
    if (disk->exists(path)) tokens = Tokens::parse(store::read_whole(*disk, path));
  }
  void save() { store::write_whole(*disk, folder, std::string(service::kTokensFile), tokens.text()); }

  std::string folder;
  std::unique_ptr<store::Disk> disk;
  Tokens tokens;
};

}  // namespace

void token_add(const TokenOptions& options, Output& out) {
  TokensFile file(options.data);
  std::vector<std::string> scopes = options.scopes;
  if (scopes.empty() && !options.model.empty()) scopes = {"decide", "feedback", "read"};
  const std::string text = file.tokens.add(options.name, scopes, options.model);
  file.save();
  out.print(text + "\n");
}

void token_list(const TokenOptions& options, Output& out) {
  const TokensFile file(options.data);
  for (const service::Token& token : file.tokens.all())
    out.print(fmt::format("{:<24} {}{}\n", token.name, scope_names(token),
                          token.model.empty() ? "" : fmt::format(" (Personalizer: {})", token.model)));
}

void token_remove(const TokenOptions& options, Output&) {
  TokensFile file(options.data);
  file.tokens.remove(options.name);
  file.save();
}

}  // namespace tarry::cli
