#include "tarry/store/copies/compact.h"

#include <algorithm>
#include <set>

#include "tarry/base/sha256.h"
#include "tarry/hosting/entry.h"
#include "tarry/store/copies/backup.h"
#include "tarry/store/disk/kept_file.h"
#include "tarry/store/journal/journal.h"
#include "tarry/store/snapshots/saved_models.h"

namespace tarry::store {

using namespace hosting;  // entries and models
namespace {

// An entry that says nothing: there is no model 0.
const std::string& emptied() {
  static const std::string bytes = entry_bytes(Entry(Delete{0}));
  return bytes;
}

std::set<Position> deleted_in(const Journal& journal) {
  std::set<Position> gone;
  journal.read(journal.first() - 1, [&](Position, std::string_view payload) {
    const Entry entry = entry_from_bytes(payload);
    if (const auto* gone_now = std::get_if<Delete>(&entry); gone_now && gone_now->incarnation != 0)
      gone.insert(gone_now->incarnation);
    return true;
  });
  return gone;
}

// The same state without the models that were deleted since; false: it has none of them.
bool rewrite_snapshot(Snapshots& snapshots, Position position, const std::set<Position>& gone) {
  Saved saved = snapshots.read(position);
  const Models models = load_models(snapshots, saved);
  std::vector<ModelPointer> kept = models.all();
  const std::size_t before = kept.size();
  std::erase_if(kept, [&](const ModelPointer& model) { return gone.contains(model->incarnation()); });
  if (kept.size() == before) return false;
  snapshots.save([&](const Snapshots::Sink& sink) {
    Sha256 hash;
    ByteWriter out([&](std::string_view piece) {
      hash.add(piece);
      sink(piece);
    });
    StateHead head = models.head();
    head.models = kept.size();
    save_head(out, head);
    for (const ModelPointer& model : kept) save_model(out, model->freeze());
    out.flush();
    saved.head.hash = hash.hex();
    return saved.head;
  });
  return true;
}

// What dashboards remember of them, and what was not written to its end: that may be of any model.
void remove_history(Disk& disk, const Folder& folder, const std::set<Position>& gone) {
  if (!disk.exists(folder.watch())) return;
  std::set<std::string> names;
  for (const Position incarnation : gone) names.insert(kept_name(incarnation));
  for (const std::string& name : disk.list(folder.watch()))
    if (names.contains(name) || (name != kKeptOfAll && !name.ends_with(".watch")))
      disk.remove(folder.watch() + "/" + name);
  disk.sync_folder(folder.watch());
}

}  // namespace

Compacted compact(Disk& disk, const Folder& folder, std::uint64_t epoch) {
  Compacted done;
  std::set<Position> gone;
  std::optional<LogIdentity> log;
  {
    JournalOptions options;
    options.epoch = epoch;
    options.salt = static_cast<std::uint32_t>(epoch >> 32);
    options.background = false;
    const Journal journal(disk, folder.journal(), options);  // cuts off a torn tail
    gone = deleted_in(journal);
    log = journal.found().identity();
  }
  done.models.assign(gone.begin(), gone.end());
  remove_history(disk, folder, gone);
  for (const std::string& name : disk.list(folder.journal())) {
    if (!name.starts_with("torn-")) continue;
    done.removed.push_back(folder.journal() + "/" + name);
    disk.remove(done.removed.back());
  }
  disk.sync_folder(folder.journal());
  Snapshots snapshots(disk, folder.snapshots(), log);
  snapshots.remove_unfinished();         // it may have any model in it
  disk.sync_folder(folder.snapshots());  // also what a run before this one removed, and was killed
  for (const Position position : snapshots.positions())
    if (rewrite_snapshot(snapshots, position, gone)) done.snapshots.push_back(position);
  done.entries = rewrite_journal(disk, folder.journal(), [&](Position position, std::string_view payload) {
    std::optional<std::string> instead;
    Entry entry = entry_from_bytes(payload);
    if (!std::holds_alternative<Delete>(entry) && gone.contains(incarnation_of(entry))) {
      instead = emptied();
    } else if (auto* create = std::get_if<Create>(&entry);
               create && !create->state.empty() && gone.contains(position)) {
      create->state.clear();
      instead = entry_bytes(entry);
    }
    return instead;
  });
  return done;
}

}  // namespace tarry::store
