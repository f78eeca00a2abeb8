// A round's memo as it comes back. One that is not the learner's own is Error{kCorrupt}.
#pragma once

#include <cstdint>
#include <string>

#include "tarry/base/error.h"
#include "tarry/ledger/round.h"

namespace tarry {

// Apart, so that what is asked of every memo is a few instructions.
[[noreturn, gnu::noinline]] inline void refuse_length(const Memo& memo, std::size_t k) {
  throw Error(Code::kCorrupt, "a round's memo has " + std::to_string(memo.size()) + " numbers, and number " +
                                  std::to_string(k + 1) + " is wanted");
}
[[noreturn, gnu::noinline]] inline void refuse_count(std::size_t k) {
  throw Error(Code::kCorrupt, "number " + std::to_string(k + 1) + " of a round's memo must be a count");
}

// Its number k.
inline double kept_number(const Memo& memo, std::size_t k) {
  if (k >= memo.size()) refuse_length(memo, k);
  return memo[k];
}

// The same where it counts something.
inline std::uint64_t kept_count(const Memo& memo, std::size_t k) {
  const double number = kept_number(memo, k);
  if (!(number >= 0 && number <= 0x1p53)) refuse_count(k);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(number));  // one instruction where it is signed
}

}  // namespace tarry
