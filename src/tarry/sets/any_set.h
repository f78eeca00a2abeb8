// A decision set chosen at run time; itself a DecisionSet, so that every learner has one body.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "tarry/base/error.h"
#include "tarry/sets/half_space.h"
#include "tarry/sets/set.h"

namespace tarry {

// Copies share one set, which never changes: any number of threads may ask any of them, and it lives until the last is
// gone. What an oracle answers is the caller's.
class AnySet {
 public:
  template <DecisionSet K>
    requires(!std::same_as<K, AnySet>)
  AnySet(K set) : held_(std::make_shared<Holds<K>>(std::move(set))) {}

  Need need() const { return held_->need(); }
  Atom oracle(const Direction& c) const { return held_->oracle(c); }
  Start start() const { return held_->start(); }
  Shape shape() const { return held_->shape(); }
  double diameter() const { return held_->diameter(); }
  bool contains(std::span<const double> x, double tolerance) const { return held_->contains(x, tolerance); }

  Index dimension() const { return held_->dimension; }
  std::optional<double> strong_convexity() const { return held_->strong_convexity(); }
  std::optional<double> gauge_curvature() const { return held_->gauge_curvature(); }
  std::optional<Inscribed> inscribed() const { return held_->inscribed(); }
  std::optional<LpShape> lp_shape() const { return held_->lp_shape(); }
  std::optional<Bounds> bounds() const { return held_->bounds(); }
  std::optional<double> simplex_radius() const { return held_->simplex_radius(); }
  std::vector<AnySet> parts() const { return held_->parts(); }  // of a product; none for other sets
  // A vertex as it would be used: of a flow its path alone, of other sets itself.
  SparseAtom without_cycles(SparseAtom v) const { return held_->without_cycles(std::move(v)); }
  bool can_project() const { return held_->can_project(); }
  void project(std::span<double> x) const { held_->project(x); }
  bool can_separate() const { return held_->can_separate(); }
  std::optional<HalfSpace> separate(std::span<const double> y) const { return held_->separate(y); }
  Start centre() const { return held_->centre(); }

 private:
  struct Base {
    Index dimension = 0;
    virtual ~Base() = default;
    virtual Need need() const = 0;
    virtual Atom oracle(const Direction& c) const = 0;
    virtual Start start() const = 0;
    virtual Shape shape() const = 0;
    virtual double diameter() const = 0;
    virtual bool contains(std::span<const double> x, double tolerance) const = 0;
    virtual std::optional<double> strong_convexity() const = 0;
    virtual std::optional<double> gauge_curvature() const = 0;
    virtual std::optional<Inscribed> inscribed() const = 0;
    virtual std::optional<LpShape> lp_shape() const = 0;
    virtual std::optional<Bounds> bounds() const = 0;
    virtual std::optional<double> simplex_radius() const = 0;
    virtual std::vector<AnySet> parts() const = 0;
    virtual SparseAtom without_cycles(SparseAtom v) const = 0;
    virtual bool can_project() const = 0;
    virtual void project(std::span<double> x) const = 0;
    virtual bool can_separate() const = 0;
    virtual std::optional<HalfSpace> separate(std::span<const double> y) const = 0;
    virtual Start centre() const = 0;
  };

  template <class K>
  struct Holds final : Base {
    K set;
    explicit Holds(K k) : set(std::move(k)) { dimension = shape_of(set).start.dimension; }

    Need need() const override { return set.need(); }
    Atom oracle(const Direction& c) const override { return set.oracle(c); }
    Start start() const override { return set.start(); }
    Shape shape() const override { return shape_of(set); }
    double diameter() const override { return set.diameter(); }
    bool contains(std::span<const double> x, double tolerance) const override {
      return static_cast<Index>(x.size()) == dimension && set.contains(x, tolerance);
    }
    std::optional<double> strong_convexity() const override {
      if constexpr (requires { set.strong_convexity(); }) return set.strong_convexity();
      return std::nullopt;
    }
    std::optional<double> gauge_curvature() const override {
      if constexpr (requires { set.gauge_curvature(); }) return set.gauge_curvature();
      return std::nullopt;
    }
    std::optional<Inscribed> inscribed() const override {
      if constexpr (requires { set.inscribed(); }) return set.inscribed();
      return std::nullopt;
    }
    std::optional<LpShape> lp_shape() const override {
      if constexpr (requires { set.lp_shape(); }) return set.lp_shape();
      return std::nullopt;
    }
    std::optional<Bounds> bounds() const override {
      if constexpr (requires { set.bounds(); }) return set.bounds();
      return std::nullopt;
    }
    std::optional<double> simplex_radius() const override {
      if constexpr (requires { set.simplex_radius(); }) return set.simplex_radius();
      return std::nullopt;
    }
    std::vector<AnySet> parts() const override {
      if constexpr (requires { set.parts(); }) return set.parts();
      return {};
    }
    SparseAtom without_cycles(SparseAtom v) const override {
      if constexpr (requires { set.without_cycles(std::move(v)); })
        return set.without_cycles(std::move(v));
      else
        return v;
    }
    bool can_project() const override {
      if constexpr (requires { set.can_project(); }) return set.can_project();

      return requires(std::span<double> x) { set.project(x); };
    }
    void project(std::span<double> x) const override {
      if constexpr (requires { set.project(x); })
        if (can_project()) return set.project(x);
      throw Error(Code::kUnsupported, "this set has no cheap projection");
    }
    bool can_separate() const override {
      if constexpr (requires { set.can_separate(); }) return set.can_separate();

      return requires(std::span<const double> y) { set.separate(y); };
    }
    std::optional<HalfSpace> separate([[maybe_unused]] std::span<const double> y) const override {
      if constexpr (requires { set.separate(y); })
        if (can_separate()) return set.separate(y);
      throw Error(Code::kUnsupported, "this set has no cheap separation");
    }
    Start centre() const override {
      if constexpr (requires { set.centre(); }) return set.centre();
      return {dimension, 0, start_point(shape())};
    }
  };

  std::shared_ptr<const Base> held_;
};

static_assert(DecisionSet<AnySet>);

}  // namespace tarry
