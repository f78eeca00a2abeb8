// When the wait for a round's feedback ends, and what then: it is dropped, or learnt as a default label.
#pragma once

#include <optional>

#include "tarry/model/event.h"
#include "tarry/spec/node.h"

namespace tarry {

struct Expiry {
  Round rounds = 0;    // given up at the play of the round that is so many later; 0: not by rounds
  double seconds = 0;  // given up by the shell, which has a clock and sends Expire; 0: not by time
  std::optional<LabelValue> then_label = std::nullopt;  // nothing: dropped

  static Expiry read(const spec::Node& node);
  spec::Value to_value() const;
  bool operator==(const Expiry&) const = default;
};

}  // namespace tarry
