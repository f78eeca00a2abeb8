#include "tarry/model/alike_names.h"

#include <algorithm>
#include <map>

#include "tarry/features/letters_apart.h"

namespace tarry {
namespace {

constexpr std::uint64_t kWarmUp = 100;  // rounds in which every name is new
constexpr std::size_t kNames = 10'000;  // with more names nobody looks
constexpr std::size_t kShort = 4;       // letters of a name where only one may differ

// How many rounds had each name: of one with several words, those of all of them.
std::map<std::string, std::uint64_t> counted_names(const Vocabulary& vocabulary, const Standardiser& counts) {
  std::map<std::string, std::uint64_t> names;
  for (Index slot = 0; slot < vocabulary.size() && names.size() <= kNames; ++slot) {
    const auto [name, other] = vocabulary.names_at(static_cast<Slot>(slot));
    if (!name.empty() && other.empty()) names[std::string(name)] += counts.rows_with(slot);
  }
  return names;
}

}  // namespace

std::vector<AlikeName> alike_names(const Model& model, std::size_t most) {
  const AnyEncoder* encoder = model.features().encoder();
  const auto* named = encoder != nullptr ? std::get_if<Encoder>(encoder) : nullptr;
  const Standardiser* counts = model.features().standardiser();
  if (named == nullptr || counts == nullptr || counts->rows() <= kWarmUp) return {};
  const std::uint64_t rows = counts->rows();
  const auto names = counted_names(named->vocabulary(), *counts);
  if (names.size() > kNames) return {};
  std::vector<AlikeName> alike;
  for (const auto& [name, rounds] : names) {
    if (10 * rounds >= rows || alike.size() == most) continue;
    AlikeName one{.name = name, .rounds = rounds, .of = rows};
    std::size_t apart = (name.size() <= kShort ? 1 : 2) + 1;
    for (const auto& [other, often] : names) {
      if (2 * often <= rows) continue;
      const std::size_t letters = letters_apart(name, other, apart);
      if (letters >= apart) continue;
      apart = letters;
      one.like = other;
    }
    if (!one.like.empty()) alike.push_back(std::move(one));
  }
  return alike;
}

}  // namespace tarry
