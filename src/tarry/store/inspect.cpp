#include "tarry/store/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tarry/base/error.h"
#include "tarry/base/overload.h"
#include "tarry/base/sha256.h"
#include "tarry/store/entry.h"
#include "tarry/store/models.h"

namespace tarry::store {
namespace {

// Counts what entries say, without folding them.
class Count {
 public:
  explicit Count(Inspection& seen) : seen_(seen) {}

  void add(Position position, const Entry& entry) {
    std::visit(Overload{[&](const Opened&) { ++seen_.openings; },
                        [&](const Create& e) {
                          if (!living_.emplace(e.name, position).second) return;  // whoever came first has it
                          of(position).name = e.name;
                        },
                        [&](const Delete& e) {
                          if (e.incarnation == 0) return;  // what compaction leaves
                          of(e.incarnation).deleted = true;
                          std::erase_if(living_, [&](const auto& each) { return each.second == e.incarnation; });
                        },
                        [&](const Apply& e) {
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

void inspect_journal(Disk& disk, const std::string& folder, Inspection& seen) {
  Count count(seen);
  try {
    const Findings found = examine(disk, folder, [&](const Record& record, std::uint64_t offset) {
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
  } catch (const Error& error) {
    if (error.code() != Code::kCorrupt) throw;
    seen.damage.emplace_back(error.what());
  }
  count.finish();
  for (const std::string& name : disk.list(folder))
    if (name.starts_with("torn-")) seen.aside.push_back(folder + "/" + name);
}

void inspect_snapshots(Disk& disk, const std::string& folder, Inspection& seen) {
  const Snapshots snapshots(disk, folder);
  for (const Position position : snapshots.positions()) {
    try {
      const Saved saved = snapshots.read(position);
      if (!saved.head.hash.empty() && sha256(saved.state) != saved.head.hash)
        throw Error(Code::kCorrupt, "its state does not have the hash that it states");
      Models models;
      ByteReader in(saved.state);
      models.load(in);
      in.expect_end();
      seen.snapshots.push_back({position, saved.head.engine, saved.state.size(), models.all().size()});
    } catch (const Error& error) {
      if (error.code() != Code::kCorrupt) throw;
      const std::string what = error.what();
      seen.damage.push_back(what.starts_with(folder) ? what : snapshots.path(position) + ": " + what);
    }
  }
}

}  // namespace

void check_is_store(const Disk& disk, const std::string& path) {
  if (!disk.exists(path + "/journal")) throw Error(Code::kBadInput, path + ": is no store (it has no folder journal)");
}

Inspection inspect(Disk& disk, const std::string& path) {
  check_is_store(disk, path);
  Inspection seen;
  inspect_journal(disk, path + "/journal", seen);
  if (disk.exists(path + "/snapshots")) inspect_snapshots(disk, path + "/snapshots", seen);
  seen.key = disk.exists(path + "/key");
  if (!seen.damage.empty()) return seen;
  try {
    std::vector<std::string> told;
    Snapshots(disk, path + "/snapshots").newest(seen.first, seen.last, told);
  } catch (const Error& error) {
    seen.damage.emplace_back(error.what());
  }
  return seen;
}

}  // namespace tarry::store
