// What a learner is: a pure state machine that plays points of a set and learns from feedback that comes late.
#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <span>

#include "tarry/bytes.h"
#include "tarry/ledger/round.h"
#include "tarry/linalg/covector.h"

namespace tarry {

// A round's loss as a function of the prediction alone.
struct SlopeAt {
  Covector features;
  std::function<double(double prediction)> slope;
};

// A gradient taken at the point that was played in its round: finite, of the set's dimension.
struct Feedback {
  Covector gradient;
  // Where gradient = slope · features, entry by entry as they were given at play: the loss's derivative at the
  // prediction.
  std::optional<double> slope = std::nullopt;
  // Where a loss is known: its derivative at any other prediction, and the features, so that a learner over learners
  // can give each its own gradient.
  const SlopeAt* elsewhere = nullptr;
};

template <class L>
concept Learner = requires(L l, const L k, Round t, const Covector* features, Memo& memo, const Memo& kept,
                           const Feedback& feedback, std::span<double> x, ByteWriter& out, ByteReader& in) {
  // Decides round t. Returns ⟨features, x_t⟩, or 0 without features.
  { l.play(t, features, memo) } -> std::same_as<double>;
  // x_t in full, for whoever needs it; valid until the next call that changes the learner.
  k.write(x);
  l.receive(t, feedback, kept);  // late feedback for round t
  l.abandon(t, kept);            // feedback for round t will never come
  k.save(out);
  l.load(in);
};

// Learners may also have
//   std::optional<double> bound(const theory::Seen& seen) const   the regret they cannot have exceeded so far
//   std::size_t instances() const                                  how many learners they are made of

}  // namespace tarry
