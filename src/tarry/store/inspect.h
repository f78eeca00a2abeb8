// What a store's directory holds, read from end to end and changed nowhere.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tarry/store/recovery.h"
#include "tarry/store/snapshots.h"

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
};

struct Inspection {
  Position first = 1;
  Position last = 0;
  std::uint64_t segments = 0;
  std::uint64_t openings = 0;
  std::optional<TornTail> torn;          // not damage: the next opening cuts it off
  std::vector<ModelInLog> models;        // by incarnation
  std::vector<SnapshotThere> snapshots;  // newest first
  std::vector<std::string> aside;        // torn ends of earlier openings
  bool key = false;
  std::vector<std::string> damage;  // file, offset and what is wrong; the journal's first
};

// Throws Error{kBadInput} where there is no store.
Inspection inspect(Disk& disk, const std::string& path);

void check_is_store(const Disk& disk, const std::string& path);

}  // namespace tarry::store
