#include "tarry/spec/nearest.h"

#include <algorithm>
#include <vector>

namespace tarry::spec {
namespace {

// How many letters must be put in, taken out, replaced or swapped with their neighbour to make one word the other.
std::size_t slips(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> d((a.size() + 1) * width);
  for (std::size_t i = 0; i <= a.size(); ++i) d[i * width] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t at = i * width + j;
      const bool same = a[i - 1] == b[j - 1];
      d[at] = std::min({d[at - width] + 1, d[at - 1] + 1, d[at - width - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[at] = std::min(d[at], d[at - 2 * width - 2] + 1);
    }
  return d.back();
}

}  // namespace

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
  constexpr std::size_t kLongest = 64;  // nobody types more, and the table stays small
  if (word.size() > kLongest) return {};
  const std::string* best = nullptr;
  std::size_t fewest = std::min<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : known) {
    if (candidate.size() > kLongest) continue;
    if (const std::size_t count = slips(word, candidate); count < fewest) {
      fewest = count;
      best = &candidate;
    }
  }
  return best == nullptr ? std::string() : "; did you mean " + *best + "?";
}

}  // namespace tarry::spec
