// Numbers s with s = slope(s), slope falling in size as s grows, of several learners side by side: each between the
// slope where its step begins and that where the whole step would end. Two guesses, a secant and a half; any s from the
// true one up to the first is covered by the theorem (docs/theory.md, 7.9), so the larger end is taken.
//
// All searches take the same steps; what is found of one that is closed does not count. So nothing branches on a
// number, and the loops are a few instructions for all lanes.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace tarry {

template <std::size_t kLanes>
class ImplicitSearches {
 public:
  using Lanes = std::array<double, kLanes>;

  // `open`: 0 where the first slope is also the last.
  ImplicitSearches(const Lanes& first, const Lanes& open) : first_(first), high_(first), asked_(first), open_(open) {
    for (std::size_t k = 0; k < kLanes; ++k) open_[k] = first_[k] == 0 ? 0 : open_[k];
  }

  // slopes_at(asked) gives the slope at each number asked for; where nothing is asked, that is 0.
  template <class SlopesAt>
  void run(SlopesAt slopes_at) {
    if (!any()) return;
    tell_high(slopes_at(asked()));
    if (!any()) return;
    tell_low(slopes_at(asked()));
    if (!any()) return;
    tell_guess(slopes_at(asked()));
    for (std::size_t k = 0; k < kLanes; ++k) ask(k, low_[k] + (high_[k] - low_[k]) / 2);
    if (any()) tell_guess(slopes_at(asked()));
  }
  const Lanes& found() const { return high_; }

 private:
  static constexpr double kSame = 1 + 1e-12;

  bool any() const {
    double count = 0;
    for (const double open : open_) count += open;
    return count > 0;
  }
  const Lanes& asked() {
    for (std::size_t k = 0; k < kLanes; ++k) asked_[k] = open_[k] > 0 ? asked_[k] : 0;
    return asked_;
  }
  void ask(std::size_t k, double s) {
    asked_[k] = s;
    open_[k] = std::fabs(s) <= std::numeric_limits<double>::max() ? open_[k] : 0;
  }

  void tell_high(const Lanes& slopes) {
    for (std::size_t k = 0; k < kLanes; ++k) {
      at_high_[k] = slopes[k];
      open_[k] = std::fabs(slopes[k]) * kSame >= std::fabs(high_[k]) ? 0 : open_[k];  // a slope that does not change
      asked_[k] = low_[k] = slopes[k] * first_[k] > 0 ? slopes[k] : 0;
    }
  }
  void tell_low(const Lanes& slopes) {
    for (std::size_t k = 0; k < kLanes; ++k) {
      at_low_[k] = slopes[k];
      const double off_high = high_[k] - at_high_[k], off_low = low_[k] - at_low_[k];
      ask(k, high_[k] - off_high * ((high_[k] - low_[k]) / (off_high - off_low)));
    }
  }
  // A straight slope: the secant hits.
  void tell_guess(const Lanes& slopes) {
    for (std::size_t k = 0; k < kLanes; ++k) {
      const double guessed = asked_[k], at = slopes[k];
      const double below = at * first_[k] <= 0 ? 0 : std::fabs(guessed) * kSame >= std::fabs(at) ? 0 : open_[k];
      const double above = open_[k] - below;
      high_[k] = above > 0 ? guessed : high_[k];
      low_[k] = below > 0 ? guessed : low_[k];
      open_[k] = std::fabs(guessed - at) <= (kSame - 1) * std::fabs(guessed) ? 0 : open_[k];
    }
  }

  Lanes first_, high_, at_high_ = {}, low_ = {}, at_low_ = {}, asked_, open_;
};

// One of them.
template <class Slope>
double implicit_step(double first, Slope slope) {
  ImplicitSearches<1> search({first}, {1});
  search.run([&](const std::array<double, 1>& asked) { return std::array<double, 1>{slope(asked[0])}; });
  return search.found()[0];
}

}  // namespace tarry
