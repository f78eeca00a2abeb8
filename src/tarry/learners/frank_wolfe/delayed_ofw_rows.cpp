#include "tarry/learners/frank_wolfe/delayed_ofw_rows.h"

#include <fmt/format.h>

#include "tarry/base/elementary.h"

namespace tarry {
namespace {

constexpr const char* kGeneral = R"({"type": "delayed_ofw", "horizon": $T, "gradient_bound": 1})";
constexpr const char* kCurved =
    R"({"type": "delayed_ofw", "horizon": $T, "gradient_bound": 1, "setting": "strongly_convex_set"})";

// Instance 1: a constant gradient from the wrong end costs G D T^{3/4}, or 2 G D T^{2/3} with the other step. In one
// dimension the line search reaches the minimiser of F: y = y₁ − ηḡ/2, clipped to K. So regret is G times the sum of
// the positive D − (t − 1)ηG/2, about D²/η + GD/2: GD(T^{3/4} + ½) or GD(2T^{2/3} + ½).
AnswerRow wrong_end(Round rounds, bool curved) {
  const auto t = static_cast<double>(rounds);
  // An interval is no strongly convex set here, so its step is given as a number.
  const double eta = curved ? 2 / (2 * tarry::pow(t, 2.0 / 3)) : 2 / tarry::pow(t, 0.75);
  const double exact = curved ? 4 * tarry::pow(t, 2.0 / 3) : 2 * tarry::pow(t, 0.75);
  return {.instance = fmt::format("1: constant gradient, T = {}", rounds),
          .learner = {curved ? "delayed_ofw, η of Theorem 2" : "delayed_ofw, η of Theorem 1",
                      fmt::format(R"({{"type": "delayed_ofw", "eta": {}}})", eta)},
          .stream = Instance::kConstant,
          .start = 1,
          .rounds = rounds,
          .delay = 1,
          .exact = exact,
          .tolerance = exact * (rounds >= 10000 ? 0.0006 : 0.003)};
}

// Instance 2: a square wave of half-period 2d costs ¼ G D d T^{1/4}. The comparator's loss is 0. While nothing is
// clipped (dη ≤ 1), x_t = −½ηP(t − d), P the running sum of the gradients: a triangle from 0 to 2d and back. In one
// period P(t − d) sums to d² over the first half and 3d² over the second, so Σ g_t P(t − d) = −2d². There are T/(4d)
// periods, and the first d rounds, which still see P = 0, add ηd(d − 1)/4. Regret is ¼ηd(T + d − 1); at η = 2T^{−3/4}
// and GD = 2, ¼ GDd T^{1/4}(1 + (d − 1)/T).
AnswerRow square_wave(Round delay) {
  constexpr Round kRounds = 40000;
  const double exact = 0.25 * 2 * static_cast<double>(delay) * tarry::pow(static_cast<double>(kRounds), 0.25);
  return {.instance = fmt::format("2: square wave, d = {}", delay),
          .learner = {"delayed_ofw general",
                      fmt::format(R"({{"type": "delayed_ofw", "horizon": {}, "gradient_bound": 1}})", kRounds)},
          .stream = Instance::kSquareWave,
          .start = 0,
          .rounds = kRounds / (4 * delay) * (4 * delay),
          .delay = delay,
          .exact = exact,
          .tolerance = 0.002 * exact};
}

}  // namespace

VerifyRows delayed_ofw_rows() {
  VerifyRows rows{
      .drawn = {{"delayed_ofw general", kGeneral},
                {"delayed_ofw strongly_convex_set", kCurved},
                {"delayed_ofw delay_aware", R"({"type": "delayed_ofw", "horizon": $T, "gradient_bound": 1,)"
                                            R"( "setting": "delay_aware", "mean_delay": 20})"},
                {"delayed_ofw unknown horizon",
                 R"({"type": "delayed_ofw", "horizon": "unknown", "gradient_bound": 1})"},
                {"delayed_ofw unknown gradient_bound",
                 R"({"type": "delayed_ofw", "horizon": $T, "gradient_bound": "unknown"})"}},
      .climbed = {{"delayed_ofw short", R"({"type": "delayed_ofw", "horizon": 50, "gradient_bound": 1})"},
                  {"delayed_ofw curved set",
                   R"({"type": "delayed_ofw", "horizon": 50, "gradient_bound": 1, "setting": "strongly_convex_set"})"}},
      .rates = {{.learner = {"delayed_ofw general", kGeneral},
                 .set = R"({"type": "box", "lower": [-1], "upper": [1]})",
                 .theory = 0.75,
                 .exact = true,
                 .start = 1},
                {.learner = {"delayed_ofw strongly_convex_set", kCurved},
                 .set = R"({"type": "l2_ball", "dimension": 3, "radius": 1})",
                 .theory = 2.0 / 3,
                 .exact = true,
                 .start = 1}}};
  for (const Round rounds : {Round{1000}, Round{10000}})
    for (const bool curved : {false, true}) rows.answers.push_back(wrong_end(rounds, curved));
  for (const Round delay : {1, 5, 20, 80}) rows.answers.push_back(square_wave(delay));
  return rows;
}

}  // namespace tarry
