// Products by name: which features of a row are multiplied, pairs of names or all pairs of different names. (Products
// of all of a row's first features, which a learner weighs by itself: products.h.)
//
// A product has a value where both its features are in the row; one of numbers alone is a number, missing where either
// is; one with a word is 0 where that word is not, as words are. Products come in the order of names, then of words,
// and those past the first `most` of a row are left out.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tarry/linalg/covector.h"
#include "tarry/spec/node.h"

namespace tarry {

struct Interactions {
  bool all = false;                                        // every pair of different names
  std::vector<std::pair<std::string, std::string>> pairs;  // otherwise these: in ascending order, as each pair is
  Index most = 1000;                                       // products of a row

  bool any() const { return all || !pairs.empty(); }
  bool operator==(const Interactions&) const = default;

  // `products`, "pairs" or a list of pairs, and `most_pairs` of a specification of features. `interactions` is the
  // key's earlier name, and the one under which specifications are kept: the hashes of models are made of it.
  static Interactions read(const spec::Node& node);
  spec::Value to_value() const;
};

inline constexpr const char* kProductsByName = "\"pairs\" or an array of pairs of names";

// The parts of a row that stand under one name: [begin, end) of an array of the caller's.
struct PartsOfName {
  std::string_view name;
  std::size_t begin, end;
};

// Calls f(i, j) for the parts of each product, i under the smaller name; `names` ascending. Returns false where
// products were left out.
template <class F>
bool each_product(const Interactions& interactions, std::span<const PartsOfName> names, F f) {
  Index left = interactions.most;
  const auto multiply = [&](const PartsOfName& a, const PartsOfName& b) {
    for (std::size_t i = a.begin; i < a.end; ++i)
      for (std::size_t j = b.begin; j < b.end; ++j) {
        if (left-- == 0) return false;
        f(i, j);
      }
    return true;
  };
  if (interactions.all) {
    for (std::size_t a = 0; a < names.size(); ++a)
      for (std::size_t b = a + 1; b < names.size(); ++b)
        if (!multiply(names[a], names[b])) return false;
    return true;
  }
  const auto find = [&](std::string_view name) {
    const auto at = std::lower_bound(names.begin(), names.end(), name,
                                     [](const PartsOfName& x, std::string_view y) { return x.name < y; });
    return at != names.end() && at->name == name ? &*at : nullptr;
  };
  for (const auto& [first, second] : interactions.pairs) {
    const PartsOfName *a = find(first), *b = find(second);
    if (a != nullptr && b != nullptr && !multiply(*a, *b)) return false;
  }
  return true;
}

}  // namespace tarry
