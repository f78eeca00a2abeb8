#include "tarry/ledger/ledger.h"

#include <algorithm>
#include <utility>

namespace tarry {

Round Ledger::issue(Memo memo) {
  outstanding_.emplace(++issued_, std::move(memo));
  most_outstanding_ = std::max(most_outstanding_, outstanding_.size());
  return issued_;
}

std::optional<Memo> Ledger::settle(Round round) {
  auto entry = outstanding_.extract(round);
  if (entry.empty()) return std::nullopt;
  const std::uint64_t delay = issued_ - round + 1;
  delay_sum_ += static_cast<double>(delay);
  largest_delay_ = std::max(largest_delay_, delay);
  return std::move(entry.mapped());
}

Answer Ledger::why_not(Round round) const {
  return round == 0 || round > issued_ ? Answer::kUnknown : Answer::kDuplicate;
}

double Ledger::mean_delay() const { return settled() == 0 ? 0 : delay_sum_ / static_cast<double>(settled()); }

}  // namespace tarry
