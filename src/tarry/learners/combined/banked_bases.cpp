#include "tarry/learners/combined/banked_bases.h"

#include <algorithm>

namespace tarry {

BankedBases::BankedBases(const ImplicitBases& one, RowShape row) : row_(row) {
  ends_.push_back(row_.width - row_.products - row_.bends);
  if (row_.products > 0) ends_.push_back(row_.width - row_.bends);
  banks_.assign(ends_.size(), one);
  if (row_.bends > 0) ends_.push_back(row_.width);
}

void BankedBases::wake(const Covector& row) {
  if (!asleep() || row.stored() == 0 || row.indices().back() % row_.width < row_.width - row_.bends) return;
  banks_.push_back(ImplicitBases(banks_.back()));
}

// Of one output, whichever it is: its features come first, its bends last.
Covector BankedBases::seen_by(std::size_t bank, const Covector& row) const {
  if (row.stored() == 0 || bank + 1 == ends_.size()) return row;
  const auto indices = row.indices();
  const Index end = indices.front() / row_.width * row_.width + ends_[bank];
  const auto count = static_cast<std::size_t>(std::lower_bound(indices.begin(), indices.end(), end) - indices.begin());
  return Covector::sparse(indices.first(count), row.values().first(count));
}

KnownLoss BankedBases::seen_by(std::size_t bank, const KnownLoss& all) {
  KnownLoss known = all;
  if (all.outputs() == 1) known.features = seen_by(bank, all.features);
  if (all.outputs() == 1 || bank + 1 == ends_.size()) return known;
  indices_.clear();
  values_.clear();
  for (std::size_t c = 0; c < all.outputs(); ++c) {
    const Covector one = seen_by(bank, all.features.output(c));
    indices_.insert(indices_.end(), one.indices().begin(), one.indices().end());
    values_.insert(values_.end(), one.values().begin(), one.values().end());
  }
  known.features = Covector::sparse(indices_, values_).with_outputs(all.outputs());
  return known;
}

void BankedBases::play(Round t, const Covector* features, std::span<double> predictions, Memo& memo) {
  if (features == nullptr || features->outputs() > 1) return;  // one output after the other is asked for
  for (std::size_t b = 0; b < banks_.size(); ++b) {
    const Covector seen = seen_by(b, *features);
    banks_[b].play(t, &seen, part(b, predictions, 1), memo);
  }
  if (asleep()) std::ranges::copy(part(banks_.size() - 1, predictions, 1), part(banks_.size(), predictions, 1).begin());
}

void BankedBases::predict(const Covector& features, std::span<double> predictions) const {
  if (features.outputs() > 1) return;
  for (std::size_t b = 0; b < banks_.size(); ++b) banks_[b].predict(seen_by(b, features), part(b, predictions, 1));
  if (asleep()) std::ranges::copy(part(banks_.size() - 1, predictions, 1), part(banks_.size(), predictions, 1).begin());
}

void BankedBases::receive(Round t, const Feedback& feedback, const BasesPlayed& played, std::span<const double> memo) {
  const std::size_t outputs = feedback.known != nullptr ? feedback.known->outputs() : 1;
  wake(feedback.known != nullptr ? feedback.known->features : feedback.gradient);
  for (std::size_t b = banks_.size(); b-- > 0;) {
    const BasesPlayed own{part(b, played.predictions, outputs),
                          part(b, played.losses, 1),
                          {},
                          part(b, played.given, outputs),
                          part(b, played.taken, outputs)};
    Feedback seen = feedback;
    seen.gradient = feedback.known == nullptr ? seen_by(b, feedback.gradient) : feedback.gradient;
    if (feedback.known == nullptr) {
      banks_[b].receive(t, seen, own, memo);
      continue;
    }
    const KnownLoss known = seen_by(b, *feedback.known);
    seen.known = &known;
    banks_[b].receive(t, seen, own, memo);
  }
  if (asleep() && !played.taken.empty())
    std::ranges::copy(part(banks_.size() - 1, played.taken, outputs),
                      part(banks_.size(), played.taken, outputs).begin());
}

void BankedBases::move(const KnownLoss& open, std::span<const double> says, std::span<double> given) {
  wake(open.features);
  for (std::size_t b = banks_.size(); b-- > 0;) banks_[b].move(seen_by(b, open), says, part(b, given, open.outputs()));
  if (asleep())
    std::ranges::copy(part(banks_.size() - 1, given, open.outputs()),
                      part(banks_.size(), given, open.outputs()).begin());
}

// Those that do not see all of a row do not play on all of the set. While the last sleeps, no row has had bends, and
// the one before it has seen all there was.
std::optional<double> BankedBases::bound(std::size_t k, const theory::Seen& seen) const {
  return k / rates() + 1 < ends_.size() ? std::nullopt : banks_.back().bound(k % rates(), seen);
}

void BankedBases::save(ByteWriter& out) const {
  if (row_.bends > 0) out.u64(asleep() ? 0 : 1);
  for (const ImplicitBases& bank : banks_) bank.save(out);
}

void BankedBases::load(ByteReader& in) {
  const bool awake = row_.bends > 0 && in.flag();
  banks_.resize(ends_.size() - (row_.bends > 0 && !awake ? 1 : 0), banks_[0]);
  for (ImplicitBases& bank : banks_) bank.load(in);
}

}  // namespace tarry
