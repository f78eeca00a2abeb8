// The specification of named features: {"capacity": 262144, "intercept": true, "products": [["city", "hour"]],
// "most_pairs": 1000}, every key optional.
#pragma once

#include <vector>

#include "tarry/features/interactions.h"
#include "tarry/spec/node.h"

namespace tarry {

struct FeatureSpec {
  Index capacity = 262144;  // slots, the intercept's included
  bool intercept = true;
  Interactions interactions;

  bool operator==(const FeatureSpec&) const = default;

  static std::vector<spec::Key> keys();
  static FeatureSpec read(const spec::Node& node);
  // With every default written out; equal specifications give equal text.
  spec::Value to_value() const;
};

// A specification of features to which a model's key `products` adds products by name.
spec::Value with_products(const spec::Value& features, const spec::Node& products);

}  // namespace tarry
