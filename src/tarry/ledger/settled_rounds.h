// Rounds that have a label which may still be replaced by another one: what was kept of them while they waited, what
// the learner made of the label, and the label itself. They are forgotten in the order in which their labels came. A
// copy shares what both hold (base/shared_map.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "tarry/base/bytes.h"
#include "tarry/base/shared_map.h"
#include "tarry/ledger/context.h"

namespace tarry {

struct SettledRound {
  PackedContext context;                          // its memo is what the learner left there with the label
  double learnt = 0;                              // the label as it was learnt last
  double label = 0;                               // the label as the loss reads it; of a sum, the sum so far
  Round settled = 0;                              // rounds that had been played when its first label came
  double at = 0;                                  // the model's time then
  std::optional<double> sequence = std::nullopt;  // of the label
  std::vector<double> told = {};                  // labels without such a number; of a sum, its parts …
  std::vector<std::int64_t> parts = {};           // … and what identifies each part
};

inline constexpr std::size_t kMostTold = std::size_t{1} << 16;  // of one round

class SettledRounds {
 public:
  const SettledRound* find(Round round) const;  // null: it is not kept
  std::size_t size() const { return by_round_.size(); }

  void keep(Round round, SettledRound settled);
  void replace(Round round, SettledRound settled);  // of one that is kept
  // Those whose label came first go first, as long as `ended(settled)` says so; `gone(round)` is called for each.
  template <class Ended, class Gone>
  void forget(Ended ended, Gone gone) {
    for (auto first = order_.first(); first && ended(*find(*first.value)); first = order_.first()) {
      const Round round = *first.value;
      by_round_.erase(round);
      order_.erase(first.key);
      gone(round);
    }
  }
  template <class F>
  void each(F f) const {
    by_round_.each([&](Round round, const Kept& kept) { f(round, *kept); });
  }

  void save(ByteWriter& out) const;
  void load(ByteReader& in, Round issued);  // on error it must not be used further

 private:
  using Kept = std::shared_ptr<const SettledRound>;

  SharedMap<Kept> by_round_;
  SharedMap<Round> order_;  // by a number that counts them
  std::uint64_t kept_ = 0;
};

}  // namespace tarry
