// The query of an address: ?key=visit-7&explain=1
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tarry::service {

// Its keys and values in their order, with %41 and + as they are meant. Throws Refusal{400, bad_query}.
std::vector<std::pair<std::string, std::string>> read_query(std::string_view query);

}  // namespace tarry::service
