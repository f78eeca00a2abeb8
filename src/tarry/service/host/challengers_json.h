// Challengers as HTTP and the dashboard tell of them.
#pragma once

#include <string>

#include "tarry/hosting/reply.h"

namespace tarry::service {

std::string challengers_json(const hosting::ChallengerList& list);
std::string challenger_json(const hosting::ChallengerChanged& changed);

}  // namespace tarry::service
