// A wait as people say it.
#pragma once

#include <string>

namespace tarry::service {

std::string wait_words(double ms);  // 3.2 hours

}  // namespace tarry::service
