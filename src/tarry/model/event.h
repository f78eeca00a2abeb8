// What happens to a model: logs, simulations and services all speak in these.
#pragma once

#include <variant>

#include "tarry/ledger/round.h"
#include "tarry/linalg/covector.h"

namespace tarry {

struct Play {};  // decide the next round

struct Gradient {  // late feedback: the loss's gradient at the point played in `round`
  Round round;
  Covector gradient;
};

using Event = std::variant<Play, Gradient>;

}  // namespace tarry
