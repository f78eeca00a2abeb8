#include "tarry/ledger/ledger.h"

#include <algorithm>
#include <utility>

namespace tarry {

Round Ledger::issue(const Context& context, Version version) {
  PackedContext packed(context);  // first of all: it may be refused
  const auto waiting = static_cast<double>(outstanding_.size());
  outstanding_.emplace(issued_ + 1, std::move(packed));
  ++issued_;
  delays_.sum_outstanding += waiting;
  if (version) versions_.emplace(issued_, std::move(version));
  delays_.most_outstanding = std::max<std::uint64_t>(delays_.most_outstanding, outstanding_.size());
  return issued_;
}

std::optional<Ledger::Settled> Ledger::peek(Round round) const {
  const auto entry = outstanding_.find(round);
  if (entry == outstanding_.end()) return std::nullopt;
  const auto version = versions_.find(round);
  return Settled{entry->second.unpack(), version == versions_.end() ? nullptr : version->second, issued_ - round + 1};
}

std::optional<Ledger::Settled> Ledger::take(Round round) {
  auto settled = peek(round);
  if (settled) remove(round);
  return settled;
}

void Ledger::remove(Round round) {
  outstanding_.erase(round);
  versions_.erase(round);
  while (oldest_ <= issued_ && !outstanding_.contains(oldest_)) ++oldest_;
}

void Ledger::settle_peeked(Round round, const Settled& peeked) {
  remove(round);
  delays_.add(peeked.delay);
}

std::optional<Ledger::Settled> Ledger::settle(Round round) {
  auto settled = take(round);
  if (settled) delays_.add(settled->delay);
  return settled;
}

std::optional<Ledger::Settled> Ledger::expire(Round round) {
  auto settled = take(round);
  if (settled) expired_.insert(round);
  return settled;
}

Answer Ledger::why_not(Round round) const {
  if (round == 0 || round > issued_) return Answer::kUnknown;
  return expired_.contains(round) ? Answer::kExpired : Answer::kDuplicate;
}

std::uint64_t Ledger::largest_delay_so_far() const {
  const std::uint64_t waiting = outstanding_.empty() ? 0 : issued_ - oldest_ + 1;
  return std::max<std::uint64_t>({1, delays_.largest, waiting});
}

}  // namespace tarry
