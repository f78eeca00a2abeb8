#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "tarry/base/error.h"
#include "tarry/base/version.h"
#include "tarry/cli/commands.h"
#include "tarry/cli/wall_clock.h"
#include "tarry/hosting/crypto.h"
#include "tarry/hosting/entry.h"
#include "tarry/hosting/names.h"
#include "tarry/model/replay.h"
#include "tarry/model/snapshot.h"
#include "tarry/model/snapshot_file.h"
#include "tarry/store/checks/inspect.h"
#include "tarry/store/copies/import.h"
#include "tarry/store/disk/folder.h"
#include "tarry/store/disk/key_file.h"
#include "tarry/store/disk/real_disk.h"
#include "tarry/store/journal/journal.h"

namespace tarry::cli {
namespace {

// All of it is played before any of it is written. `state` empty: from the beginning; `log` empty: there is only a
// state.
std::string played_hash(const std::string& state, const std::string& log) {
  if (log.empty()) return load_snapshot(state).hash();
  Input input(log);
  Replay replay = state.empty() ? Replay() : Replay(state);
  std::string_view line;
  while (input.lines().next(line)) replay.line(line);
  replay.finish();
  return replay.model().hash();
}

void check_name_is_free(store::Disk& disk, const StoreOptions& options) {
  for (const store::ModelInLog& model : store::inspect(disk, options.data).models) {
    if (model.deleted) continue;
    if (model.name.empty())
      throw Error(Code::kUnsupported, fmt::format("{}: its log was pruned, and which names are free is not known here: "
                                                  "import into a directory of its own",
                                                  options.data));
    if (model.name == options.model)
      throw Error(Code::kConflict, fmt::format("{}: there is a model \"{}\" already", options.data, options.model));
  }
}

}  // namespace

void store_import(const StoreOptions& options, Output& out) {
  if (!hosting::is_name(options.model))
    throw Error(Code::kBadInput, fmt::format("a model's name must be {} ({} came)", hosting::kNameRule, options.model));
  if (options.log == "-") throw Error(Code::kBadInput, "the log must be a file: it is read twice (- came)");
  if (options.log.empty() && options.state.empty())
    throw Error(Code::kBadInput, "give a log in the format tarry-replay/2, or --state FILE, or both");
  const std::string state = options.state.empty() ? "" : std::string(SnapshotFile(options.state).bytes());
  const std::string hash = played_hash(state, options.log);
  const auto disk = store::real_disk();
  const store::Folder folder(*disk, options.data);
  check_name_is_free(*disk, options);
  const std::uint64_t epoch = hosting::random_number();
  store::Journal journal(
      *disk, folder.journal(),
      store::JournalOptions{.epoch = epoch, .salt = static_cast<std::uint32_t>(hosting::random_number())});
  if (!disk->exists(folder.key())) {
    if (journal.last() > 0)
      throw Error(Code::kCorrupt, folder.key() + ": is missing, and without it no ticket is known again: restore it");
    store::write_key(*disk, folder.path(), hosting::random_key());
  }
  const std::string opened = hosting::entry_bytes(
      hosting::Opened{.epoch = epoch, .at_ms = now_ms(), .engine = std::string(kVersion), .arithmetic = kArithmetic});
  const std::string_view payload = opened;
  journal.reserve(1, opened.size());
  journal.append({&payload, 1});
  std::optional<Input> input;
  if (!options.log.empty()) input.emplace(options.log);
  const auto next = [&](std::string_view& line) { return input && input->lines().next(line); };
  const store::Imported done =
      state.empty() ? store::import_model(journal, options.model, epoch, now_ms(), next)
                    : store::import_state(journal, store::create_from(options.model, state, now_ms()), epoch, next);
  if (done.hash != hash) throw Error(Code::kInternal, "what was imported has another hash than what was played");
  out.print(fmt::format("{{\"model\": \"{}\", \"events\": {}, \"hash\": \"{}\"}}\n", options.model, done.events, hash));
}

}  // namespace tarry::cli
