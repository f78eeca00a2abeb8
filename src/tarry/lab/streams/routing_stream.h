// Travellers who ask for routes, on a built-in network or on TNTP files.
#pragma once

#include "tarry/lab/streams/stream.h"

namespace tarry::lab {

StreamEntry routing_entry();

// The trips of a network's file, where its name follows TNTP's custom: X_net.tntp has X_trips.tntp beside it; "" where
// it does not.
std::string tntp_beside(const std::string& network_path, const std::string& kind);

}  // namespace tarry::lab
