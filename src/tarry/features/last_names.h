// The names that a row of numbers had last, in the order in which they came, and the slots that they own. Rows of one
// caller mostly have the same names in the same order, and need no search then. No part of a model's state: it only
// saves time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tarry/features/named.h"
#include "tarry/features/row.h"

namespace tarry {

class LastNames {
 public:
  // Whether the features have these names and are numbers that a row may have: `row` then is what encoding gives.
  bool fill(const NamedFeatures& features, NamesId names, Row& row) const;
  // Rows with this id need not be compared from now on: one was filled.
  void known_as(NamesId names) {
    if (names != NamesId::kUnknown) id_ = names;
  }
  // `slots`: of each feature, its own; an intercept has slot 0.
  void learn(const NamedFeatures& features, const std::vector<Index>& slots, bool intercept);
  void forget() {
    sizes_.clear();
    id_ = NamesId::kUnknown;
  }

 private:
  bool has_names_of(const NamedFeatures& features) const;

  std::string names_;  // one after the other
  std::vector<std::uint32_t> sizes_;
  std::vector<Index> indices_;  // of a row
  std::vector<std::uint8_t> number_;
  std::vector<std::uint32_t> place_;  // of each feature in a row
  NamesId id_ = NamesId::kUnknown;
};

}  // namespace tarry
