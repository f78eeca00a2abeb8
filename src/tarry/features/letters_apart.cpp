#include "tarry/features/letters_apart.h"

#include <algorithm>
#include <vector>

namespace tarry {
namespace {

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::size_t letters_apart(std::string_view a, std::string_view b, std::size_t most) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > most) return most + 1;
  // before[j], row[j]: of the first i − 1 and i letters of a, and the first j of b.
  std::vector<std::size_t> two_before(b.size() + 1), before(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_before.swap(before);
    before.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = small(a[i - 1]) == small(b[j - 1]);
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && small(a[i - 1]) == small(b[j - 2]) && small(a[i - 2]) == small(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], two_before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace tarry
