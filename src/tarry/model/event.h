// What happens to a model: logs, simulations and services all speak in these. Spans belong to the caller.
#pragma once

#include <optional>
#include <variant>

#include "tarry/ledger/round.h"
#include "tarry/linalg/covector.h"

namespace tarry {

struct Play {  // decide the next round; with features, predict
  std::optional<Covector> features = std::nullopt;
};

struct Gradient {  // late feedback: the loss's gradient at the point played in `round`
  Round round;
  Covector gradient;
};

struct Label {  // late feedback through the model's loss
  Round round;
  double label = 0;
  std::optional<Covector> features = std::nullopt;  // where they were not known at play
};

struct Expire {  // the feedback for `round` will never come
  Round round;
};

using Event = std::variant<Play, Gradient, Label, Expire>;

}  // namespace tarry
