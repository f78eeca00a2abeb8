// The members of a hedge that move targets: of rounds that stay open, and of labels that are corrected. For hedge.cpp.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"
#include "tarry/learners/combined/hedge.h"
#include "tarry/learners/combined/loss_weights.h"

namespace tarry {

// ---- rounds that stay open

// A memo that was changed in a snapshot is noticed when its label comes; until then its target stays where it is.
template <HedgeBases Bases, class Weights>
bool Hedge<Bases, Weights>::may_move(const Memo& memo, const KnownLoss& loss) const {
  const std::size_t n = bases_.size(), k = loss.outputs();
  if (memo.size() < 2 + k * (1 + n) || memo[0] != static_cast<double>(k)) return false;
  const std::size_t played = played_size(memo);
  if constexpr (KnowsWaiting<Weights>) {
    if (memo.size() == played + Weights::says_size(loss.loss) + n * k) return true;
  }
  return memo.size() == played;
}

// What was said when the target moved last, and what the bases have learnt by it.
template <HedgeBases Bases, class Weights>
std::optional<typename Hedge<Bases, Weights>::Target> Hedge<Bases, Weights>::target(const Memo& memo,
                                                                                    const AnyLoss& loss) const {
  const auto tail = kept(memo);
  if (tail.empty()) return std::nullopt;
  std::size_t said = 0;
  if constexpr (KnowsWaiting<Weights>) said = Weights::says_size(loss);
  if (tail.size() != said + bases_.size() * outputs(memo))
    throw Error(Code::kCorrupt, fmt::format("a round's memo ends in {} numbers where its target has {}", tail.size(),
                                            said + bases_.size() * outputs(memo)));
  const auto given = tail.subspan(said);
  return Target{Vec(tail.begin(), tail.begin() + static_cast<std::ptrdiff_t>(said)), Vec(given.begin(), given.end())};
}

template <HedgeBases Bases, class Weights>
bool Hedge<Bases, Weights>::comes_of_age(const Open& open)
  requires(KnowsWaiting<Weights> && MovesTargets<Bases>)
{
  const bool says = weights_.came_of_age(open);
  if constexpr (KeepsRows<Bases>) return (open.memo - memo_size_) % 2 != 0 || says;
  return open.memo > memo_size_ || says;
}

template <HedgeBases Bases, class Weights>
void Hedge<Bases, Weights>::move(const Open& open, const KnownLoss& loss, Memo& memo)
  requires(KnowsWaiting<Weights> && MovesTargets<Bases>)
{
  if (!may_move(memo, loss)) return;
  const Vec says = weights_.says(open, loss.loss);
  const auto before = target(memo, loss.loss);
  if (!weights_.moves(says, before ? before->says : Vec{}, loss, mean(memo))) return;
  weights_.count_move(size_of_move(loss.loss, memo, before ? before->says : Vec(says.size()), says));
  move_to(says, loss, memo);
}

// The probability that changes class, by what the mean predicted at the play.
template <HedgeBases Bases, class Weights>
double Hedge<Bases, Weights>::size_of_move(const AnyLoss& loss, const Memo& memo, const Vec& from,
                                           const Vec& to) const {
  if (loss.classes() != from.size()) return 0;
  Vec before(from.size());
  loss.probabilities(mean(memo), before);
  Vec after = before;
  double sum_before = 0, sum_after = 0, moved = 0;
  for (std::size_t c = 0; c < from.size(); ++c) {
    sum_before += before[c] *= tarry::exp(from[c]);
    sum_after += after[c] *= tarry::exp(to[c]);
  }
  if (!(sum_before > 0 && sum_after > 0)) return 0;
  for (std::size_t c = 0; c < from.size(); ++c) moved += std::fabs(after[c] / sum_after - before[c] / sum_before);
  return std::min(1.0, moved / 2);
}

template <HedgeBases Bases, class Weights>
void Hedge<Bases, Weights>::withdraw(const KnownLoss& loss, Memo& memo)
  requires(KnowsWaiting<Weights> && MovesTargets<Bases>)
{
  if (may_move(memo, loss) && target(memo, loss.loss)) move_to(Vec(Weights::says_size(loss.loss)), loss, memo);
}

// The bases are judged again by what they predicted at the play, and learn the difference at their present point.
template <HedgeBases Bases, class Weights>
void Hedge<Bases, Weights>::move_to(const Vec& says, const KnownLoss& loss, Memo& memo) {
  if constexpr (KnowsWaiting<Weights> && MovesTargets<Bases>) {
    const std::size_t k = outputs(memo);
    Target now = target(memo, loss.loss).value_or(Target{Vec(says.size()), Vec(bases_.size() * k)});
    count_open(-1, now, loss, memo);
    for (std::size_t i = 0; i < bases_.size(); ++i) {
      const auto played = predictions(memo).subspan(i * k, k);
      weights_.judge_again(
          i, lost_while_open(loss, played, mean(memo), says) - lost_while_open(loss, played, mean(memo), now.says));
    }
    now.says = says;
    count_open(1, now, loss, memo);
    bases_.move(loss, says, now.given);
    memo.resize(played_size(memo));
    memo.insert(memo.end(), says.begin(), says.end());
    memo.insert(memo.end(), now.given.begin(), now.given.end());
  }
}

// Trees are grown on labels that came, which are of one kind where open rounds are of another.
template <HedgeBases Bases, class Weights>
void Hedge<Bases, Weights>::count_open(double sign, const Target& target, const KnownLoss& loss, const Memo& memo) {
  if constexpr (FollowsWeights<Bases>) {
    if (!target.says_anything()) return;
    const double at = loss.loss.classes() > 0 ? 0 : loss.at_play(mean(memo)[0]);
    const double far = loss.loss.classes() > 0 ? size_of_move(loss.loss, memo, Vec(target.says.size()), target.says)
                                               : std::fabs(OpenNumber::of(target.says).moves(at));
    weights_.count_open(sign, sign * far);
  }
}

// ---- labels that take the place of others

// The losses of the bases, none far above the best's mean.
template <HedgeBases Bases, class Weights>
Vec Hedge<Bases, Weights>::as_counted() const {
  Vec counted = losses_;
  if constexpr (KnowsWaiting<Weights>)
    for (double& loss : counted) loss = std::min(loss, weights_.most_that_counts());
  return counted;
}

template <HedgeBases Bases, class Weights>
void Hedge<Bases, Weights>::keep(const Contribution& contribution, Memo& memo) const {
  memo.resize(played_size(memo));
  memo.insert(memo.end(), contribution.given.begin(), contribution.given.end());
  memo.insert(memo.end(), contribution.losses.begin(), contribution.losses.end());
}

template <HedgeBases Bases, class Weights>
void Hedge<Bases, Weights>::settle(Round t, const Feedback& feedback, Memo& memo)
  requires(KnowsWaiting<Weights> && MovesTargets<Bases>)
{
  check(memo, feedback);  // before anything changes
  --outstanding_;
  by_loss_ = true;
  weights_.came(t, feedback, shown(memo));
  Contribution contribution;
  receive_with_features(t, feedback, memo, &contribution);
  keep(contribution, memo);
}

// The bases are judged by the new label in the place of the old one, and learn the difference where they stand.
template <HedgeBases Bases, class Weights>
void Hedge<Bases, Weights>::revise(const Revision& revision, Memo& memo)
  requires(KnowsWaiting<Weights> && MovesTargets<Bases>)
{
  const std::size_t k = outputs(memo), n = bases_.size(), played = played_size(memo);
  if (k == 0 || memo.size() != played + n * k + n)
    throw Error(Code::kCorrupt,
                fmt::format("a round's memo has {} numbers where its label has {}", memo.size(), played + n * k + n));
  Contribution now{Vec(memo.begin() + static_cast<std::ptrdiff_t>(played),
                       memo.begin() + static_cast<std::ptrdiff_t>(played + n * k)),
                   Vec(memo.end() - static_cast<std::ptrdiff_t>(n), memo.end())};
  weights_.came_otherwise(revision, shown(memo));
  judge_by(*revision.after.known, predictions(memo), mean(memo));
  const Vec counted = as_counted();
  for (std::size_t i = 0; i < n; ++i) weights_.judge_again(i, counted[i] - now.losses[i]);
  Vec taken(n * k);
  bases_.receive(0, revision.after, {predictions(memo), losses_, {}, now.given, taken}, {});
  for (std::size_t i = 0; i < taken.size(); ++i) now.given[i] += taken[i];
  now.losses = counted;
  keep(now, memo);
}

// ---- rounds that were played with other features

// Bases that move targets keep nothing in a memo but their predictions. What is known of waiting has counted the play
// by what was predicted then; the label will count by what is predicted now.
template <HedgeBases Bases, class Weights>
void Hedge<Bases, Weights>::play_instead(const Covector& features, Memo& memo) const
  requires(KnowsWaiting<Weights> && MovesTargets<Bases>)
{
  const std::size_t n = bases_.size(), k = features.outputs();
  memo.assign(2 + k * (1 + n), 0.0);
  memo[0] = static_cast<double>(k);
  memo[1] = weights_.spread();
  remember_predictions(features, memo);
}

}  // namespace tarry
