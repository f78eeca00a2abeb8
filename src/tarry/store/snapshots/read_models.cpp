#include "tarry/store/snapshots/read_models.h"

#include <fmt/format.h>

#include "tarry/base/error.h"
#include "tarry/store/disk/folder.h"
#include "tarry/store/journal/recovery.h"
#include "tarry/store/snapshots/saved_models.h"

namespace tarry::store {
namespace {

constexpr int kReadTries = 5;
constexpr Position kProgressEvery = 4096;

hosting::Models read_models_once(Disk& disk, const std::string& path,
                                 const std::function<void(Position, Position)>& progress) {
  const Findings log = examine(disk, path + "/journal");
  const Snapshots snapshots(disk, path + "/snapshots", log.identity());
  hosting::Models models;
  std::vector<std::string> passed_over;
  const auto saved = snapshots.newest(log.first, log.last, passed_over,
                                      [&](const Saved& found) { models = load_models(snapshots, found); });
  ArithmeticWatch arithmetic(saved ? &saved->head : nullptr);  // refuses what a later program wrote
  const Position from = models.head().position;
  examine(disk, path + "/journal", [&](const Record& record, std::uint64_t /*offset*/) {
    if (record.kind != RecordKind::kData || record.position <= from || record.position > log.last) return true;
    const hosting::Entry entry = hosting::entry_from_bytes(record.payload);
    arithmetic.see(record.position, entry);
    try {
      models.apply(record.position, entry);
    } catch (const Error& error) {
      throw Error(Code::kCorrupt,
                  fmt::format("entry {} of the log cannot be applied: {}", record.position, error.what()));
    }
    if (record.position % kProgressEvery == 0) progress(record.position - from, log.last - from);
    return true;
  });
  return models;
}

}  // namespace

hosting::Models read_models(Disk& disk, const std::string& path,
                            const std::function<void(Position, Position)>& progress) {
  check_is_store(disk, path);
  for (int left = kReadTries;;) {
    try {
      return read_models_once(disk, path, progress);
    } catch (const Error& error) {
      // A store in use may roll or prune between two looks at it; what is really damaged still is at the next.
      if ((error.code() != Code::kCorrupt && error.code() != Code::kIo) || --left == 0) throw;
    }
  }
}

}  // namespace tarry::store
