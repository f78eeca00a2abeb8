// What a loss is to a model: a function of the prediction ⟨features, x⟩ and a label. Its gradient at the played point
// is slope · features, so the prediction made at play is all that must be kept.
#pragma once

#include <concepts>
#include <memory>
#include <utility>

namespace tarry {

template <class L>
concept Loss = requires(const L loss, double prediction, double label) {
  { loss.value(prediction, label) } -> std::same_as<double>;
  { loss.slope(prediction, label) } -> std::same_as<double>;  // a subgradient where there is a kink
  { loss.label(label) } -> std::same_as<double>;  // the label as the loss wants it; throws Error when it cannot be one
};

// Losses of p − y alone say so: the labels' offset and size can then be taken out of them.
template <class L>
concept OfTheError = L::kOfTheError;

class AnyLoss {
 public:
  template <Loss L>
    requires(!std::same_as<L, AnyLoss>)
  AnyLoss(L loss) : held_(std::make_shared<Holds<L>>(std::move(loss))) {}

  double value(double prediction, double label) const { return held_->value(prediction, label); }
  double slope(double prediction, double label) const { return held_->slope(prediction, label); }
  double label(double given) const { return held_->label(given); }
  bool of_the_error() const { return held_->of_the_error(); }

 private:
  struct Base {
    virtual ~Base() = default;
    virtual double value(double prediction, double label) const = 0;
    virtual double slope(double prediction, double label) const = 0;
    virtual double label(double given) const = 0;
    virtual bool of_the_error() const = 0;
  };
  template <class L>
  struct Holds final : Base {
    L loss;
    explicit Holds(L l) : loss(std::move(l)) {}
    double value(double prediction, double label) const override { return loss.value(prediction, label); }
    double slope(double prediction, double label) const override { return loss.slope(prediction, label); }
    double label(double given) const override { return loss.label(given); }
    bool of_the_error() const override { return OfTheError<L>; }
  };
  std::shared_ptr<const Base> held_;
};

static_assert(Loss<AnyLoss>);

}  // namespace tarry
