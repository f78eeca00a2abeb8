#include "tarry/data/formats/csv_header.h"

#include <fmt/format.h>

#include <unordered_set>

#include "tarry/spec/node.h"

namespace tarry::data {

std::vector<std::string> column_names(const Cells& header) {
  std::vector<std::string> names;
  std::unordered_set<std::string> used;
  for (const std::string_view cell : header) {
    std::string name(cell);
    for (int again = 2; !used.insert(name).second; ++again) name = fmt::format("{}.{}", cell, again);
    names.push_back(std::move(name));
  }
  return names;
}

CsvHeader::CsvHeader(const Cells& cells, const Place& place) : names_(column_names(cells)), place_(place) {
  for (std::size_t i = 0; i < names_.size(); ++i) places_.emplace(names_[i], i);
}

std::size_t CsvHeader::column(const std::string& name) const {
  const auto found = places_.find(name);
  if (found == places_.end())
    place_.fail(fmt::format("no column {} (columns: {})", spec::brief({name}), fmt::join(names_, ", ")));
  return found->second;
}

}  // namespace tarry::data
