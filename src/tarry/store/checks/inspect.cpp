#include "tarry/store/checks/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "tarry/base/error.h"
#include "tarry/base/overload.h"
#include "tarry/base/sha256.h"
#include "tarry/hosting/entry.h"
#include "tarry/store/checks/fold_check.h"
#include "tarry/store/disk/folder.h"
#include "tarry/store/disk/key_file.h"
#include "tarry/store/snapshots/saved_models.h"

namespace tarry::store {

using namespace hosting;  // entries and models
namespace {

// Counts what entries say, without folding them.
class Count {
 public:
  explicit Count(Inspection& seen) : seen_(seen) {}

  void add(Position position, const Entry& entry) {
    std::visit(Overload{[&](const Opened&) { ++seen_.openings; },
                        [&](const Create& e) {
                          if (!living_.emplace(e.name, position).second) return;  // the first one has it
                          of(position).name = e.name;
                        },
                        [&](const Delete& e) {
                          if (e.incarnation == 0) return;  // what compaction leaves
                          of(e.incarnation).deleted = true;
                          std::erase_if(living_, [&](const auto& each) { return each.second == e.incarnation; });
                        },
                        [&](const auto& e) {  // of a model: an event, or that one was shown
                          ++of(e.incarnation).entries;
                          of(e.incarnation).last = position;
                        }},
               entry);
  }

  void finish() {
    for (auto& [incarnation, model] : models_) seen_.models.push_back(std::move(model));
  }

 private:
  ModelInLog& of(Position incarnation) {
    ModelInLog& model = models_[incarnation];
    model.incarnation = incarnation;
    return model;
  }

  Inspection& seen_;
  std::map<std::string, Position> living_;
  std::map<Position, ModelInLog> models_;
};

// Nothing where it is damaged.
std::optional<Findings> inspect_journal(Disk& disk, const std::string& folder, Inspection& seen) {
  Count count(seen);
  std::optional<Findings> whole;
  try {
    Findings found = examine(disk, folder, [&](const Record& record, std::uint64_t offset) {
      if (record.kind != RecordKind::kData) return true;
      seen.last = record.position;
      try {
        count.add(record.position, entry_from_bytes(record.payload));
      } catch (const Error& error) {
        throw Error(Code::kCorrupt, fmt::format("{}: position {} (offset {} of its segment): {}", folder,
                                                record.position, offset, error.what()));
      }
      return true;
    });
    seen.first = found.first;
    seen.last = found.last;
    seen.segments = found.segments.size();
    seen.torn = found.torn;
    seen.damaged_seals = found.damaged_seals;
    whole = std::move(found);
  } catch (const Error& error) {
    if (error.code() != Code::kCorrupt) throw;
    seen.damage.emplace_back(error.what());
  }
  count.finish();
  for (const std::string& name : disk.list(folder))
    if (name.starts_with("torn-")) seen.aside.push_back(folder + "/" + name);
  return whole;
}

void inspect_snapshots(const Snapshots& snapshots, const std::string& folder, Inspection& seen) {
  for (const Position position : snapshots.positions()) {
    try {
      const Saved saved = snapshots.read(position);
      if (!saved.head.hash.empty() && sha256(saved.state) != saved.head.hash)
        throw Error(Code::kCorrupt, "its state does not have the hash that it states");
      const Models models = load_models(snapshots, saved);
      Position reaches = position;
      for (const ModelPointer& model : models.all()) reaches = std::max(reaches, model->position());
      seen.snapshots.push_back(
          {position, saved.head.engine, saved.state.size(), models.all().size(), saved.head.arithmetic, reaches});
    } catch (const Error& error) {
      if (error.code() != Code::kCorrupt && error.code() != Code::kConflict) throw;
      const std::string what = error.what();
      seen.damage.push_back(what.starts_with(folder) ? what : snapshots.path(position) + ": " + what);
    }
  }
}

// A torn end below what a snapshot has was durable once: that is damage.
void judge_torn(const Snapshots& snapshots, Inspection& seen) {
  for (const SnapshotThere& each : seen.snapshots) {
    if (!seen.torn || each.reaches <= seen.last) continue;
    seen.damage.push_back(fmt::format("{}: offset {}: damaged: position {} should be here; {} has entry {}",
                                      seen.torn->file, seen.torn->offset, seen.last + 1, snapshots.path(each.position),
                                      each.reaches));
    seen.torn.reset();
  }
}

void inspect_key(Disk& disk, const std::string& path, Inspection& seen) {
  try {
    seen.key = read_key(disk, path).has_value();
  } catch (const Error& error) {
    if (error.code() != Code::kCorrupt) throw;
    seen.damage.emplace_back(error.what());
  }
}

void inspect_folds(Disk& disk, const std::string& path, const Findings& log, Inspection& seen) {
  std::set<Position> deleted;
  for (const ModelInLog& model : seen.models)
    if (model.deleted) deleted.insert(model.incarnation);
  FoldCheck folds = check_folds(disk, path, log, deleted);
  seen.folded = true;
  for (const FoldedSnapshot& each : folds.snapshots)
    for (SnapshotThere& there : seen.snapshots)
      if (there.position == each.position) {
        there.compared = each.compared;
        there.why_not = each.why_not;
      }
  for (std::string& each : folds.damage) seen.damage.push_back(std::move(each));
}

}  // namespace

Inspection inspect(Disk& disk, const std::string& path, Depth depth) {
  check_is_store(disk, path);
  Inspection seen;
  const std::optional<Findings> log = inspect_journal(disk, path + "/journal", seen);
  const Snapshots snapshots(disk, path + "/snapshots", log ? std::optional(log->identity()) : std::nullopt);
  if (disk.exists(path + "/snapshots")) inspect_snapshots(snapshots, path + "/snapshots", seen);
  judge_torn(snapshots, seen);
  inspect_key(disk, path, seen);
  if (log && depth == Depth::kFolds) inspect_folds(disk, path, *log, seen);
  if (!seen.damage.empty()) return seen;
  try {
    std::vector<std::string> told;
    snapshots.newest(seen.first, seen.last, told);
  } catch (const Error& error) {
    seen.damage.emplace_back(error.what());
  }
  return seen;
}

}  // namespace tarry::store
