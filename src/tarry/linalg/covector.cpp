#include "tarry/linalg/covector.h"

#include <algorithm>

namespace tarry {

Covector Covector::slice(Index begin, Index end) const {
  const auto length = static_cast<std::size_t>(end - begin);
  if (!sparse_) return dense(values_.subspan(static_cast<std::size_t>(begin), length));
  const auto first = std::lower_bound(indices_.begin(), indices_.end(), begin + offset_) - indices_.begin();
  const auto last = std::lower_bound(indices_.begin(), indices_.end(), end + offset_) - indices_.begin();
  const auto at = static_cast<std::size_t>(first), count = static_cast<std::size_t>(last - first);
  Covector part = sparse(indices_.subspan(at, count), values_.subspan(at, count));
  part.offset_ = offset_ + begin;
  return part;
}

}  // namespace tarry
