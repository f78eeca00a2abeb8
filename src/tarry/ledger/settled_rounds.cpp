#include "tarry/ledger/settled_rounds.h"

#include <utility>

#include "tarry/base/error.h"

namespace tarry {

const SettledRound* SettledRounds::find(Round round) const {
  const Kept* found = by_round_.find(round);
  return found == nullptr ? nullptr : found->get();
}

void SettledRounds::keep(Round round, SettledRound settled) {
  by_round_.set(round, std::make_shared<const SettledRound>(std::move(settled)));
  order_.set(kept_++, round);
}

void SettledRounds::replace(Round round, SettledRound settled) {
  by_round_.set(round, std::make_shared<const SettledRound>(std::move(settled)));
}

// In the order in which they will be forgotten.
void SettledRounds::save(ByteWriter& out) const {
  out.u64(order_.size());
  order_.each([&](std::uint64_t, Round round) {
    const SettledRound& x = *find(round);
    out.u64(round);
    x.context.save(out);
    out.reals(std::vector{x.learnt, x.label, x.at});
    out.u64(x.settled);
    out.reals(x.sequence ? std::vector{*x.sequence} : std::vector<double>{});
    out.reals(x.told);
    out.integers(x.parts);
  });
}

void SettledRounds::load(ByteReader& in, Round issued) {
  const auto refuse = [] { throw Error(Code::kCorrupt, "snapshot: a round with a label is impossible"); };
  *this = {};
  Round last = 0;
  for (std::uint64_t left = in.count(8 * 10); left > 0; --left) {
    const Round round = in.u64();
    SettledRound x{.context = PackedContext::load(in)};
    const auto numbers = in.finites(3);
    x.learnt = numbers[0];
    x.label = numbers[1];
    x.at = numbers[2];
    x.settled = in.u64();
    const auto sequence = in.reals();
    if (!sequence.empty()) x.sequence = sequence[0];
    x.told = in.reals();
    x.parts = in.integers();
    if (round == 0 || round > x.settled || x.settled > issued || x.settled < std::exchange(last, x.settled) ||
        sequence.size() > 1 || x.told.size() > kMostTold || (!x.parts.empty() && x.parts.size() != x.told.size()) ||
        by_round_.contains(round))
      refuse();
    keep(round, std::move(x));
  }
}

}  // namespace tarry
