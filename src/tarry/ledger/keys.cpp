#include "tarry/ledger/keys.h"

#include <algorithm>
#include <utility>

#include "tarry/base/contract.h"
#include "tarry/base/error.h"

namespace tarry {

const KeyedRound* Keys::find(const std::string& key) const {
  const auto found = by_key_.find(std::string_view(key));
  return found == by_key_.end() ? nullptr : &(*found)->round;
}

const std::string* Keys::key_of(Round outstanding) const {
  const KnownKeyPointer* found = lists_.open.find(outstanding);
  return found == nullptr ? nullptr : &(*found)->key;
}

void Keys::open(const std::string& key, KeyedRound round) {
  const Round number = round.round;
  auto known = std::make_shared<const KnownKey>(KnownKey{key, std::move(round)});
  ensure(by_key_.insert(known).second, "a key that is opened was not known");
  lists_.open.set(number, std::move(known));
  ensure(by_key_.size() == lists_.open.size() + lists_.closed.size(), "every key is open or closed, and known");
}

void Keys::close(Round round) {
  if (auto known = lists_.open.take(round)) remember_closed(std::move(*known));
}

void Keys::remember_closed(KnownKeyPointer known) {
  lists_.closed.set(closings_++, std::move(known));
  if (lists_.closed.size() <= remembered_) return;
  const auto oldest = lists_.closed.first();
  ensure(by_key_.erase(*oldest.value) == 1, "a key that is forgotten was known");
  lists_.closed.erase(oldest.key);
}

void KeyLists::save(ByteWriter& out) const {
  for (const auto* list : {&open, &closed}) {
    out.u64(list->size());
    list->each([&](std::uint64_t, const KnownKeyPointer& known) {
      out.text(known->key);
      out.u64(known->round.round);
      out.u64(known->round.digest);
      out.f64(known->round.prediction);
      out.reals(known->round.scores);
    });
  }
}

void Keys::load(ByteReader& in, Round issued) {
  const auto refuse = [] {
    throw Error(Code::kCorrupt, "snapshot: a key is there twice, or for a round that was not played");
  };
  *this = Keys(remembered_);
  for (const bool outstanding : {true, false}) {
    for (std::uint64_t left = in.count(5 * 8); left > 0; --left) {
      std::string key = in.text();
      auto known =
          std::make_shared<const KnownKey>(KnownKey{std::move(key), {in.u64(), in.u64(), in.f64(), in.reals()}});
      const KeyedRound& x = known->round;
      if (x.round == 0 || x.round > issued || known->key.empty() || known->key.size() > kLongestKey ||
          !by_key_.insert(known).second)
        refuse();
      if (outstanding ? lists_.open.contains(x.round) : lists_.closed.size() >= remembered_) refuse();
      if (outstanding)
        lists_.open.set(x.round, known);
      else
        remember_closed(std::move(known));
    }
  }
}

bool Keys::fit(const std::function<bool(Round)>& waits, const std::function<bool(const KeyedRound&)>& answered) const {
  return std::all_of(by_key_.begin(), by_key_.end(), [&](const KnownKeyPointer& known) {
    const KeyedRound& x = known->round;
    return answered(x) && lists_.open.contains(x.round) == waits(x.round);
  });
}

}  // namespace tarry
