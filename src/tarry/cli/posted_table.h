// A table that came over HTTP: read and played as `tarry run` does it.
#pragma once

#include <atomic>
#include <string_view>

#include "tarry/service/table_models.h"

namespace tarry::cli {

service::TableRead read_posted_table(std::string_view table, const spec::Value& keys, const std::atomic<bool>& stop);

}  // namespace tarry::cli
