#include "tarry/learners/combined/paired_bases.h"

#include <algorithm>

namespace tarry {

// Of one output, whichever it is: its features come first.
Covector PairedBases::without_products(const Covector& row) const {
  if (row.stored() == 0) return row;
  const auto indices = row.indices();
  const Index end = (indices.front() / row_.width + 1) * row_.width - row_.products;
  const auto count = static_cast<std::size_t>(std::lower_bound(indices.begin(), indices.end(), end) - indices.begin());
  return Covector::sparse(indices.first(count), row.values().first(count));
}

void PairedBases::predict(const Covector& features, std::span<double> predictions) const {
  if (features.outputs() > 1) return;  // one output after the other is asked for
  plain_.predict(without_products(features), predictions.first(plain_.size()));
  wide_.predict(features, predictions.subspan(plain_.size()));
}

void PairedBases::write(std::size_t k, std::span<double> x) const {
  if (k < plain_.size()) return plain_.write(k, x);
  wide_.write(k - plain_.size(), x);
}

void PairedBases::receive(Round t, const Feedback& feedback, const BasesPlayed& played, std::span<const double> memo) {
  const std::size_t outputs = feedback.known != nullptr ? feedback.known->outputs() : 1, n = plain_.size();
  const auto part = [&](bool wide) {
    const auto of = [&](std::span<const double> x, std::size_t each) {
      return x.empty() ? x : wide ? x.subspan(n * each) : x.first(n * each);
    };
    BasesPlayed own{of(played.predictions, outputs), of(played.losses, 1), {}, of(played.given, outputs), {}};
    if (!played.taken.empty()) own.taken = wide ? played.taken.subspan(n * outputs) : played.taken.first(n * outputs);
    return own;
  };
  wide_.receive(t, feedback, part(true), memo);
  Feedback plain = feedback;
  plain.gradient = without_products(feedback.gradient);
  if (feedback.known == nullptr) return plain_.receive(t, plain, part(false), memo);
  const KnownLoss known = without_products(*feedback.known);
  plain.known = &known;
  plain_.receive(t, plain, part(false), memo);
}

void PairedBases::move(const KnownLoss& open, std::span<const double> says, std::span<double> given) {
  const std::size_t split = plain_.size() * open.outputs();
  wide_.move(open, says, given.subspan(split));
  plain_.move(without_products(open), says, given.first(split));
}

// Valid until the next call.
KnownLoss PairedBases::without_products(const KnownLoss& all) {
  KnownLoss known = all;
  if (all.outputs() == 1) {
    known.features = without_products(all.features);
    return known;
  }
  indices_.clear();
  values_.clear();
  for (std::size_t c = 0; c < all.outputs(); ++c) {
    const Covector one = without_products(all.features.output(c));
    indices_.insert(indices_.end(), one.indices().begin(), one.indices().end());
    values_.insert(values_.end(), one.values().begin(), one.values().end());
  }
  known.features = Covector::sparse(indices_, values_).with_outputs(all.outputs());
  return known;
}

// Those that see the features alone do not play on all of the set.
std::optional<double> PairedBases::bound(std::size_t k, const theory::Seen& seen) const {
  return k < plain_.size() ? std::nullopt : wide_.bound(k - plain_.size(), seen);
}

void PairedBases::save(ByteWriter& out) const {
  plain_.save(out);
  wide_.save(out);
}

void PairedBases::load(ByteReader& in) {
  plain_.load(in);
  wide_.load(in);
}

}  // namespace tarry
