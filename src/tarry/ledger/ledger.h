// The ledger of outstanding rounds. Feedback that comes out of order, twice, for no round or too late is ordinary, and
// answered by a value:  issued − before = settled + outstanding + expired + voided + untracked. A copy shares what both
// hold, and is made in no time: it stays as it is, for another thread to save (base/shared_map.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "tarry/base/shared_map.h"
#include "tarry/ledger/context.h"
#include "tarry/ledger/delay_counts.h"
#include "tarry/ledger/round_set.h"
#include "tarry/ledger/tracking.h"

namespace tarry {

// What became of a piece of feedback.
enum class Answer : std::uint8_t {
  kApplied,
  kDuplicate,  // its round was answered before
  kUnknown,    // no such round was played
  kExpired,    // its round was given up, or declared void
  kConflict,   // its round received different feedback before
  kUntracked,  // its round was not kept: there are more than the model tracks
};

// A decision shared by all the rounds that played it.
using Version = std::shared_ptr<const std::vector<double>>;

// It owns the contexts, and shares decisions with the rounds that played them: a Version lives until the last of those
// rounds is off the ledger and every copy of the ledger is gone. Pointers that find() gives are good until the next
// call that changes the ledger. The newest round is kept as it came until the next one is issued: most labels that come
// at once then cost no packing.
class Ledger {
 public:
  // Of a history that is under way: the rounds up to `before` are another ledger's. Only one that is empty can begin
  // so.
  void begin_after(Round before);
  Round before() const { return before_; }
  // At most so many rounds wait at once (tracking.h). Only one that is empty can begin so.
  void track(const Tracked& asked);
  const Tracked& tracked() const { return tracking_.asked(); }
  // A round as it is counted since then: 1, 2, 3 …
  Round own(Round round) const { return round - before_; }

  // `version` where the round's features are not known yet, so that its decision will be needed again.
  Round issue(const Context& context, Version version = nullptr);

  // The same for a round whose answer is at hand: it is counted, and never put on the ledger. Next comes
  // `settle_answered`, or `keep_answered`, after which it waits like any other. Not for a ledger that tracks.
  Round issue_answered();
  void settle_answered();
  void keep_answered(const Context& context);

  struct Settled {
    Context context = {};
    Version version = nullptr;
    std::uint64_t delay = 0;
    double chance = 1;  // with which it was kept until now
  };
  // What settle would give, leaving the round outstanding.
  std::optional<Settled> peek(Round round) const;
  bool peek(Round round, Settled& into) const;  // into memory that is there; whether it waits
  // The round where it waits; nullptr when it does not.
  const PackedContext* find(Round round);
  // Another memo for a round that waits.
  void keep_memo(Round round, Memo memo);
  // Takes an answered round off the ledger; nothing when it is not outstanding.
  std::optional<Settled> settle(Round round);
  // The same for a round that was peeked at, whose contents are in hand.
  void settle_peeked(Round round, const Settled& peeked);
  // Takes off a round whose answer will never come, or one whose decision was never used.
  std::optional<Settled> expire(Round round);
  std::optional<Settled> declare_void(Round round);
  // The rounds that must go, now that the newest was issued, oldest first; each is to be taken off by untrack.
  std::vector<Round> beyond_tracked() { return tracking_.add(issued_); }
  void untrack(Round round);
  // Why settle, expire or declare_void gave nothing.
  Answer why_not(Round round) const;

  Round issued() const { return issued_; }
  std::uint64_t outstanding() const { return outstanding_.size() + (newest_ != 0 ? 1 : 0); }
  std::uint64_t expired() const { return expired_.size(); }
  std::uint64_t voided() const { return voided_.size(); }
  std::uint64_t untracked() const { return untracked_.size(); }
  std::uint64_t settled() const { return own(issued_) - outstanding() - expired() - voided() - untracked(); }
  bool is_outstanding(Round round) const { return is_newest(round) || outstanding_.contains(round); }
  bool is_settled(Round round) const {  // answered, neither given up nor void
    return round > before_ && round <= issued_ && !is_outstanding(round) && !expired_.contains(round) &&
           !voided_.contains(round) && !untracked_.contains(round);
  }
  bool is_untracked(Round round) const { return untracked_.contains(round) || (round > 0 && round <= forgotten_); }
  // The rounds that wait, oldest first; at most `most` of them.
  std::vector<Round> waiting(std::size_t most = SIZE_MAX) const;
  // Calls f(round, context) for each of them, oldest first.
  template <class F>
  void each_waiting(F f) const {
    each_waiting_while([&](Round round, const PackedContext& context) {
      f(round, context);
      return true;
    });
  }
  // The round that has waited longest; issued() + 1 when none waits.
  Round oldest_outstanding() const { return oldest_; }
  const DelayCounts& delays() const { return delays_; }
  // The largest delay if every outstanding round were answered now; at least 1.
  std::uint64_t largest_delay_so_far() const;

  void save(ByteWriter& out) const;
  void load(ByteReader& in);  // on error it must not be used further
  // The decision that the newest waiting round shares, where it has one: a round that plays it again shares it too.
  Version newest_version() const;

 private:
  template <class F>
  void each_waiting_while(F f) const {  // until it says false
    bool more = true;
    outstanding_.each_while([&](Round round, const PackedContext& context) { return more = f(round, context); });
    if (more && newest_ != 0) f(newest_, PackedContext(newest_context_));
  }
  bool is_newest(Round round) const { return round == newest_ && round != 0; }
  void pack_newest();
  std::optional<Settled> take(Round round);
  void remove(Round round);
  void check_balance() const;
  void forget_old();
  void save_tracking(ByteWriter& out) const;
  void load_tracking(ByteReader& in);

  Round before_ = 0;
  Round issued_ = 0;
  Round oldest_ = 1;
  SharedMap<PackedContext> outstanding_;
  // A round that waits as well, later than those, and its context: small, and without a version. 0: there is none.
  Round newest_ = 0;
  Context newest_context_;
  SharedMap<Version> versions_;
  RoundSet expired_, voided_, untracked_;
  Round forgotten_ = 0;  // of closed rounds up to here it is not known why they were
  Tracking tracking_;
  DelayCounts delays_;
};

}  // namespace tarry
