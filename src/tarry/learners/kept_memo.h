// A round's memo as it comes back. One that is not the learner's own is Error{kCorrupt}.
#pragma once

#include <cstdint>
#include <string>

#include "tarry/base/error.h"
#include "tarry/ledger/round.h"

namespace tarry {

// Its number k.
inline double kept_number(const Memo& memo, std::size_t k) {
  if (k >= memo.size())
    throw Error(Code::kCorrupt, "a round's memo has " + std::to_string(memo.size()) + " numbers, and number " +
                                    std::to_string(k + 1) + " is wanted");
  return memo[k];
}

// The same where it counts something.
inline std::uint64_t kept_count(const Memo& memo, std::size_t k) {
  const double number = kept_number(memo, k);
  if (!(number >= 0 && number <= 0x1p53))
    throw Error(Code::kCorrupt, "number " + std::to_string(k + 1) + " of a round's memo must be a count");
  return static_cast<std::uint64_t>(number);
}

}  // namespace tarry
