// The query of POST /v1/models?from=csv: the model's name, and what it says of the table.
#pragma once

#include <string>
#include <vector>

#include "tarry/spec/value.h"

namespace tarry::service {

struct TableQuery {
  std::string name;
  spec::Value keys;  // as a stream has them: label, feedback, expiry, …
};
// Throws Refusal.
TableQuery read_table_query(const std::string& query);

// A line of TOML that answers a question, as a part of the query: label = "paid" is label=paid.
std::string as_query(const std::string& line);

}  // namespace tarry::service
