// Test programs check what takes a pass over a vector, too (base/contract.h).
#include "tarry/base/contract.h"

namespace {

[[maybe_unused]] const bool kThorough = tarry::contract::thorough = true;

}  // namespace
