#include "tarry/data/formats/csv_header.h"

#include <fmt/format.h>

#include "tarry/spec/node.h"

namespace tarry::data {

CsvHeader::CsvHeader(const Cells& cells, const Place& place) : names_(cells.begin(), cells.end()), place_(place) {
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (!places_.emplace(names_[i], i).second)
      place.fail(fmt::format("column {} comes twice", spec::brief({names_[i]})));
}

std::size_t CsvHeader::column(const std::string& name) const {
  const auto found = places_.find(name);
  if (found == places_.end())
    place_.fail(fmt::format("no column {} (columns: {})", spec::brief({name}), fmt::join(names_, ", ")));
  return found->second;
}

}  // namespace tarry::data
