// What a loss is to a model: a function of the prediction ⟨features, x⟩ and a label. Its gradient at the played point
// is slope · features, so the prediction made at play is all that must be kept. A loss over classes has one prediction,
// and one slope, for each of them.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace tarry {

template <class L>
concept ScalarLoss = requires(const L loss, double prediction, double label) {
  { loss.value(prediction, label) } -> std::same_as<double>;
  { loss.slope(prediction, label) } -> std::same_as<double>;  // a subgradient where there is a kink
};

template <class L>
concept ClassLoss =
    requires(const L loss, std::span<const double> predictions, double label, std::span<double> slopes) {
      { loss.outputs() } -> std::same_as<std::size_t>;  // how many classes
      { loss.value(predictions, label) } -> std::same_as<double>;
      loss.slopes(predictions, label, slopes);
    };

template <class L>
concept Loss = (ScalarLoss<L> || ClassLoss<L>)&&requires(const L loss, double label) {
  { loss.label(label) } -> std::same_as<double>;  // the label as the loss wants it; throws Error when it cannot be one
};

// Losses of p − y alone say so: the labels' offset and size can then be taken out of them.
template <class L>
concept OfTheError = L::kOfTheError;

// Losses whose slope does not depend on the prediction say so.
template <class L>
concept IsLinear = L::kLinear;

// Losses whose predictions are probabilities of classes say which: one for each class, in the order of class_label.
template <class L>
concept OfClasses = requires(const L loss, std::span<const double> predictions, std::span<double> each, std::size_t c) {
  { loss.classes() } -> std::same_as<std::size_t>;  // 0 where they are no probabilities after all
  loss.probabilities(predictions, each);
  { loss.class_label(c) } -> std::same_as<double>;  // as `value` and `slopes` take it
};

// Losses that are not defined for every prediction say where they are.
template <class L>
concept PartlyDefined = requires(const L loss, double prediction) {
  { loss.defined(prediction) } -> std::same_as<bool>;
};

// Steps of several learners that are taken with the slope where they end (learners/descent/implicit_searches.h): a
// slope of 1 moves each one's prediction by its reach. One that moves it by `little` or less keeps the slope where it
// begins.
struct ImplicitSteps {
  std::span<const double> predictions, reach;
  double little;
};

// Losses that find those slopes in one go say so: the same bits.
template <class L>
concept FindsImplicit = requires(const L loss, const ImplicitSteps& steps, double label, std::span<double> slopes) {
  loss.implicit_each(steps, label, slopes);
};

// Copies share one loss, which never changes: any number of threads may ask any of them.
class AnyLoss {
 public:
  template <Loss L>
    requires(!std::same_as<L, AnyLoss>)
  AnyLoss(L loss) : held_(std::make_shared<Holds<L>>(std::move(loss))) {}

  std::size_t outputs() const { return held_->outputs(); }  // 1, or the number of classes
  double value(std::span<const double> predictions, double label) const { return held_->value(predictions, label); }
  void slopes(std::span<const double> predictions, double label, std::span<double> slopes) const {
    held_->slopes(predictions, label, slopes);
  }
  double label(double given) const { return held_->label(given); }
  bool defined(double prediction) const { return held_->defined(prediction); }  // else value and slope throw
  bool of_the_error() const { return held_->of_the_error(); }
  bool is_linear() const { return held_->is_linear(); }
  // The classes whose probabilities the predictions tell; 0 where they tell none.
  std::size_t classes() const { return held_->classes(); }
  void probabilities(std::span<const double> predictions, std::span<double> each) const {
    held_->probabilities(predictions, each);
  }
  double class_label(std::size_t c) const { return held_->class_label(c); }
  // The same loss while only the first `named` classes have been heard of.
  AnyLoss naming(std::size_t named) const { return held_->naming(*this, named); }
  // A prediction as people see it: a probability where the loss has one.
  double shown(double prediction) const { return held_->shown(prediction); }

  // Of losses with one output.
  double value(double prediction, double label) const { return held_->value({&prediction, 1}, label); }
  double slope(double prediction, double label) const {
    double slope = 0;
    held_->slopes({&prediction, 1}, label, {&slope, 1});
    return slope;
  }
  // Of several predictions for one label, each by itself: the same bits, found together. They may be replaced by it.
  void value_each(std::span<const double> predictions, double label, std::span<double> values) const {
    held_->value_each(predictions, label, values);
  }
  void slope_each(std::span<const double> predictions, double label, std::span<double> slopes) const {
    held_->slope_each(predictions, label, slopes);
  }
  // Puts the slopes where the steps end in place of those where they begin; false: it does not know how.
  bool implicit_each(const ImplicitSteps& steps, double label, std::span<double> slopes) const {
    return held_->implicit_each(steps, label, slopes);
  }

 private:
  struct Base {
    virtual ~Base() = default;
    virtual std::size_t outputs() const = 0;
    virtual double value(std::span<const double> predictions, double label) const = 0;
    virtual void slopes(std::span<const double> predictions, double label, std::span<double> slopes) const = 0;
    virtual void value_each(std::span<const double> predictions, double label, std::span<double> values) const = 0;
    virtual void slope_each(std::span<const double> predictions, double label, std::span<double> slopes) const = 0;
    virtual bool implicit_each(const ImplicitSteps& steps, double label, std::span<double> slopes) const = 0;
    virtual double label(double given) const = 0;
    virtual bool defined(double prediction) const = 0;
    virtual bool of_the_error() const = 0;
    virtual bool is_linear() const = 0;
    virtual double shown(double prediction) const = 0;
    virtual std::size_t classes() const = 0;
    virtual void probabilities(std::span<const double> predictions, std::span<double> each) const = 0;
    virtual double class_label(std::size_t c) const = 0;
    virtual AnyLoss naming(const AnyLoss& self, std::size_t named) const = 0;
  };
  template <class L>
  struct Holds final : Base {
    L loss;
    explicit Holds(L l) : loss(std::move(l)) {}
    std::size_t outputs() const override {
      if constexpr (ClassLoss<L>) return loss.outputs();
      return 1;
    }
    double value(std::span<const double> predictions, double label) const override {
      if constexpr (ClassLoss<L>)
        return loss.value(predictions, label);
      else
        return loss.value(predictions[0], label);
    }
    void slopes(std::span<const double> predictions, double label, std::span<double> slopes) const override {
      if constexpr (ClassLoss<L>)
        loss.slopes(predictions, label, slopes);
      else
        slopes[0] = loss.slope(predictions[0], label);
    }
    void value_each([[maybe_unused]] std::span<const double> predictions, [[maybe_unused]] double label,
                    [[maybe_unused]] std::span<double> values) const override {
      if constexpr (requires { loss.value_each(predictions, label, values); })
        loss.value_each(predictions, label, values);
      else if constexpr (ScalarLoss<L>)
        for (std::size_t i = 0; i < predictions.size(); ++i) values[i] = loss.value(predictions[i], label);
    }
    void slope_each([[maybe_unused]] std::span<const double> predictions, [[maybe_unused]] double label,
                    [[maybe_unused]] std::span<double> slopes) const override {
      if constexpr (requires { loss.slope_each(predictions, label, slopes); })
        loss.slope_each(predictions, label, slopes);
      else if constexpr (ScalarLoss<L>)
        for (std::size_t i = 0; i < predictions.size(); ++i) slopes[i] = loss.slope(predictions[i], label);
    }
    bool implicit_each([[maybe_unused]] const ImplicitSteps& steps, [[maybe_unused]] double label,
                       [[maybe_unused]] std::span<double> slopes) const override {
      if constexpr (FindsImplicit<L>) loss.implicit_each(steps, label, slopes);
      return FindsImplicit<L>;
    }
    double label(double given) const override { return loss.label(given); }
    bool defined(double prediction) const override {
      if constexpr (PartlyDefined<L>) return loss.defined(prediction);
      return true;
    }
    bool of_the_error() const override { return OfTheError<L>; }
    bool is_linear() const override { return IsLinear<L>; }
    std::size_t classes() const override {
      if constexpr (OfClasses<L>) return loss.classes();
      return 0;
    }
    void probabilities(std::span<const double> predictions, std::span<double> each) const override {
      if constexpr (OfClasses<L>) loss.probabilities(predictions, each);
    }
    double class_label(std::size_t c) const override {
      if constexpr (OfClasses<L>) return loss.class_label(c);
      return static_cast<double>(c);
    }
    AnyLoss naming(const AnyLoss& self, std::size_t named) const override {
      if constexpr (requires { loss.naming(named); }) return loss.naming(named);
      return self;
    }
    double shown(double prediction) const override {
      if constexpr (requires { loss.shown(prediction); }) return loss.shown(prediction);
      return prediction;
    }
  };
  std::shared_ptr<const Base> held_;
};

}  // namespace tarry
