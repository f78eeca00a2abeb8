// Names to slots: 0, 1, 2, … as they come, up to the capacity; past it names share slots by a hash.
//
// What takes a slot is an identity: the number under a name, one word under a name, or the product of two such. Memory
// follows the identities seen. Once all slots are taken, a new identity is not kept: it uses the slot that its hash
// falls on, beside the identity that owns it, and only counts remain of it (shared_values, shared_names).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tarry/base/bytes.h"
#include "tarry/features/distinct_sketch.h"
#include "tarry/features/hash.h"
#include "tarry/linalg/covector.h"
#include "tarry/linalg/large_vector.h"

namespace tarry {

using Slot = std::uint32_t;
inline constexpr Slot kNoSlot = ~Slot{0};
inline constexpr Index kMostSlots = Index{1} << 30;

enum class FeatureKind : std::uint8_t { kNumber, kWord, kProduct, kIntercept };

// The number under `name`, or the word `value` under it. A key looks at texts that its caller owns.
struct FeatureKey {
  FeatureKind kind;
  std::string_view name, value;
  std::uint64_t hash;

  static FeatureKey number(std::string_view name, std::uint64_t name_hash) {
    return {FeatureKind::kNumber, name, {}, hash_step(name_hash, 1)};
  }
  static FeatureKey word(std::string_view name, std::uint64_t name_hash, std::string_view value) {
    return {FeatureKind::kWord, name, value, hash_step(hash_step(name_hash, 2), hash_text(value))};
  }
};

// Of the product of two identities, the one with the smaller name first.
constexpr std::uint64_t product_hash(std::uint64_t a, std::uint64_t b) {
  return hash_step(hash_step(hash_step(kHashStart, 3), a), b);
}

class Vocabulary {
 public:
  // With an intercept it has slot 0, and is the only name that nobody shares.
  Vocabulary(Index capacity, bool intercept);

  Index capacity() const { return capacity_; }
  Index size() const { return static_cast<Index>(owners_.size()); }  // slots taken
  bool full() const { return size() == capacity_; }
  bool has_intercept() const { return intercept_; }

  // The slot that an identity owns, or kNoSlot.
  Slot find(const FeatureKey& key) const;
  Slot find_product(Slot a, Slot b, std::uint64_t hash) const;
  // What find will touch, fetched step by step for a whole row: the wait for memory is most of its cost. glance gives
  // the slot that find will look at first.
  void fetch_cell(std::uint64_t hash) const { __builtin_prefetch(&cells_[hash & (cells_.size() - 1)]); }
  Slot glance(std::uint64_t hash) const;
  Slot find_from(Slot glanced, const FeatureKey& key) const;  // the same as find
  void fetch_text(Slot slot) const { __builtin_prefetch(texts_.data() + owners_[slot].at); }
  // The next slot for one that owns none; the vocabulary must not be full.
  Slot add(const FeatureKey& key);
  Slot add_product(Slot a, Slot b, std::uint64_t hash);

  // Where identities without a slot of their own go once the vocabulary is full; share() also counts the value.
  Slot shared_slot(std::uint64_t hash) const;
  Slot share(std::uint64_t hash);
  std::uint64_t shared_values() const { return shared_values_; }           // how many values went that way: exact
  std::uint64_t shared_names() const { return shared_names_.estimate(); }  // how many identities: within some 3%
  bool is_shared(Index slot) const;                                        // whether any of them went there

  // Whether the slot's owner is a number, or a product of numbers: a shared slot is what its owner is.
  bool is_number(Slot slot) const { return owners_[slot].is_number; }
  // For people: `age`, `city=Paris`, `city=Paris × hour`, `(intercept)`, `(free)`; with ` (shared)` behind where others
  // used the slot. Names of different slots can look the same: `a=b` may be a number, or a word b under a.
  std::string name_of(Index slot) const;

  // The name of a slot's owner, or both of a product's.
  std::pair<std::string_view, std::string_view> names_at(Slot slot) const;

  void save(ByteWriter& out) const;
  void load(ByteReader& in);  // into one made alike; on error it must not be used further

 private:
  struct Owner {
    std::uint64_t hash;
    std::uint64_t at;  // where its texts are, name then value; of a product: a·2³² + b
    std::uint16_t name_size, value_size;
    FeatureKind kind;
    bool is_number;
  };
  struct Cell {
    std::uint32_t tag;  // high bits of the hash
    Slot slot;          // kNoSlot: empty
  };

  bool is(const Owner& x, const FeatureKey& key) const;
  template <class Same>
  Slot probe(std::uint64_t hash, Same same) const;
  Slot insert(const Owner& owner);
  void place(std::uint64_t hash, Slot slot);
  std::string_view name(const Owner& x) const { return {texts_.data() + x.at, x.name_size}; }
  std::string_view value(const Owner& x) const { return {texts_.data() + x.at + x.name_size, x.value_size}; }
  void load_owner(std::uint64_t head, std::string_view& texts);
  void load_sharing(ByteReader& in);

  Index capacity_;
  bool intercept_;
  LargeVector<Owner> owners_;  // by slot
  std::string texts_;
  LargeVector<Cell> cells_;              // open addressing, linear probing, at most half full
  std::vector<std::int64_t> shared_at_;  // a bit for each slot; empty: none is shared
  std::uint64_t shared_values_ = 0;
  DistinctSketch shared_names_;
};

}  // namespace tarry
