// What `tarry verify` plays of delayed OFW beside its examples.
#pragma once

#include "tarry/learners/verify_rows.h"

namespace tarry {

VerifyRows delayed_ofw_rows();

}  // namespace tarry
