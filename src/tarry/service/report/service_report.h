// A period of a service as one HTML page that loads nothing: for each model what its page of the dashboard says, from
// the history that is kept in the store (folder `watch`) and the models as the log has them. Reads only.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tarry/store/disk/disk.h"

namespace tarry::service {

struct ReportSetting {
  std::vector<std::string> models;  // names; none: all of them
  std::optional<std::int64_t> from_ms, to_ms;
  double days = 7;  // before the end, where no beginning is given
};

struct ServiceReport {
  std::string html;
  std::size_t models = 0;
  std::int64_t from_ms = 0, to_ms = 0;
};

// Throws Error{kBadInput} for a model or a period that is not there.
ServiceReport service_report(store::Disk& disk, const std::string& path, const ReportSetting& setting,
                             const std::function<void(std::uint64_t done, std::uint64_t all)>& progress);

}  // namespace tarry::service
