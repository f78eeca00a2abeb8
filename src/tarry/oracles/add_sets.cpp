#include "tarry/oracles/add_sets.h"

#include <mutex>

#include "tarry/oracles/matching.h"
#include "tarry/oracles/polytope.h"
#include "tarry/sets/registry.h"

namespace tarry::oracles {

void add_sets() {
  static std::once_flag once;
  std::call_once(once, [] {
    add_set(Polytope::entry());
    add_set(Matching::entry());
  });
}

}  // namespace tarry::oracles
