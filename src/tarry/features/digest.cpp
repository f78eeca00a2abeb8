#include "tarry/features/digest.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "tarry/base/error.h"
#include "tarry/features/vocabulary.h"

namespace tarry {
namespace {

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x == 0 ? 0.0 : x); }  // −0 is 0

std::uint64_t digest_of(const NamedFeature& feature) {
  const std::uint64_t name = hash_text(feature.name);
  const auto word = [&](std::string_view value) { return FeatureKey::word(feature.name, name, value).hash; };
  if (const auto* number = std::get_if<double>(&feature.value))
    return hash_step(FeatureKey::number(feature.name, name).hash, bits(*number));
  if (const auto* flag = std::get_if<bool>(&feature.value)) return word(*flag ? "true" : "false");
  if (const auto* text = std::get_if<std::string>(&feature.value)) return word(*text);
  std::uint64_t sum = 0;
  if (const auto* list = std::get_if<std::vector<std::string>>(&feature.value)) {
    std::vector<std::string_view> words(list->begin(), list->end());
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    for (const std::string_view each : words) sum += word(each);
  }
  return sum;
}

}  // namespace

std::uint64_t digest(const NamedFeatures& features) {
  std::uint64_t sum = 0;  // a sum does not see the order
  for (const NamedFeature& feature : features) sum += digest_of(feature);
  return hash_step(hash_step(kHashStart, 4), sum);
}

std::uint64_t digest(const Covector& numbered) {
  // A repeat is looked up before anything else is checked.
  if (numbered.is_sparse() && numbered.indices().size() != numbered.values().size())
    throw Error(Code::kBadInput, fmt::format("values must have as many entries as indices ({} and {} came)",
                                             numbered.values().size(), numbered.indices().size()));
  std::uint64_t hash = hash_step(kHashStart, 5);
  numbered.each([&](Index i, double value) {
    if (value != 0) hash = hash_step(hash_step(hash, static_cast<std::uint64_t>(i)), bits(value));
  });
  return hash;
}

}  // namespace tarry
