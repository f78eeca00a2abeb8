#include "tarry/features/encoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <memory_resource>
#include <new>
#include <span>
#include <tuple>

#include "tarry/base/error.h"

namespace tarry {
namespace {

constexpr std::size_t kFewNames = 32;    // below it twins are looked for in pairs
constexpr std::size_t kFewEntries = 64;  // below it slots are counted, not sorted

struct Part {  // of a row: a number, or one word
  FeatureKey key;
  double value;
  Slot slot = kNoSlot;
  bool owns = false;  // whether the slot is its own
};

struct Entry {
  Slot slot;
  bool number;
  double value;
  std::uint64_t hash;
};

// How many numbers and words there may be in a row.
std::size_t most_parts(const NamedFeatures& features) {
  std::size_t count = features.size();
  for (const NamedFeature& feature : features)
    if (const auto* list = std::get_if<std::vector<std::string>>(&feature.value)) count += list->size();
  return count;
}

struct HashedName {
  std::uint64_t hash;
  const std::string* name;
};

// What one row needs while it is encoded; on the stack unless the row is long.
class Work {
  std::array<std::byte, 6144> buffer_;
  std::pmr::monotonic_buffer_resource memory_{buffer_.data(), buffer_.size()};

 public:
  // Starts loading what the vocabulary will be asked for.
  Work(const NamedFeatures& features, const FeatureSpec& spec, const Vocabulary& vocabulary);

  std::span<Part> parts;
  std::pmr::vector<PartsOfName> names{&memory_};
  std::pmr::vector<Entry> entries{&memory_};
  std::pmr::vector<std::uint64_t> order{&memory_};
  std::pmr::memory_resource* memory() { return &memory_; }

 private:
  struct Taker {  // of one name's parts
    const Vocabulary& vocabulary;
    std::string_view name;
    std::uint64_t name_hash;
    Part*& end;

    void take(const FeatureKey& key, double value) {
      vocabulary.fetch_cell(key.hash);
      ::new (static_cast<void*>(end++)) Part{key, value};
    }
    void take_word(std::string_view word) { take(FeatureKey::word(name, name_hash, word), 1); }
  };
  void add(const FeatureValue& value, bool sort, Taker to);
  static void refuse_twins(std::pmr::vector<HashedName>& names);
};

Work::Work(const NamedFeatures& features, const FeatureSpec& spec, const Vocabulary& vocabulary) {
  const bool sort = spec.interactions.any();  // products come in the order of words
  const std::size_t most = most_parts(features);
  auto* const first = static_cast<Part*>(memory_.allocate(most * sizeof(Part), alignof(Part)));
  Part* end = first;
  names.reserve(features.size());
  entries.reserve(most + 1);
  std::pmr::vector<HashedName> hashed(&memory_);
  hashed.reserve(features.size());
  for (const NamedFeature& feature : features) {
    check(feature);
    const std::uint64_t hash = hash_text(feature.name);
    hashed.push_back({hash, &feature.name});
    Part* const begin = end;
    add(feature.value, sort, {vocabulary, feature.name, hash, end});
    if (end > begin)
      names.push_back({feature.name, static_cast<std::size_t>(begin - first), static_cast<std::size_t>(end - first)});
  }
  parts = {first, end};
  refuse_twins(hashed);
}

void Work::add(const FeatureValue& value, bool sort, Taker to) {
  if (const auto* number = std::get_if<double>(&value)) {
    to.take(FeatureKey::number(to.name, to.name_hash), *number);
  } else if (const auto* word = std::get_if<std::string>(&value)) {
    to.take_word(*word);
  } else if (const auto* flag = std::get_if<bool>(&value)) {
    to.take_word(*flag ? "true" : "false");
  } else if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
    if (!sort) {  // a word that is there twice is found by its slot: sorting texts would cost more than all else here
      for (const std::string& each : *list) to.take_word(each);
      return;
    }
    std::pmr::vector<std::string_view> words(list->begin(), list->end(), &memory_);
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    for (const std::string_view each : words) to.take_word(each);
  }
}

void Work::refuse_twins(std::pmr::vector<HashedName>& names) {
  const auto compare = [](const HashedName& a, const HashedName& b) {
    if (a.hash == b.hash && *a.name == *b.name)
      throw Error(Code::kBadInput, fmt::format("features.{} is given twice", shown(*a.name)));
  };
  if (names.size() <= kFewNames) {
    for (std::size_t i = 0; i < names.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) compare(names[i], names[j]);
    return;
  }
  std::sort(names.begin(), names.end(),
            [](auto& a, auto& b) { return std::tie(a.hash, *a.name) < std::tie(b.hash, *b.name); });
  for (std::size_t i = 1; i < names.size(); ++i) compare(names[i - 1], names[i]);
}

// Parts in the order of names, then of words; most differ in the first bytes of a word under one name.
struct InOrder {
  Part* part;
  std::uint64_t begins;  // with these bytes, the first one in front

  explicit InOrder(Part& x) : part(&x), begins(0) {
    const std::string_view word = x.key.value;
    if (!word.empty()) std::memcpy(&begins, word.data(), std::min(word.size(), sizeof begins));
    begins = __builtin_bswap64(begins);
  }
  bool operator<(const InOrder& other) const {
    const FeatureKey &a = part->key, &b = other.part->key;
    if (a.name.data() != b.name.data())
      if (const int order = a.name.compare(b.name); order != 0) return order < 0;
    return begins != other.begins ? begins < other.begins : a.value < b.value;
  }
};

// Calls take(part) for the parts that own no slot yet: in the order of names, then of words.
template <class Take>
void each_unknown(Work& work, Take take) {
  std::pmr::vector<InOrder> unknown(work.memory());
  unknown.reserve(work.parts.size());
  for (Part& part : work.parts)
    if (!part.owns) unknown.emplace_back(part);
  std::sort(unknown.begin(), unknown.end());
  const Part* last = nullptr;
  for (const auto& [part, begins] : unknown) {
    if (last != nullptr && last->key.name == part->key.name && last->key.value == part->key.value) {
      part->owns = last->owns;
      part->slot = last->slot;
      continue;
    }
    take(*part);
    last = part;
  }
}

// Names that share a slot are summed, in an order that does not depend on how they were given; a word that is there
// twice in a list counts once.
double sum_of(std::span<Entry*> sharing) {
  std::sort(sharing.begin(), sharing.end(),
            [](const Entry* a, const Entry* b) { return std::tie(a->value, a->hash) < std::tie(b->value, b->hash); });
  double sum = sharing[0]->value;
  for (std::size_t i = 1; i < sharing.size(); ++i)
    if (sharing[i]->hash != sharing[i - 1]->hash)
      sum = std::clamp(sum + sharing[i]->value, -spec::kLargest, spec::kLargest);
  return sum;
}

// The places of a few slots in ascending order, by counting how many are below each: nothing branches on them. False
// where two are the same: then it is not done.
bool order_few(std::span<const Entry> entries, std::span<std::uint64_t> order) {
  constexpr std::size_t kTogether = 16;
  std::array<std::int32_t, kFewEntries> slots = {};
  for (std::size_t i = 0; i < entries.size(); ++i) slots[i] = static_cast<std::int32_t>(entries[i].slot);
  std::uint64_t taken = 0;
  for (std::size_t begin = 0; begin < entries.size(); begin += kTogether) {
    std::array<std::int32_t, kTogether> below = {};
    for (std::size_t j = 0; j < entries.size(); ++j)
      for (std::size_t k = 0; k < kTogether; ++k) below[k] += slots[begin + k] > slots[j] ? 1 : 0;
    for (std::size_t i = begin; i < std::min(begin + kTogether, entries.size()); ++i) {
      const auto place = static_cast<std::size_t>(below[i - begin]);
      taken |= std::uint64_t{1} << place;
      order[place] = std::uint64_t{entries[i].slot} << 32 | i;
    }
  }
  return static_cast<std::size_t>(std::popcount(taken)) == entries.size();
}

// Ascending slots.
void write(Work& work, const Vocabulary& vocabulary, Row& row) {
  auto& entries = work.entries;
  if (vocabulary.has_intercept()) entries.push_back({0, false, 1, 0});
  const std::size_t size = entries.size();
  auto& order = work.order;  // slot and place of an entry in one number: they sort faster than entries
  order.resize(size);
  if (size > kFewEntries || !order_few(entries, order)) {
    for (std::size_t i = 0; i < size; ++i) order[i] = std::uint64_t{entries[i].slot} << 32 | i;
    std::sort(order.begin(), order.end());
  }
  row.indices.resize(size);
  row.values.resize(size);
  row.number.resize(size);
  Index* const indices = row.indices.data();
  double* const values = row.values.data();
  std::uint8_t* const number = row.number.data();
  std::vector<Entry*> sharing;
  std::size_t written = 0;
  for (std::size_t i = 0, next; i < size; i = next, ++written) {
    const std::uint64_t slot = order[i] >> 32;
    const Entry& entry = entries[static_cast<std::uint32_t>(order[i])];
    indices[written] = static_cast<Index>(slot);
    number[written] = entry.number;
    values[written] = entry.value;
    for (next = i + 1; next < size && order[next] >> 32 == slot;) ++next;
    if (next == i + 1) [[likely]]
      continue;
    sharing.clear();
    for (std::size_t j = i; j < next; ++j) sharing.push_back(&entries[static_cast<std::uint32_t>(order[j])]);
    values[written] = sum_of(sharing);
  }
  row.indices.resize(written);
  row.values.resize(written);
  row.number.resize(written);
}

// A shared slot is what its owner is; of one that nobody has yet nothing is said.
bool is_number(const Vocabulary& vocabulary, Slot slot) {
  return slot < vocabulary.size() && vocabulary.is_number(slot);
}

// One body for both: `new_parts` gives slots to parts that own none, `new_product` one to a product of two hashes.
template <class NewParts, class NewProduct>
bool encode_row(Work& work, const FeatureSpec& spec, const Vocabulary& vocabulary, Row& row, NewParts new_parts,
                NewProduct new_product) {
  for (Part& part : work.parts) part.slot = vocabulary.glance(part.key.hash);
  for (const Part& part : work.parts)
    if (part.slot != kNoSlot) vocabulary.fetch_text(part.slot);
  bool all_known = true;
  for (Part& part : work.parts) {
    part.slot = vocabulary.find_from(part.slot, part.key);
    part.owns = part.slot != kNoSlot;
    all_known = all_known && part.owns;
  }
  work.entries.resize(work.parts.size());
  Entry* entry = work.entries.data();
  if (all_known) {
    for (const Part& part : work.parts)
      *entry++ = {part.slot, part.key.kind == FeatureKind::kNumber, part.value, part.key.hash};
  } else {
    new_parts(work);
    for (const Part& part : work.parts)
      if (part.slot != kNoSlot) *entry++ = {part.slot, is_number(vocabulary, part.slot), part.value, part.key.hash};
    work.entries.resize(static_cast<std::size_t>(entry - work.entries.data()));
  }
  bool whole = true;
  if (spec.interactions.any()) {
    std::sort(work.names.begin(), work.names.end(), [](auto& a, auto& b) { return a.name < b.name; });
    whole = each_product(spec.interactions, work.names, [&](std::size_t i, std::size_t j) {
      const Part &a = work.parts[i], &b = work.parts[j];
      const std::uint64_t hash = product_hash(a.key.hash, b.key.hash);
      Slot slot = a.owns && b.owns ? vocabulary.find_product(a.slot, b.slot, hash) : kNoSlot;
      if (slot == kNoSlot) slot = new_product(a, b, hash);
      const double value = std::clamp(a.value * b.value, -spec::kLargest, spec::kLargest);
      if (slot != kNoSlot) work.entries.push_back({slot, is_number(vocabulary, slot), value, hash});
    });
  }
  write(work, vocabulary, row);
  return whole;
}

// Where each feature is a number that owns its slot, the next row of these names needs no search.
void learn_names(const NamedFeatures& features, std::span<const Part> parts, const Vocabulary& vocabulary,
                 LastNames& last) {
  const bool fits = parts.size() == features.size() && std::all_of(parts.begin(), parts.end(), [](const Part& part) {
                      return part.owns && part.key.kind == FeatureKind::kNumber;
                    });
  if (!fits) return;
  std::vector<Index> slots;
  slots.reserve(parts.size());
  for (const Part& part : parts) slots.push_back(part.slot);
  last.learn(features, slots, vocabulary.has_intercept());
}

}  // namespace

void Encoder::encode(const NamedFeatures& features, Row& row, NamesId names) {
  if (last_.fill(features, names, row)) return last_.known_as(names);
  Work work(features, spec_, vocabulary_);
  const bool whole = encode_row(
      work, spec_, vocabulary_, row,
      [&](Work& all) {
        each_unknown(all, [&](Part& part) {
          part.owns = !vocabulary_.full();
          part.slot = part.owns ? vocabulary_.add(part.key) : vocabulary_.share(part.key.hash);
        });
      },
      [&](const Part& a, const Part& b, std::uint64_t hash) {  // a part without a slot: the vocabulary was full then
        return vocabulary_.full() ? vocabulary_.share(hash) : vocabulary_.add_product(a.slot, b.slot, hash);
      });
  if (!whole) ++rows_cut_;
  if (!spec_.interactions.any()) learn_names(features, work.parts, vocabulary_, last_);
}

void Encoder::preview(const NamedFeatures& features, Row& row) const {
  if (last_.fill(features, NamesId::kUnknown, row)) return;
  Work work(features, spec_, vocabulary_);
  Index next = vocabulary_.size();
  const auto slot_for = [&](std::uint64_t hash) {
    return next < vocabulary_.capacity() ? static_cast<Slot>(next++) : vocabulary_.shared_slot(hash);
  };
  encode_row(
      work, spec_, vocabulary_, row,
      [&](Work& all) {
        each_unknown(all, [&](Part& part) {
          part.owns = next < vocabulary_.capacity();
          part.slot = slot_for(part.key.hash);
        });
      },
      [&](const Part&, const Part&, std::uint64_t hash) { return slot_for(hash); });
}

void Encoder::look_up(const NamedFeatures& features, Row& row, NamesId names) const {
  if (last_.fill(features, names, row)) return;
  Work work(features, spec_, vocabulary_);
  const bool full = vocabulary_.full();
  encode_row(
      work, spec_, vocabulary_, row,
      [&](Work& all) {
        for (Part& part : all.parts)
          if (full && !part.owns) part.slot = vocabulary_.shared_slot(part.key.hash);
      },
      [&](const Part&, const Part&, std::uint64_t hash) { return full ? vocabulary_.shared_slot(hash) : kNoSlot; });
}

void Encoder::save(ByteWriter& out) const {
  vocabulary_.save(out);
  out.u64(rows_cut_);
}

void Encoder::load(ByteReader& in) {
  last_.forget();
  vocabulary_.load(in);
  rows_cut_ = in.u64();
}

}  // namespace tarry
