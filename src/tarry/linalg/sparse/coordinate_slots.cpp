#include "tarry/linalg/sparse/coordinate_slots.h"

#include "tarry/base/contract.h"
#include "tarry/base/error.h"

namespace tarry {

std::uint32_t CoordinateSlots::add(Index i) {
  ensure(i >= 0, "coordinates are not negative");
  if (coordinates_.size() >= kNone) throw Error(Code::kOutOfMemory, "more than 2^32 coordinates were touched");
  const auto slot = static_cast<std::uint32_t>(coordinates_.size());
  coordinates_.push_back(i);
  if (i >= kNear) return far_.find_or_insert(i, slot);
  const auto k = static_cast<std::size_t>(i >> kShift);
  if (k >= near_.size()) near_.resize(k + 1);
  if (near_[k] == nullptr) {
    near_[k] = leaves_.add();
    near_[k]->fill(kNone);
  }
  return (*near_[k])[in_leaf(i)] = slot;
}

}  // namespace tarry
