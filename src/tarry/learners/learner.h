// What a learner is: a pure state machine that plays points of a set and learns from feedback that comes late.
#pragma once

#include <concepts>
#include <optional>
#include <span>

#include "tarry/base/bytes.h"
#include "tarry/ledger/context.h"
#include "tarry/ledger/round.h"
#include "tarry/linalg/covector.h"
#include "tarry/losses/loss.h"

namespace tarry {

// The whole loss of a round, where it is known: a function of the predictions ⟨features, x⟩ alone, one for each output
// of the features. Of a round without a label it is the mean loss over what its label may be: the target.
struct KnownLoss {
  Covector features;
  const AnyLoss& loss;
  double label;
  Link at_play = {};                    // how a prediction was shown to the user, and so to the loss …
  Link now = {};                        // … and how it would be shown by now; only losses with one output have links
  std::span<const double> target = {};  // the chance of each class; empty: there is a label

  std::size_t outputs() const { return features.outputs(); }
  bool same_links() const { return at_play == now; }
  double value(std::span<const double> predictions) const;
  void slopes(std::span<const double> predictions, std::span<double> slopes) const {
    slopes_under(at_play, predictions, slopes);
  }
  // As if the round were played only now.
  void fresh_slopes(std::span<const double> predictions, std::span<double> slopes) const {
    slopes_under(now, predictions, slopes);
  }
  // Of several predictions of the one output, each by itself; they may be replaced by it.
  void value_each(std::span<const double> predictions, std::span<double> values) const;
  void fresh_slope_each(std::span<const double> predictions, std::span<double> slopes) const;
  // Each output's features times its slope; the values are kept in `values`.
  Covector gradient(std::span<const double> slopes, Vec& values) const;
  // The gradient at a learner's present point, from its predictions.
  template <class Predict>
  Covector fresh_gradient(Predict predict, Vec& values) const {
    Vec predictions, slopes(outputs());
    for (std::size_t k = 0; k < outputs(); ++k) predictions.push_back(predict(features.output(k)));
    fresh_slopes(predictions, slopes);
    return gradient(slopes, values);
  }

 private:
  void slopes_under(const Link& link, std::span<const double> predictions, std::span<double> slopes) const;
  void mean_slopes(std::span<const double> predictions, std::span<double> slopes) const;
};

// A gradient taken at the point that was played in its round: finite, of the set's dimension.
struct Feedback {
  Covector gradient;
  // Where gradient = slope · features, entry by entry as they were given at play, of one output: the loss's derivative
  // at the prediction.
  std::optional<double> slope = std::nullopt;
  // Where a loss is known: all of it, for learners that ask for its gradient at another point than the played one.
  const KnownLoss* known = nullptr;
  // What was played: the predictions for the round's features, one for each output, …
  std::span<const double> predictions = {};
  // … and the decision in full, where the features were not known at play and somebody kept it.
  std::span<const double> decision = {};
  // How long the round has waited, as a share of the time until it was due; nothing: it was not due at any time.
  std::optional<double> due_age = std::nullopt;

  // What the play cost, by the loss where it is known and by the gradient otherwise; nothing where that cannot be told.
  std::optional<double> loss_of_play() const;
};

// A label that takes the place of another one: what each of them says at the predictions that were made.
struct Revision {
  Feedback before, after;
  Round age = 0;  // of the round when its first label came: rounds played since

  // What is to be added to a sum of gradients; the values are kept in `values`.
  Covector difference(Vec& values) const;
};

// Rounds that stay open are looked at again when they are 8, 12, 16, 24, 32, … rounds old.
constexpr Round age_at(std::size_t look) { return Round{look % 2 == 0 ? 8U : 12U} << (look / 2); }

// A round that is still open.
struct Open {
  Round round;
  std::size_t look;     // its age is age_at(look), or due_at(look)
  double prediction;    // at its play: the margin, or the likeliest class
  std::size_t memo;     // numbers of its memo
  bool by_due = false;  // its age is the share of the time until it is due
};

// Rounds that have a due time are looked at again at these shares of the time from their play to that.
constexpr std::size_t kDueLooks = 24;
constexpr double due_at(std::size_t look) {
  constexpr double kAt[kDueLooks] = {0.0625, 0.125, 0.1875, 0.25, 0.3125, 0.375, 0.4375, 0.5,
                                     0.5625, 0.625, 0.6875, 0.75, 0.8125, 0.875, 0.9375, 1,
                                     1.0625, 1.125, 1.25,   1.5,  2,      3,     4,      8};
  return kAt[look];
}

// What the user says of labels: a round that is still open after so many others is of this class.
struct Default {
  std::size_t kind = 0;
  Round rounds = 0;  // 0: not known in rounds
};

// What the user says of labels that never come.
struct Lost {
  bool at_random = false;           // whatever their class
  std::vector<double> shares = {};  // of the labels of each class; empty: not known
};

template <class L>
concept Learner = requires(L l, const L k, Round t, const Covector* features, Memo& memo, const Memo& kept,
                           const Feedback& feedback, std::span<double> x, ByteWriter& out, ByteReader& in) {
  // Decides round t. Returns ⟨features, x_t⟩, over all outputs together, or 0 without features.
  { l.play(t, features, memo) } -> std::same_as<double>;
  // ⟨features, x⟩ for any features, at the learner's point: what it played last until feedback changes it.
  { k.predict(*features) } -> std::same_as<double>;
  // x_t in full; valid until the next call that changes the learner.
  k.write(x);
  l.receive(t, feedback, kept);  // late feedback for round t
  l.abandon(t, kept);            // feedback for round t will never come
  k.save(out);
  l.load(in);
};

// Learners may also have
//   std::optional<double> bound(const theory::Seen& seen) const   the regret they cannot have exceeded so far
//   std::size_t instances() const                                  how many learners they are made of
//   Index dimension() const                                        of the decisions they play
//   bool tells_classes() const                                     false: not for losses over several classes
//   bool looks_again() const                                       whether rounds that are still open are told again:
//   bool comes_of_age(Open open)                                   one that reached the age of its next look;
//                                                                  whether its target has moved. If so, next comes
//   void move(Open open, const KnownLoss& loss, Memo& memo)        with its row; the memo may grow
//   void withdraw(const KnownLoss& loss, Memo& memo)               nothing is to be learnt from the round after all
//   void dated(const Memo& memo)                                   the round played last has a due time
//   bool revises() const                                           whether labels can be replaced after they were
//   learnt: void settle(Round t, const Feedback& feedback, Memo& memo)     as receive, where that may happen: the memo
//   then
//                                                                  has what the round has contributed (none: receive)
//   void revise(const Revision& revision, Memo& memo)              puts another label in its place
//   void play_instead(const Covector& features, Memo& memo) const  the features of a round that waits, where all
//                                                                  was withdrawn, were others: the memo becomes that of
//                                                                  a play with these, at the learner's point
//   std::optional<BelievedWaits> waits() const                     what they believe about waiting (believed_waits.h)
//   Atom sample() const                                            a vertex drawn for the round played last; its mean
//                                                                  is what write() writes
//   bool samples() const                                           false: sample() is not for this one after all
//   bool probes() const; Vec probe() const                         a decision comes with a second point
//   void receive_losses(Round t, double value, double at_probe, const Memo& memo)   the values at both, where it does
//   bool sums_gradients() const                                    whether a multiple of a gradient may come in the
//   place
//                                                                  of it, and the theorem allows any gradients
//   void receive_loss(Round t, double value, const Memo& memo)     in the place of receive: all that is known of the
//                                                                  round is what its decision cost

}  // namespace tarry
