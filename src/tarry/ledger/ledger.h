// The ledger of outstanding rounds: what was played and not yet answered. issued = settled + outstanding.
#pragma once

#include <optional>
#include <unordered_map>

#include "tarry/ledger/round.h"

namespace tarry {

// What became of a piece of feedback: all of these are ordinary.
enum class Answer : std::uint8_t {
  kApplied,
  kDuplicate,  // its round was answered before
  kUnknown,    // no such round was played
};

class Ledger {
 public:
  Round issue(Memo memo);
  // Takes the round off the ledger; nothing when it is not outstanding.
  std::optional<Memo> settle(Round round);
  // Why settle(round) gave nothing.
  Answer why_not(Round round) const;

  Round issued() const { return issued_; }
  std::uint64_t settled() const { return issued_ - outstanding_.size(); }
  std::size_t outstanding() const { return outstanding_.size(); }
  std::size_t most_outstanding() const { return most_outstanding_; }

  // Delays of the settled rounds, in rounds: 1 when the answer came before the next play.
  double mean_delay() const;
  std::uint64_t largest_delay() const { return largest_delay_; }

 private:
  Round issued_ = 0;
  std::unordered_map<Round, Memo> outstanding_;
  std::size_t most_outstanding_ = 0;
  double delay_sum_ = 0;
  std::uint64_t largest_delay_ = 0;
};

}  // namespace tarry
