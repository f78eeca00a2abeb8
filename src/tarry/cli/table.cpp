#include "tarry/cli/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tarry::cli {

std::size_t shown_width(const std::string& text) {
  std::size_t shown = 0;
  for (unsigned char c : text) shown += (c & 0xC0) != 0x80;
  return shown;
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t shown = shown_width(text);
  return text + std::string(shown < width ? width - shown : 0, ' ');
}

std::string padded_left(const std::string& text, std::size_t width) {
  const std::size_t shown = shown_width(text);
  return std::string(shown < width ? width - shown : 0, ' ') + text;
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t width = shown_width(columns_[c].head);
    for (const auto& row : rows_) width = std::max(width, shown_width(row[c]));
    widths.push_back(width);
  }
  return widths;
}

std::size_t Table::fit(std::size_t width) {
  std::size_t left_out = 0;
  while (width > 0) {
    const std::vector<std::size_t> taken = widths();
    if (std::accumulate(taken.begin(), taken.end(), 2 * (taken.size() - 1)) <= width) break;
    const auto spare = std::find_if(columns_.rbegin(), columns_.rend(), [](const Column& c) { return c.spare; });
    if (spare == columns_.rend()) break;
    const auto at = std::distance(spare, columns_.rend()) - 1;
    columns_.erase(columns_.begin() + at);
    for (auto& row : rows_) row.erase(row.begin() + at);
    ++left_out;
  }
  return left_out;
}

std::string Table::text() const {
  const std::vector<std::size_t> widths = this->widths();
  std::string out;
  const auto line = [&](const auto& cell_of) {
    std::string row;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (c > 0) row += "  ";
      row += columns_[c].numeric ? padded_left(cell_of(c), widths[c]) : padded(cell_of(c), widths[c]);
    }
    while (!row.empty() && row.back() == ' ') row.pop_back();
    out += row + "\n";
  };
  line([&](std::size_t c) { return columns_[c].head; });
  line([&](std::size_t c) {
    std::string rule;
    for (std::size_t i = 0; i < widths[c]; ++i) rule += "─";
    return rule;
  });
  for (const auto& row : rows_) line([&](std::size_t c) { return row[c]; });
  return out;
}

std::string short_number(double x) {
  if (!std::isfinite(x)) return "-";
  const double size = std::fabs(x);
  if (size != 0 && (size >= 1e7 || size < 1e-4)) return fmt::format("{:.3e}", x);
  const int digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : size >= 1 ? 3 : 4;
  return fmt::format("{:.{}f}", x, digits);
}

}  // namespace tarry::cli
