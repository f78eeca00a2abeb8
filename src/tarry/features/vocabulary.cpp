#include "tarry/features/vocabulary.h"

#include <fmt/format.h>

#include "tarry/base/contract.h"
#include "tarry/base/error.h"
#include "tarry/features/named.h"
#include "tarry/features/same_text.h"

namespace tarry {
namespace {

[[noreturn]] void corrupt(const char* what) {
  throw Error(Code::kCorrupt, fmt::format("snapshot: {} of the vocabulary is impossible", what));
}

constexpr std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }
constexpr std::uint64_t both(Slot a, Slot b) { return std::uint64_t{a} << 32 | b; }
constexpr Slot first(std::uint64_t at) { return static_cast<Slot>(at >> 32); }
constexpr Slot second(std::uint64_t at) { return static_cast<Slot>(at); }

// An owner's head in a snapshot: its kind in two bits, then two sizes or two slots of 31.
constexpr std::uint64_t head_of(FeatureKind kind, std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(kind) | a << 2 | b << 33;
}

}  // namespace

Vocabulary::Vocabulary(Index capacity, bool intercept)
    : capacity_(capacity), intercept_(intercept), cells_(16, Cell{0, kNoSlot}) {
  const Index least = intercept ? 2 : 1;
  if (capacity < least || capacity > kMostSlots)
    throw Error(Code::kBadSpec,
                fmt::format("features: capacity must be from {} to {} (capacity = {})", least, kMostSlots, capacity));
  if (intercept) owners_.push_back({0, 0, 0, 0, FeatureKind::kIntercept, false});
}

template <class Same>
Slot Vocabulary::probe(std::uint64_t hash, Same same) const {
  const std::size_t mask = cells_.size() - 1;
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    const Cell cell = cells_[i];
    if (cell.slot == kNoSlot || (cell.tag == tag_of(hash) && same(owners_[cell.slot]))) return cell.slot;
  }
}

inline bool Vocabulary::is(const Owner& x, const FeatureKey& key) const {
  return x.hash == key.hash && x.kind == key.kind && same_text(name(x), key.name) && same_text(value(x), key.value);
}

Slot Vocabulary::find(const FeatureKey& key) const {
  return probe(key.hash, [&](const Owner& x) { return is(x, key); });
}

Slot Vocabulary::find_from(Slot glanced, const FeatureKey& key) const {
  return glanced == kNoSlot || is(owners_[glanced], key) ? glanced : find(key);
}

Slot Vocabulary::glance(std::uint64_t hash) const {
  return probe(hash, [&](const Owner& x) {
    __builtin_prefetch(&x);
    return true;
  });
}

Slot Vocabulary::find_product(Slot a, Slot b, std::uint64_t hash) const {
  return probe(hash, [&](const Owner& x) { return x.kind == FeatureKind::kProduct && x.at == both(a, b); });
}

void Vocabulary::place(std::uint64_t hash, Slot slot) {
  const std::size_t mask = cells_.size() - 1;
  std::size_t i = hash & mask;
  while (cells_[i].slot != kNoSlot) i = (i + 1) & mask;
  cells_[i] = {tag_of(hash), slot};
}

Slot Vocabulary::insert(const Owner& owner) {
  const auto slot = static_cast<Slot>(owners_.size());
  ensure(static_cast<Index>(slot) < capacity_, "a name that is given a slot has room");
  owners_.push_back(owner);
  if (2 * owners_.size() > cells_.size()) {
    cells_.assign(2 * cells_.size(), Cell{0, kNoSlot});
    for (Slot s = intercept_ ? 1 : 0; s < slot; ++s) place(owners_[s].hash, s);
  }
  place(owner.hash, slot);
  return slot;
}

Slot Vocabulary::add(const FeatureKey& key) {
  const std::uint64_t at = texts_.size();
  texts_.append(key.name).append(key.value);
  return insert({key.hash, at, static_cast<std::uint16_t>(key.name.size()),
                 static_cast<std::uint16_t>(key.value.size()), key.kind, key.kind == FeatureKind::kNumber});
}

Slot Vocabulary::add_product(Slot a, Slot b, std::uint64_t hash) {
  return insert({hash, both(a, b), 0, 0, FeatureKind::kProduct, is_number(a) && is_number(b)});
}

Slot Vocabulary::shared_slot(std::uint64_t hash) const {
  __extension__ typedef unsigned __int128 Wide;
  const std::uint64_t first_shared = intercept_ ? 1 : 0;
  const std::uint64_t slots = static_cast<std::uint64_t>(capacity_) - first_shared;
  return static_cast<Slot>(first_shared + static_cast<std::uint64_t>((static_cast<Wide>(hash) * slots) >> 64));
}

Slot Vocabulary::share(std::uint64_t hash) {
  const Slot slot = shared_slot(hash);
  shared_values_ += 1;
  shared_names_.add(hash);
  if (shared_at_.empty()) shared_at_.resize((static_cast<std::size_t>(capacity_) + 63) / 64);
  shared_at_[slot / 64] |= static_cast<std::int64_t>(std::uint64_t{1} << slot % 64);
  return slot;
}

bool Vocabulary::is_shared(Index slot) const {
  if (shared_at_.empty() || slot < 0 || slot >= capacity_) return false;
  return (static_cast<std::uint64_t>(shared_at_[static_cast<std::size_t>(slot / 64)]) >> slot % 64 & 1) != 0;
}

std::string Vocabulary::name_of(Index slot) const {
  if (slot < 0 || slot >= size()) return "(free)";
  const auto base = [&](const Owner& x) {
    std::string text(name(x));
    if (x.kind == FeatureKind::kWord) text.append("=").append(value(x));
    return text;
  };
  const Owner& owner = owners_[static_cast<std::size_t>(slot)];
  std::string text;
  if (owner.kind == FeatureKind::kIntercept)
    text = "(intercept)";
  else if (owner.kind == FeatureKind::kProduct)
    text = base(owners_[first(owner.at)]) + " × " + base(owners_[second(owner.at)]);
  else
    text = base(owner);
  return is_shared(slot) ? text + " (shared)" : text;
}

std::pair<std::string_view, std::string_view> Vocabulary::names_at(Slot slot) const {
  const Owner& owner = owners_[slot];
  if (owner.kind != FeatureKind::kProduct) return {name(owner), {}};
  return {name(owners_[first(owner.at)]), name(owners_[second(owner.at)])};
}

// Heads by slot, then all texts in the same order; then what was shared.
void Vocabulary::save(ByteWriter& out) const {
  std::vector<std::int64_t> heads;
  heads.reserve(owners_.size());
  for (const Owner& x : owners_) {
    if (x.kind == FeatureKind::kIntercept) continue;
    const bool product = x.kind == FeatureKind::kProduct;
    const std::uint64_t a = product ? first(x.at) : x.name_size, b = product ? second(x.at) : x.value_size;
    heads.push_back(static_cast<std::int64_t>(head_of(x.kind, a, b)));
  }
  out.integers(heads);
  out.text(texts_);
  out.u64(shared_values_);
  out.integers(shared_at_);
  shared_names_.save(out);
}

void Vocabulary::load(ByteReader& in) {
  Vocabulary fresh(capacity_, intercept_);
  const std::vector<std::int64_t> heads = in.integers();
  const std::string texts = in.text();
  if (static_cast<Index>(heads.size()) > capacity_ - fresh.size()) corrupt("the size");
  std::string_view rest = texts;
  for (const std::int64_t head : heads) fresh.load_owner(static_cast<std::uint64_t>(head), rest);
  if (!rest.empty()) corrupt("the text");
  fresh.load_sharing(in);
  *this = std::move(fresh);
}

void Vocabulary::load_owner(std::uint64_t head, std::string_view& texts) {
  constexpr std::uint64_t kField = (std::uint64_t{1} << 31) - 1;
  const auto kind = static_cast<FeatureKind>(head & 3);
  const std::uint64_t a = head >> 2 & kField, b = head >> 33;
  if (kind == FeatureKind::kIntercept) corrupt("a kind");
  if (kind == FeatureKind::kProduct) {
    const auto is_base = [&](std::uint64_t slot) {
      return slot < owners_.size() && owners_[slot].kind <= FeatureKind::kWord;
    };
    if (!is_base(a) || !is_base(b) || !(name(owners_[a]) < name(owners_[b]))) corrupt("a product");
    const auto left = static_cast<Slot>(a), right = static_cast<Slot>(b);
    const std::uint64_t hash = product_hash(owners_[a].hash, owners_[b].hash);
    if (find_product(left, right, hash) != kNoSlot) corrupt("a product");
    add_product(left, right, hash);
    return;
  }
  const bool fits = a > 0 && a <= kLongestName && b <= (kind == FeatureKind::kWord ? kLongestWord : 0);
  if (!fits || a + b > texts.size()) corrupt("a name");
  const std::string_view name = texts.substr(0, a), value = texts.substr(a, b);
  texts.remove_prefix(a + b);
  const std::uint64_t hash = hash_text(name);
  const FeatureKey key =
      kind == FeatureKind::kNumber ? FeatureKey::number(name, hash) : FeatureKey::word(name, hash, value);
  if (find(key) != kNoSlot) corrupt("a name");
  add(key);
}

void Vocabulary::load_sharing(ByteReader& in) {
  shared_values_ = in.u64();
  shared_at_ = in.integers();
  shared_names_.load(in);
  const bool any = shared_values_ > 0;
  if (any && !full()) corrupt("the sharing");
  if (shared_at_.size() != (any ? (static_cast<std::size_t>(capacity_) + 63) / 64 : 0)) corrupt("the sharing");
  if ((shared_names_.estimate() > 0) != any || (intercept_ && is_shared(0))) corrupt("the sharing");
  if (const auto used = capacity_ % 64; any && used != 0)
    if (static_cast<std::uint64_t>(shared_at_.back()) >> used != 0) corrupt("the sharing");
}

}  // namespace tarry
