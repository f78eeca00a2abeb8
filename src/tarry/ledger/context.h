// What is kept of an outstanding round, and its packed form: one small block a round, never a copy of the decision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tarry/ledger/round.h"

namespace tarry {

// What is shown of a prediction ⟨features, x⟩: centre + scale · it, in the labels' units.
struct Link {
  double centre = 0, scale = 1;

  double operator()(double prediction) const { return centre + scale * prediction; }
  bool operator==(const Link&) const = default;
};

struct Context {
  bool has_features = false;
  bool sparse = false;  // then `indices` go with `values`
  std::vector<std::int64_t> indices;
  std::vector<double> values;
  double prediction = 0;
  Link link;
  Memo memo;
};

// All of a Context in one allocation: 16 bytes, and 8 for each number (the link only where it says something).
class PackedContext {
 public:
  explicit PackedContext(const Context& context);
  Context unpack() const;

 private:
  std::unique_ptr<std::byte[]> bytes_;
};

}  // namespace tarry
