#include "tarry/ledger/ledger.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "tarry/base/contract.h"
#include "tarry/base/error.h"

namespace tarry {
namespace {

constexpr std::uint64_t kBegan = std::uint64_t{1} << 62;    // beside a count of rounds: another one follows
constexpr std::uint64_t kTracked = std::uint64_t{1} << 61;  // what is tracked is at the end

// Rounds that answers parted from each other; beyond so many, the older half is forgotten.
constexpr std::size_t kMostIntervals = std::size_t{1} << 16;

bool is_small(const Context& context) {
  return std::max({context.values.size(), context.scores.size(), context.memo.size()}) <= kKeptNumbers;
}

}  // namespace

void Ledger::begin_after(Round before) {
  ensure(issued_ == 0 && before <= kLastRound, "a ledger begins once");
  before_ = issued_ = before;
  oldest_ = before + 1;
}

void Ledger::track(const Tracked& asked) {
  ensure(outstanding() == 0, "a ledger tracks from its first round on");
  tracking_ = Tracking(asked);
}

Round Ledger::issue(const Context& context, Version version) {
  ensure(issued_ < kLastRound, "there is another round to issue");
  pack_newest();
  const auto waiting = static_cast<double>(outstanding_.size());
  if (!version && !tracked().any() && is_small(context)) {
    newest_context_ = context;
    newest_ = issued_ + 1;
  } else {
    outstanding_.set(issued_ + 1, PackedContext(context));  // before anything else changes: it may be refused
  }
  ++issued_;
  delays_.sum_outstanding += waiting;
  if (version) versions_.set(issued_, std::move(version));
  delays_.most_outstanding = std::max<std::uint64_t>(delays_.most_outstanding, outstanding());
  check_balance();
  return issued_;
}

void Ledger::pack_newest() {
  if (newest_ == 0) return;
  outstanding_.set(newest_, PackedContext(newest_context_));
  newest_ = 0;
}

Round Ledger::issue_answered() {
  ensure(issued_ < kLastRound && !tracked().any(), "there is another round to issue, and all are kept");
  const std::size_t waiting = outstanding();
  ++issued_;
  if (waiting == 0) oldest_ = issued_ + 1;
  delays_.sum_outstanding += static_cast<double>(waiting);
  delays_.most_outstanding = std::max<std::uint64_t>(delays_.most_outstanding, waiting + 1);
  return issued_;
}

void Ledger::settle_answered() {
  delays_.add(1);
  check_balance();
}

void Ledger::keep_answered(const Context& context) {
  pack_newest();
  if (outstanding_.empty()) oldest_ = issued_;
  outstanding_.set(issued_, PackedContext(context));
  check_balance();
}

void Ledger::check_balance() const {
  ensure(delays_.answered + outstanding() + expired() + voided() + untracked() == own(issued_),
         "issued = settled + outstanding + expired + voided + untracked");
  ensure(oldest_ <= issued_ + 1, "the oldest round that waits was issued");
}

std::optional<Ledger::Settled> Ledger::peek(Round round) const {
  std::optional<Settled> settled(std::in_place);
  if (!peek(round, *settled)) settled.reset();
  return settled;
}

bool Ledger::peek(Round round, Settled& into) const {
  if (is_newest(round)) {
    into.context = newest_context_;
  } else {
    const PackedContext* context = outstanding_.find(round);
    if (context == nullptr) return false;
    context->unpack(into.context);
  }
  const Version* version = versions_.find(round);
  into.version = version == nullptr ? nullptr : *version;
  into.delay = issued_ - round + 1;
  into.chance = tracking_.chance(round);
  return true;
}

const PackedContext* Ledger::find(Round round) {
  if (is_newest(round)) pack_newest();
  return outstanding_.find(round);
}

void Ledger::keep_memo(Round round, Memo memo) {
  const PackedContext* waiting = find(round);
  ensure(waiting != nullptr, "a round whose memo changes is waiting");
  Context context = waiting->unpack();
  context.memo = std::move(memo);
  outstanding_.set(round, PackedContext(context));
}

std::optional<Ledger::Settled> Ledger::take(Round round) {
  auto settled = peek(round);
  if (settled) remove(round);
  return settled;
}

void Ledger::remove(Round round) {
  ensure(round >= oldest_ && round <= issued_, "a round that is taken off the ledger was on it");
  if (is_newest(round))
    newest_ = 0;
  else
    outstanding_.erase(round);
  versions_.erase(round);
  tracking_.remove(round);
  if (round != oldest_) return;
  const auto next = outstanding_.first();
  oldest_ = next ? next.key : newest_ != 0 ? newest_ : issued_ + 1;
}

void Ledger::settle_peeked(Round round, const Settled& peeked) {
  ensure(is_outstanding(round), "a round that was peeked at still waits when it is settled");
  remove(round);
  delays_.add(peeked.delay);
  check_balance();
}

std::optional<Ledger::Settled> Ledger::settle(Round round) {
  auto settled = take(round);
  if (settled) delays_.add(settled->delay);
  check_balance();
  return settled;
}

std::optional<Ledger::Settled> Ledger::expire(Round round) {
  auto settled = take(round);
  if (settled) expired_.insert(round);
  check_balance();
  return settled;
}

std::optional<Ledger::Settled> Ledger::declare_void(Round round) {
  auto settled = take(round);
  if (settled) voided_.insert(round);
  check_balance();
  return settled;
}

void Ledger::untrack(Round round) {
  remove(round);
  untracked_.insert(round);
  check_balance();
  if (untracked_.intervals() > kMostIntervals) forget_old();
}

void Ledger::forget_old() {
  const Round from = untracked_.beginning(kMostIntervals / 2);
  for (RoundSet* each : {&expired_, &voided_, &untracked_}) each->forget_before(from);
  forgotten_ = from - 1;
}

Answer Ledger::why_not(Round round) const {
  if (round == 0 || round > issued_) return Answer::kUnknown;
  if (is_untracked(round)) return Answer::kUntracked;
  return expired_.contains(round) || voided_.contains(round) ? Answer::kExpired : Answer::kDuplicate;
}

std::vector<Round> Ledger::waiting(std::size_t most) const {
  std::vector<Round> rounds;
  rounds.reserve(std::min<std::size_t>(most, outstanding()));
  if (most == 0) return rounds;
  each_waiting_while([&](Round round, const PackedContext&) {
    rounds.push_back(round);
    return rounds.size() < most;
  });
  return rounds;
}

Version Ledger::newest_version() const { return versions_.empty() ? nullptr : *versions_.last().value; }

// Decisions are written once, with the first round that shares them.
void Ledger::save(ByteWriter& out) const {
  out.u64(issued_ | (before_ > 0 ? kBegan : 0) | (tracked().any() ? kTracked : 0));
  if (before_ > 0) out.u64(before_);
  expired_.save(out);
  voided_.save(out);
  delays_.save(out);
  out.u64(outstanding());
  std::unordered_map<const void*, std::uint64_t> written;  // decision → its number, from 1
  each_waiting([&](Round round, const PackedContext& context) {
    out.u64(round);
    context.save(out);
    const Version* version = versions_.find(round);
    if (version == nullptr) return out.u64(0);
    const auto [at, is_new] = written.emplace(version->get(), written.size() + 1);
    out.u64(at->second);
    if (is_new) out.reals(**version);
  });
  if (tracked().any()) save_tracking(out);
}

void Ledger::save_tracking(ByteWriter& out) const {
  out.u64(forgotten_);
  for (const RoundSet* each : {&expired_, &voided_, &untracked_}) out.u64(each->forgotten());
  untracked_.save(out);
  tracking_.save(out);
}

void Ledger::load_tracking(ByteReader& in) {
  std::array<std::uint64_t, 4> counts{};
  for (std::uint64_t& each : counts)
    if (each = in.u64(); each > issued_)
      throw Error(Code::kCorrupt, "snapshot: more rounds are closed than were played");
  forgotten_ = counts[0];
  expired_.count_forgotten(counts[1]);
  voided_.count_forgotten(counts[2]);
  untracked_.load(in, issued_);
  untracked_.count_forgotten(counts[3]);
  tracking_.load(in);
}

void Ledger::load(ByteReader& in) {
  const auto refuse = [] { throw Error(Code::kCorrupt, "snapshot: outstanding rounds are out of order"); };
  const Tracked asked = tracked();
  *this = {};
  tracking_ = Tracking(asked);
  issued_ = in.u64();
  const bool tracks = (issued_ & kTracked) != 0;
  issued_ &= ~kTracked;
  if (tracks != asked.any()) refuse();
  if ((issued_ & kBegan) != 0) {
    issued_ &= ~kBegan;
    before_ = in.u64();
    if (before_ == 0 || before_ > issued_) refuse();
  }
  if (issued_ > kLastRound) refuse();
  expired_.load(in, issued_);
  voided_.load(in, issued_);
  if (expired_.meets(voided_)) refuse();
  delays_.load(in);
  std::vector<Version> known;
  Round before = before_;
  std::optional<Round> first;
  for (std::uint64_t left = in.count(8 + 8 + 8); left > 0; --left) {
    const Round round = in.u64();
    if (round <= before || round > issued_ || expired_.contains(round) || voided_.contains(round)) refuse();
    before = round;
    if (!first) first = round;
    outstanding_.set(round, PackedContext::load(in));
    const std::uint64_t version = in.u64();
    if (version == 0) continue;
    if (version > known.size() + 1) refuse();
    if (version == known.size() + 1) known.push_back(std::make_shared<const std::vector<double>>(in.reals()));
    versions_.set(round, known[version - 1]);
  }
  if (tracks) load_tracking(in);
  bool fits = forgotten_ <= issued_ && (!tracks || tracking_.size() == outstanding_.size());
  if (tracks)
    outstanding_.each([&](Round round, const PackedContext&) {
      fits = fits && tracking_.keeps(round) && !untracked_.contains(round);
    });
  if (!fits || untracked_.meets(expired_) || untracked_.meets(voided_)) refuse();
  if (outstanding() + expired() + voided() + untracked() + delays_.answered != own(issued_)) refuse();
  oldest_ = first.value_or(issued_ + 1);
}

std::uint64_t Ledger::largest_delay_so_far() const {
  const std::uint64_t waiting = outstanding() == 0 ? 0 : issued_ - oldest_ + 1;
  return std::max<std::uint64_t>({1, delays_.largest, waiting});
}

}  // namespace tarry
