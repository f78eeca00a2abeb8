// Rounds, and what travels with them from play to feedback.
#pragma once

#include <cstdint>
#include <vector>

namespace tarry {

using Round = std::uint64_t;  // from 1
inline constexpr Round kLastRound = Round{1} << 53;

// Numbers that a learner wants back with a round's feedback: the ledger keeps them while the round is outstanding.
using Memo = std::vector<double>;

}  // namespace tarry
