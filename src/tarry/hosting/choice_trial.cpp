#include "tarry/hosting/choice_trial.h"

#include <cstddef>
#include <vector>

#include "tarry/base/contract.h"
#include "tarry/base/error.h"

namespace tarry::hosting {

void ChoiceTrial::played(Round round, const Choice& champion, const Choice& challenger) {
  const std::vector<RankedAction>&own = champion.ranking, &other = challenger.ranking;
  ensure(own.size() == other.size(), "a challenger ranks the actions of its champion");
  std::vector<evaluation::ActionStakes> actions(own.size());
  std::size_t taken = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    actions[i] = {.first = own[i].probability, .second = other[i].probability, .predicted = own[i].reward};
    if (own[i].id == champion.action) taken = i;
  }
  waiting_.set(round, {.stakes = evaluation::stakes_of(actions, taken), .action = crc32c(champion.action)});
}

void ChoiceTrial::rewarded(Round round, double reward, const std::optional<ShownLater>& shown) {
  const Waiting* known = waiting_.find(round);
  if (known == nullptr || known->told) return;
  Waiting told = *known;
  told.told = true;
  told.known = !shown || crc32c(shown->action.id) == told.action;
  if (told.known) told.reward = reward;
  waiting_.set(round, told);
  ++rewarded_;
}

bool ChoiceTrial::has_reward(Round round) const {
  const Waiting* known = waiting_.find(round);
  return known != nullptr && known->told;
}

bool ChoiceTrial::end(Round round) {
  const auto over = waiting_.take(round);
  if (!over) return false;
  difference_.add(over->stakes, over->known ? std::optional(over->reward) : std::nullopt);
  rewarded_ -= over->told ? 1 : 0;
  return true;
}

void ChoiceTrial::save(ByteWriter& out) const {
  out.u64(waiting_.size());
  waiting_.each([&](Round round, const Waiting& one) {
    out.u64(round);
    out.u64(one.action | std::uint64_t{one.told} << 32 | std::uint64_t{one.known} << 33);
    for (const double x : {one.stakes.weight, one.stakes.taken, one.stakes.ahead, one.stakes.least, one.stakes.most,
                           one.stakes.beyond, one.reward})
      out.f64(x);
  });
  difference_.save(out);
}

void ChoiceTrial::load(ByteReader& in) {
  const auto refuse = [] { throw Error(Code::kCorrupt, "snapshot: the choices of a trial are impossible"); };
  Round last = 0;
  for (std::uint64_t left = in.count(72); left > 0; --left) {
    const Round round = in.u64();
    if (round <= last || round > kLastRound) refuse();
    last = round;
    const std::uint64_t about = in.u64();
    Waiting one{
        .action = static_cast<std::uint32_t>(about), .told = (about >> 32 & 1) != 0, .known = (about >> 33 & 1) != 0};
    for (double* x : {&one.stakes.weight, &one.stakes.taken, &one.stakes.ahead, &one.stakes.least, &one.stakes.most,
                      &one.stakes.beyond, &one.reward})
      *x = in.f64();
    const bool rewarded = one.reward >= 0 && one.reward <= 1;
    if (about >> 34 != 0 || !one.stakes.is_sound() || !rewarded || (one.known && !one.told)) refuse();
    rewarded_ += one.told ? 1 : 0;
    waiting_.set(round, one);
  }
  difference_.load(in);
}

}  // namespace tarry::hosting
