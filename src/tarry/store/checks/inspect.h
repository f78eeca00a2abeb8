// What a store's directory holds, read from end to end and changed nowhere.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tarry/store/journal/recovery.h"
#include "tarry/store/snapshots/snapshots.h"

namespace tarry::store {

struct ModelInLog {  // one incarnation
  Position incarnation = 0;
  std::string name;  // empty: it was created before the log begins
  std::uint64_t entries = 0;
  Position last = 0;  // of its entries
  bool deleted = false;
};

struct SnapshotThere {
  Position position = 0;
  std::string engine;
  std::uint64_t bytes = 0;
  std::uint64_t models = 0;
  std::uint64_t arithmetic = 0;
  Position reaches = 0;      // the last entry in it: a model may be ahead of the rest
  bool compared = false;     // with the fold of the log
  std::string why_not = {};  // where it was not, and folds were
};

struct Inspection {
  Position first = 1;
  Position last = 0;
  std::uint64_t segments = 0;
  std::uint64_t openings = 0;
  std::optional<TornTail> torn;  // nothing says that it was durable; the next opening cuts it off
  std::vector<DamagedSeal> damaged_seals;
  std::vector<ModelInLog> models;        // by incarnation
  std::vector<SnapshotThere> snapshots;  // newest first
  std::vector<std::string> aside;        // torn ends of earlier openings
  bool key = false;
  bool folded = false;              // the log was folded, and snapshots compared with it
  std::vector<std::string> damage;  // file, offset and what is wrong; the journal's first
};

enum class Depth : std::uint8_t {
  kStructure,  // every checksum, and that all of it can be read
  kFolds,      // and what the log folds to (fold_check.h)
};

// Throws Error{kBadInput} where there is no store.
Inspection inspect(Disk& disk, const std::string& path, Depth depth = Depth::kStructure);

}  // namespace tarry::store
