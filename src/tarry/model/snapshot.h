// A model's whole state as one file: which engine wrote it, the specification in full, the position in its history, the
// state, a checksum over all of it. The bytes are given on piece by piece as the state is walked, so that saving needs
// no second copy; the model must not change meanwhile, unless it was frozen (frozen_model.h).
//
//   "TARRYMDL" · u64 format · text engine · text specification · u64 position · state · u64 its length · u64 CRC-32C
//
// Numbers are little-endian, a text is its length and its bytes.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "tarry/model/model.h"
#include "tarry/model/model_spec.h"

namespace tarry {

inline constexpr std::uint64_t kSnapshotFormat = 2;

struct SnapshotHead {
  std::string engine;  // the version that wrote it
  std::string spec;    // JSON, a task as its expansion
  std::uint64_t position = 0;
};

using Sink = std::function<void(std::string_view piece)>;

// `position`: of the last event in the state, in whatever log it came from.
void write_snapshot(const Model& model, std::uint64_t position, const Sink& sink);
void write_snapshot(const FrozenModel& model, std::uint64_t position, const Sink& sink);
std::string snapshot_bytes(const Model& model, std::uint64_t position = 0);
std::string snapshot_bytes(const FrozenModel& model, std::uint64_t position = 0);

// Throws Error{kCorrupt} that says what is wrong: not a snapshot, cut short, changed, or of a later version.
SnapshotHead read_head(std::string_view snapshot);
// A model as it was saved.
Model load_snapshot(std::string_view snapshot);
// The same where the specification is given: throws Error{kBadInput} with the first key that differs.
Model load_snapshot(std::string_view snapshot, const ModelSpec& spec);

}  // namespace tarry
