// A learner chosen at run time; itself a Learner, so that learners over learners have one body.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "tarry/base/error.h"
#include "tarry/geometry/atom.h"
#include "tarry/learners/believed_waits.h"
#include "tarry/learners/learner.h"
#include "tarry/theory/seen.h"

namespace tarry {

// Learners that move the targets of rounds which stay open (learner.h).
template <class L>
concept LooksAgain = requires(L l, const L k, const Open& open, const KnownLoss& loss, Memo& memo) {
  { k.looks_again() } -> std::same_as<bool>;
  { l.comes_of_age(open) } -> std::same_as<bool>;
  l.move(open, loss, memo);
  l.withdraw(loss, memo);
  l.dated(memo);
};

// Learners that put one label in the place of another (learner.h).
template <class L>
concept Revises = requires(L l, const L k, const Revision& revision, Memo& memo) {
  { k.revises() } -> std::same_as<bool>;
  l.revise(revision, memo);
};

// Learners that can be told that a round was played with other features (learner.h).
template <class L>
concept PlaysInstead = requires(const L k, const Covector& features, Memo& memo) { k.play_instead(features, memo); };

// Learners to whom the value of a round's loss at the played point is enough (learner.h).
template <class L>
concept TakesLosses = requires(L l, Round t, double value, const Memo& memo) { l.receive_loss(t, value, memo); };

// Learners whose decisions may come with a second point (learner.h).
template <class L>
concept Probes = requires(L l, const L k, Round t, double value, const Memo& memo) {
  { k.probes() } -> std::same_as<bool>;
  { k.probe() } -> std::same_as<Vec>;
  l.receive_losses(t, value, value, memo);
};

// It owns its learner alone; to copy one, save it and load it into another that was made alike.
class AnyLearner {
 public:
  template <Learner L>
    requires(!std::same_as<L, AnyLearner>)
  AnyLearner(L learner) : held_(std::make_unique<Holds<L>>(std::move(learner))) {}

  double play(Round t, const Covector* features, Memo& memo) { return held_->play(t, features, memo); }
  double predict(const Covector& features) const { return held_->predict(features); }
  // Its part that is linear in the features: a sum over them, whatever trees add.
  double predict_linear(const Covector& features) const { return held_->predict_linear(features); }
  // How unsure a prediction is: a deviation in its own units; 0: nobody knows.
  double doubt(const Covector& features) const { return held_->doubt(features); }
  void write(std::span<double> x) const { held_->write(x); }
  void receive(Round t, const Feedback& feedback, const Memo& memo) { held_->receive(t, feedback, memo); }
  void abandon(Round t, const Memo& memo) { held_->abandon(t, memo); }
  void save(ByteWriter& out) const { held_->save(out); }
  void load(ByteReader& in) { held_->load(in); }
  std::optional<double> bound(const theory::Seen& seen) const { return held_->bound(seen); }
  std::size_t instances() const { return held_->instances(); }
  bool tells_classes() const { return held_->tells_classes(); }
  std::optional<Index> dimension() const { return held_->dimension(); }
  bool looks_again() const { return held_->looks_again(); }
  bool comes_of_age(const Open& open) { return held_->comes_of_age(open); }
  void move(const Open& open, const KnownLoss& loss, Memo& memo) { held_->move(open, loss, memo); }
  void withdraw(const KnownLoss& loss, Memo& memo) { held_->withdraw(loss, memo); }
  void dated(const Memo& memo) { held_->dated(memo); }
  bool revises() const { return held_->revises(); }
  void settle(Round t, const Feedback& feedback, Memo& memo) { held_->settle(t, feedback, memo); }
  void revise(const Revision& revision, Memo& memo) { held_->revise(revision, memo); }
  bool plays_instead() const { return held_->plays_instead(); }
  void play_instead(const Covector& features, Memo& memo) const { held_->play_instead(features, memo); }
  std::optional<BelievedWaits> waits() const { return held_->waits(); }
  bool samples() const { return held_->samples(); }
  // Throws Error{kUnsupported} where it does not sample.
  Atom sample() const {
    if (!samples()) throw Error(Code::kUnsupported, name_ + " does not sample vertices as it was specified");
    return held_->sample();
  }
  bool takes_losses() const { return held_->takes_losses(); }
  void receive_loss(Round t, double value, const Memo& memo) { held_->receive_loss(t, value, memo); }
  // Whether a decision comes with a second point, and the values of the loss at both are wanted.
  bool probes() const { return held_->probes(); }
  Vec probe() const { return held_->probe(); }
  void receive_losses(Round t, double value, double at_probe, const Memo& memo) {
    held_->receive_losses(t, value, at_probe, memo);
  }
  bool sums_gradients() const { return held_->sums_gradients(); }
  const std::string& name() const { return name_; }
  // As specifications call it, for messages.
  AnyLearner named(std::string name) && {
    name_ = std::move(name);
    return std::move(*this);
  }

 private:
  struct Base {
    virtual ~Base() = default;
    virtual double play(Round t, const Covector* features, Memo& memo) = 0;
    virtual double predict(const Covector& features) const = 0;
    virtual double predict_linear(const Covector& features) const = 0;
    virtual double doubt(const Covector& features) const = 0;
    virtual void write(std::span<double> x) const = 0;
    virtual void receive(Round t, const Feedback& feedback, const Memo& memo) = 0;
    virtual void abandon(Round t, const Memo& memo) = 0;
    virtual void save(ByteWriter& out) const = 0;
    virtual void load(ByteReader& in) = 0;
    virtual std::optional<double> bound(const theory::Seen& seen) const = 0;
    virtual std::size_t instances() const = 0;
    virtual bool tells_classes() const = 0;
    virtual std::optional<Index> dimension() const = 0;
    virtual bool looks_again() const = 0;
    virtual bool comes_of_age(const Open& open) = 0;
    virtual void move(const Open& open, const KnownLoss& loss, Memo& memo) = 0;
    virtual void withdraw(const KnownLoss& loss, Memo& memo) = 0;
    virtual void dated(const Memo& memo) = 0;
    virtual bool revises() const = 0;
    virtual void settle(Round t, const Feedback& feedback, Memo& memo) = 0;
    virtual void revise(const Revision& revision, Memo& memo) = 0;
    virtual bool plays_instead() const = 0;
    virtual void play_instead(const Covector& features, Memo& memo) const = 0;
    virtual std::optional<BelievedWaits> waits() const = 0;
    virtual bool samples() const = 0;
    virtual Atom sample() const = 0;
    virtual bool probes() const = 0;
    virtual Vec probe() const = 0;
    virtual void receive_losses(Round t, double value, double at_probe, const Memo& memo) = 0;
    virtual bool sums_gradients() const = 0;
    virtual bool takes_losses() const = 0;
    virtual void receive_loss(Round t, double value, const Memo& memo) = 0;
  };

  template <class L>
  struct Holds final : Base {
    L learner;
    explicit Holds(L l) : learner(std::move(l)) {}

    double play(Round t, const Covector* features, Memo& memo) override { return learner.play(t, features, memo); }
    double predict(const Covector& features) const override { return learner.predict(features); }
    double predict_linear(const Covector& features) const override {
      if constexpr (requires { learner.predict_linear(features); }) return learner.predict_linear(features);
      return learner.predict(features);
    }
    double doubt([[maybe_unused]] const Covector& features) const override {
      if constexpr (requires { learner.doubt(features); }) return learner.doubt(features);
      return 0;
    }
    void write(std::span<double> x) const override { learner.write(x); }
    void receive(Round t, const Feedback& feedback, const Memo& memo) override { learner.receive(t, feedback, memo); }
    void abandon(Round t, const Memo& memo) override { learner.abandon(t, memo); }
    void save(ByteWriter& out) const override { learner.save(out); }
    void load(ByteReader& in) override { learner.load(in); }
    std::optional<double> bound(const theory::Seen& seen) const override {
      if constexpr (requires { learner.bound(seen); }) return learner.bound(seen);
      return std::nullopt;
    }
    std::size_t instances() const override {
      if constexpr (requires { learner.instances(); }) return learner.instances();
      return 1;
    }
    bool tells_classes() const override {
      if constexpr (requires { learner.tells_classes(); }) return learner.tells_classes();
      return true;
    }
    std::optional<Index> dimension() const override {
      if constexpr (requires { learner.dimension(); }) return learner.dimension();
      return std::nullopt;
    }
    bool looks_again() const override {
      if constexpr (LooksAgain<L>) return learner.looks_again();
      return false;
    }
    bool comes_of_age([[maybe_unused]] const Open& open) override {
      if constexpr (LooksAgain<L>) return learner.comes_of_age(open);
      return false;
    }
    void move([[maybe_unused]] const Open& open, [[maybe_unused]] const KnownLoss& loss,
              [[maybe_unused]] Memo& memo) override {
      if constexpr (LooksAgain<L>) learner.move(open, loss, memo);
    }
    void withdraw([[maybe_unused]] const KnownLoss& loss, [[maybe_unused]] Memo& memo) override {
      if constexpr (LooksAgain<L>) learner.withdraw(loss, memo);
    }
    void dated([[maybe_unused]] const Memo& memo) override {
      if constexpr (LooksAgain<L>) learner.dated(memo);
    }
    bool revises() const override {
      if constexpr (Revises<L>) return learner.revises();
      return false;
    }
    void settle(Round t, const Feedback& feedback, Memo& memo) override {
      if constexpr (requires { learner.settle(t, feedback, memo); })
        learner.settle(t, feedback, memo);
      else
        learner.receive(t, feedback, memo);
    }
    void revise([[maybe_unused]] const Revision& revision, [[maybe_unused]] Memo& memo) override {
      if constexpr (Revises<L>) learner.revise(revision, memo);
    }
    bool plays_instead() const override { return PlaysInstead<L>; }
    void play_instead([[maybe_unused]] const Covector& features, [[maybe_unused]] Memo& memo) const override {
      if constexpr (PlaysInstead<L>) learner.play_instead(features, memo);
    }
    std::optional<BelievedWaits> waits() const override {
      if constexpr (requires { learner.waits(); }) return learner.waits();
      return std::nullopt;
    }
    bool samples() const override {
      if constexpr (requires { learner.samples(); }) return learner.samples();
      return requires { learner.sample(); };
    }
    Atom sample() const override {
      if constexpr (requires { learner.sample(); })
        return learner.sample();
      else
        return {};
    }
    bool probes() const override {
      if constexpr (Probes<L>) return learner.probes();
      return false;
    }
    Vec probe() const override {
      if constexpr (Probes<L>) return learner.probe();
      return {};
    }
    void receive_losses([[maybe_unused]] Round t, [[maybe_unused]] double value, [[maybe_unused]] double at_probe,
                        [[maybe_unused]] const Memo& memo) override {
      if constexpr (Probes<L>) learner.receive_losses(t, value, at_probe, memo);
    }
    bool sums_gradients() const override {
      if constexpr (requires { learner.sums_gradients(); }) return learner.sums_gradients();
      return false;
    }
    bool takes_losses() const override { return TakesLosses<L>; }
    void receive_loss([[maybe_unused]] Round t, [[maybe_unused]] double value,
                      [[maybe_unused]] const Memo& memo) override {
      if constexpr (TakesLosses<L>) learner.receive_loss(t, value, memo);
    }
  };

  std::string name_ = "this learner";
  std::unique_ptr<Base> held_;
};

static_assert(Learner<AnyLearner>);

}  // namespace tarry
