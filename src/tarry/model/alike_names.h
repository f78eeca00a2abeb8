// Names of features that look like typing errors, in a model that was saved: for `tarry explain`.
//
// A model knows the order in which names came and how many rounds had each, not in which round one came first: that
// would cost every name eight bytes for the service's sake alone, which watches names as they come (service/watch).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tarry/model/model.h"

namespace tarry {

struct AlikeName {
  std::string name;          // that few rounds had,
  std::string like = {};     // a letter or two from one that most have
  std::uint64_t rounds = 0;  // that had the name,
  std::uint64_t of = 0;      // of so many
};

// Those in less than a tenth of the rounds, beside a name in more than half of them; at most `most`. Empty where
// nothing has counted rounds (features that are not standardised), and within the first 100.
std::vector<AlikeName> alike_names(const Model& model, std::size_t most);

}  // namespace tarry
