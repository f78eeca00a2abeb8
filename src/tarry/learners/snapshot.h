// A learner's whole state as bytes: versioned, named, checksummed. A restored learner continues bit for bit.
#pragma once

#include <string>
#include <string_view>

#include "tarry/base/bytes.h"
#include "tarry/learners/learner.h"

namespace tarry {

inline constexpr std::uint64_t kSnapshotVersion = 4;
inline constexpr std::size_t kSnapshotFrame = 4 * 8;  // what is around the payload

// Wraps a payload: magic, version, the payload's length, payload, CRC-32C of all before it.
std::string seal_snapshot(std::string_view payload);
// The payload again; throws Error{kCorrupt} that says what is wrong.
std::string_view open_snapshot(std::string_view snapshot);

template <Learner L>
std::string save_learner(const L& learner) {
  ByteWriter out;
  learner.save(out);
  return seal_snapshot(out.bytes());
}

// How long save_learner's answer would be, without the memory for it.
template <Learner L>
std::size_t snapshot_size(const L& learner) {
  ByteWriter out = ByteWriter::counting();
  learner.save(out);
  return out.size() + kSnapshotFrame;
}

// Into a learner made from the same set and learner specification; on error it must not be used further.
template <Learner L>
void load_learner(L& learner, std::string_view snapshot) {
  ByteReader in(open_snapshot(snapshot));
  learner.load(in);
  in.expect_end();
}

}  // namespace tarry
