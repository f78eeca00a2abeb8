#include "tarry/model/frozen_model.h"

#include "tarry/base/sha256.h"

namespace tarry {

std::string state_hash(std::string_view spec, const std::function<void(ByteWriter&)>& save) {
  Sha256 hash;
  hash.add(spec);
  ByteWriter out([&](std::string_view piece) { hash.add(piece); });
  save(out);
  out.flush();
  return hash.hex();
}

void FrozenModel::save(ByteWriter& out) const {
  out.u64(events);
  ledger.save(out);
  keys.save(out);
  if (settled) settled->save(out);
  for (const std::string& piece : rest) out.raw(piece);
}

std::string FrozenModel::hash() const {
  return state_hash(spec, [this](ByteWriter& out) { save(out); });
}

}  // namespace tarry
