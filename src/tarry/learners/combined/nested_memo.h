// A memo that holds other learners' memos, one after another, each with its length in front.
#pragma once

#include <span>

#include "tarry/base/error.h"
#include "tarry/ledger/round.h"

namespace tarry {

inline void put_memo(Memo& into, const Memo& own) {
  into.push_back(static_cast<double>(own.size()));
  into.insert(into.end(), own.begin(), own.end());
}

// Takes the first one off.
inline Memo take_memo(std::span<const double>& from) {
  if (from.empty() || !(from[0] >= 0 && from[0] <= static_cast<double>(from.size() - 1)))
    throw Error(Code::kCorrupt, "a round's memo ends before the memos inside it do");
  const auto own = from.subspan(1, static_cast<std::size_t>(from[0]));
  from = from.subspan(1 + own.size());
  return {own.begin(), own.end()};
}

}  // namespace tarry
