#include "tarry/features/ratings_encoder.h"

#include <fmt/format.h>

#include <cmath>

#include "tarry/base/error.h"

namespace tarry {
namespace {

[[noreturn]] void refuse_rating(const std::string& why) { throw Error(Code::kBadInput, why); }

// The word under `name`: a text, or a whole number's digits.
std::string word_of(const NamedFeatures& features, const std::string& name) {
  for (const NamedFeature& feature : features) {
    if (feature.name != name) continue;
    check(feature);
    if (const auto* text = std::get_if<std::string>(&feature.value)) return *text;
    if (const auto* number = std::get_if<double>(&feature.value);
        number != nullptr && *number == std::floor(*number) && std::fabs(*number) <= 0x1p53)
      return fmt::format("{}", static_cast<std::int64_t>(*number));
    break;
  }
  refuse_rating(fmt::format("features.{} must be a text or a whole number", name));
}

struct Who {
  std::string user, item;
  FeatureKey user_key() const { return FeatureKey::word("user", hash_text("user"), user); }
  FeatureKey item_key() const { return FeatureKey::word("item", hash_text("item"), item); }
};

Who read(const NamedFeatures& features) {
  Who who{word_of(features, "user"), word_of(features, "item")};
  if (features.size() != 2)
    refuse_rating(fmt::format("features must be user and item alone ({} came)", features.size()));
  return who;
}

Index take(Vocabulary& names, const FeatureKey& key) {
  const Slot known = names.find(key);
  if (known != kNoSlot) return known;
  return names.full() ? names.share(key.hash) : names.add(key);
}

// What take would give.
Index foresee(const Vocabulary& names, const FeatureKey& key) {
  const Slot known = names.find(key);
  if (known != kNoSlot) return known;
  return names.full() ? static_cast<Index>(names.shared_slot(key.hash)) : names.size();
}

Index look(const Vocabulary& names, const FeatureKey& key) {
  const Slot known = names.find(key);
  if (known != kNoSlot) return known;
  return names.full() ? static_cast<Index>(names.shared_slot(key.hash)) : -1;
}

}  // namespace

void RatingsEncoder::encode(const NamedFeatures& features, Row& row) {
  const Who who = read(features);
  const Index user = take(users_, who.user_key()), item = take(items_, who.item_key());
  row.clear();
  for (Index i : sizes_.entry(user, item)) row.add(i, 1, false);
}

void RatingsEncoder::preview(const NamedFeatures& features, Row& row) const {
  const Who who = read(features);
  const Index user = foresee(users_, who.user_key()), item = foresee(items_, who.item_key());
  row.clear();
  for (Index i : sizes_.entry(user, item)) row.add(i, 1, false);
}

void RatingsEncoder::look_up(const NamedFeatures& features, Row& row) const {
  const Who who = read(features);
  const Index user = look(users_, who.user_key()), item = look(items_, who.item_key());
  const auto at = sizes_.entry(std::max<Index>(user, 0), std::max<Index>(item, 0));
  row.clear();
  if (user >= 0 && item >= 0) row.add(at[0], 1, false);
  if (user >= 0) row.add(at[1], 1, false);
  if (item >= 0) row.add(at[2], 1, false);
  row.add(at[3], 1, false);
}

std::string RatingsEncoder::name_of(Index slot) const {
  const Index entries = sizes_.users * sizes_.items;
  if (slot < entries) return users_.name_of(slot / sizes_.items) + " × " + items_.name_of(slot % sizes_.items);
  if (slot < entries + sizes_.users) return users_.name_of(slot - entries);
  if (slot < entries + sizes_.users + sizes_.items) return items_.name_of(slot - entries - sizes_.users);
  return "(mean)";
}

void RatingsEncoder::save(ByteWriter& out) const {
  users_.save(out);
  items_.save(out);
}

void RatingsEncoder::load(ByteReader& in) {
  users_.load(in);
  items_.load(in);
}

}  // namespace tarry
