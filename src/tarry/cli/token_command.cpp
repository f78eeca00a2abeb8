#include <fmt/format.h>

#include "tarry/cli/commands.h"
#include "tarry/cli/table.h"
#include "tarry/service/server.h"
#include "tarry/service/tokens.h"
#include "tarry/store/real_disk.h"

namespace tarry::cli {
namespace {

using service::Tokens;

struct TokensFile {
  explicit TokensFile(std::string data) : folder(std::move(data)), disk(store::real_disk()) {
    disk->make_folder(folder);
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
  const std::string text = file.tokens.add(options.name, options.scopes);
  file.save();
  out.print(text + "\n");
}

void token_list(const TokenOptions& options, Output& out) {
  const TokensFile file(options.data);
  for (const service::Token& token : file.tokens.all())
    out.print(fmt::format("{:<24} {}\n", token.name, scope_names(token)));
}

void token_remove(const TokenOptions& options, Output&) {
  TokensFile file(options.data);
  file.tokens.remove(options.name);
  file.save();
}

}  // namespace tarry::cli
