// Test programs know every set: those of tarry_oracles join the registry before main.
#include "tarry/oracles/add_sets.h"

namespace {

[[maybe_unused]] const bool kAdded = [] {
  tarry::oracles::add_sets();
  return true;
}();

}  // namespace
