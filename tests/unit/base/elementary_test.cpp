#include "tarry/base/elementary.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numbers>

#include "sanitized.h"
#include "tarry/base/random.h"

namespace tarry {
namespace {

using Long = long double;  // 64 bits on x86: errors to a two-thousandth of a double's unit
using Draw = std::function<double(RandomSequence&)>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();
constexpr double kLeast = std::numeric_limits<double>::min();
constexpr double kMost = std::numeric_limits<double>::max();
constexpr int kPoints = cases(1'000'000);

std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }

double error_in_units(double got, Long wanted) {
  if (std::isnan(got) || std::isnan(wanted)) return std::isnan(got) && std::isnan(wanted) ? 0 : kInfinity;
  const auto nearest = static_cast<double>(wanted);
  if (std::isinf(got) || std::isinf(nearest)) return got == nearest ? 0 : kInfinity;
  int exponent = 0;
  std::frexp(wanted, &exponent);
  return static_cast<double>(std::fabs(got - wanted) / std::ldexp(Long{1}, std::max(exponent - 53, -1074)));
}

Draw between(double low, double high) {
  return [=](RandomSequence& random) { return random.uniform(low, high); };
}
Draw beside(double centre, double most) {  // at all distances
  return [=](RandomSequence& random) {
    return centre + random.uniform(-1, 1) * std::ldexp(most, -static_cast<int>(random.below(60)));
  };
}
double any_double(RandomSequence& random) {
  while (true) {
    const auto bits = static_cast<std::uint64_t>(random.below(1ull << 32)) << 32 | random.below(1ull << 32);
    const auto x = std::bit_cast<double>(bits);
    if (std::isfinite(x)) return x;
  }
}
double any_positive(RandomSequence& random) { return std::fabs(any_double(random)); }

template <class Function, class Exact>
void expect_near(const char* what, Function f, Exact exact, const Draw& draw, double most = 0.515,
                 int points = kPoints) {
  RandomSequence random(std::hash<std::string_view>()(what) % 1000);
  double worst = 0, at = 0;
  for (int i = 0; i < points; ++i) {
    const double x = draw(random), error = error_in_units(f(x), exact(static_cast<Long>(x)));
    if (error > worst) worst = error, at = x;
  }
  EXPECT_LE(worst, most) << what << " at " << at;
}

TEST(Elementary, ExponentialsAreNear) {
  const auto f = [](double x) { return tarry::exp(x); };
  const auto exact = [](Long x) { return std::exp(x); };
  expect_near("exp", f, exact, between(-2, 2));
  expect_near("exp, all", f, exact, between(-750, 712));
  expect_near("exp, subnormal", f, exact, between(-746, -700));
  expect_near("exp, small", f, exact, beside(0, 1));
  const auto g = [](double x) { return tarry::exp2(x); };
  const auto exact2 = [](Long x) { return std::exp2(x); };
  expect_near("exp2", g, exact2, between(-2, 2));
  expect_near("exp2, all", g, exact2, between(-1080, 1026));
  expect_near("exp2, subnormal", g, exact2, between(-1076, -1015));
  for (int k = -1074; k < 1024; ++k) EXPECT_EQ(tarry::exp2(k), std::ldexp(1.0, k));
}

TEST(Elementary, LogarithmsAreNear) {
  const auto f = [](double x) { return tarry::log(x); };
  const auto exact = [](Long x) { return std::log(x); };
  expect_near("log", f, exact, between(0.5, 3));
  expect_near("log, all", f, exact, any_positive);
  expect_near("log, at 1", f, exact, beside(1, 0.1));
  expect_near("log, subnormal", f, exact, between(0, kLeast));
  const auto g = [](double x) { return tarry::log1p(x); };
  const auto exact1 = [](Long x) { return std::log1p(x); };
  expect_near("log1p", g, exact1, between(-1, 2));
  expect_near("log1p, all", g, exact1, any_double);
  expect_near("log1p, at 0", g, exact1, beside(0, 0.5));
  expect_near("log1p, at -1", g, exact1, beside(-1, 0.5));
  expect_near("log1p, large", g, exact1, between(1, 1e17));
  const auto h = [](double x) { return tarry::log2(x); };
  const auto exact2 = [](Long x) { return std::log2(x); };
  expect_near("log2, all", h, exact2, any_positive);
  expect_near("log2, at 1", h, exact2, beside(1, 0.5));
  for (int k = -1074; k < 1024; ++k) EXPECT_EQ(tarry::log2(std::ldexp(1.0, k)), k);
}

// powl itself errs by a few thousandths of a double's unit.
TEST(Elementary, PowersAreNear) {
  for (const double y : {0.75, 0.25, 2.0 / 3, 1.5, -0.5, 3.0, -7.0, 1e-3, 100.0, 1.01}) {
    const auto f = [y](double x) { return tarry::pow(x, y); };
    const auto exact = [y](Long x) { return std::pow(x, static_cast<Long>(y)); };
    expect_near("pow", f, exact, between(0, 10), 0.52, kPoints / 10);
    expect_near("pow, at 1", f, exact, beside(1, 0.5), 0.52, kPoints / 10);
  }
  RandomSequence random(8);
  const auto expect_pair = [](double x, double y) {
    const double error = error_in_units(tarry::pow(x, y), std::pow(static_cast<Long>(x), static_cast<Long>(y)));
    EXPECT_LE(error, 0.52) << x << " to the " << y;
  };
  for (int i = 0; i < kPoints / 4; ++i) {
    const double x = any_positive(random), near_one = 1 + random.uniform(-0.5, 0.5) / (1 + i % 1000);
    expect_pair(x, random.uniform(-750, 715) / std::log(x));
    expect_pair(near_one, random.uniform(-750, 715) / std::log(near_one));
    expect_pair(any_double(random), any_double(random));
    expect_pair(random.uniform(-20, 20), std::floor(random.uniform(-200, 200)));
  }
  for (int base = -20; base <= 20; ++base)
    for (int n = 0, power = 1; n < 7; ++n, power *= base) EXPECT_EQ(tarry::pow(base, n), power);
  for (double root = 1; root < 3000; ++root) {
    EXPECT_EQ(tarry::pow(root * root, 0.5), root);
    EXPECT_EQ(tarry::cbrt(root * root * root), root);
  }
}

TEST(Elementary, RootsAndLengthsAreNear) {
  const auto f = [](double x) { return tarry::cbrt(x); };
  const auto exact = [](Long x) { return std::cbrt(x); };
  expect_near("cbrt", f, exact, between(-8, 8));
  expect_near("cbrt, all", f, exact, any_double);
  expect_near("cbrt, subnormal", f, exact, between(0, kLeast));
  for (const double y : {1.0, 1e-3, 1e300, 1e-300, 3e-310, 0.0}) {
    const auto g = [y](double x) { return tarry::hypot(x, y); };
    const auto length = [y](Long x) { return std::hypot(x, static_cast<Long>(y)); };
    const double most = y < kLeast ? 1 : 0.515;  // subnormals are rounded twice
    expect_near("hypot", g, length, between(-5 * y, 5 * y), most);
    expect_near("hypot, all", g, length, any_double, most, kPoints / 4);
  }
  EXPECT_EQ(tarry::hypot(3, -4), 5);
}

// Within an eighth of a turn first: beyond it, long π is too short.
Long turned(Long t, bool cosine) {
  t -= std::rint(t);
  const Long quarters = std::rint(4 * t), angle = 2 * std::numbers::pi_v<Long> * (t - quarters / 4);
  const int turn = (static_cast<int>(quarters) + (cosine ? 1 : 0) + 4) % 4;
  const Long value = turn % 2 == 0 ? std::sin(angle) : std::cos(angle);
  return turn >= 2 ? -value : value;
}

TEST(Elementary, TurnsAreNear) {
  const auto sine = [](double t) { return sin_turns(t); };
  const auto cosine = [](double t) { return cos_turns(t); };
  for (const Draw& draw : {between(-2, 2), beside(0, 0.1), beside(0.25, 0.1), beside(0.5, 0.1), beside(-0.75, 0.1),
                           between(-1e6, 1e6), between(-1e16, 1e16), between(-3e12, 3e12)}) {
    expect_near(
        "sin", sine, [](Long t) { return turned(t, false); }, draw);
    expect_near(
        "cos", cosine, [](Long t) { return turned(t, true); }, draw);
  }
  EXPECT_EQ(cos_turns(0.25), 0);
  EXPECT_EQ(cos_turns(0.5), -1);
  EXPECT_EQ(sin_turns(0.25), 1);
  EXPECT_EQ(sin_turns(1e300), 0);
  EXPECT_EQ(cos_turns(-1e300), 1);
  EXPECT_EQ(bits_of(sin_turns(-0.0)), bits_of(-0.0));
  for (double x : {kInfinity, -kInfinity, kNan}) {
    EXPECT_TRUE(std::isnan(sin_turns(x)));
    EXPECT_TRUE(std::isnan(cos_turns(x)));
  }
}

// The C library follows Annex F there.
TEST(Elementary, SpecialValuesAreThoseOfC) {
  const auto same = [](double got, Long wanted) {
    const auto nearest = static_cast<double>(wanted);
    if (std::isfinite(nearest) && nearest != 0) return error_in_units(got, wanted) <= 0.52;
    return std::isnan(nearest) ? std::isnan(got) : bits_of(got) == bits_of(nearest);
  };
  const double special[] = {0,         1,      2,           3,           0.5,   1.5,    kTiny, kLeast,    kMost,
                            kInfinity, kNan,   1 - 0x1p-53, 1 + 0x1p-52, 710,   746,    1024,  1076,      1e9,
                            0x1p52,    0x1p53, 0x1p53 - 1,  0x1p64,      1e300, 1e-300, 1e-30, kLeast / 3};
  for (double size : special)
    for (double x : {size, -size}) {
      const auto exact = static_cast<Long>(x);
      EXPECT_PRED2(same, tarry::exp(x), std::exp(exact)) << x;
      EXPECT_PRED2(same, tarry::exp2(x), std::exp2(exact)) << x;
      EXPECT_PRED2(same, tarry::log(x), std::log(exact)) << x;
      EXPECT_PRED2(same, tarry::log2(x), std::log2(exact)) << x;
      EXPECT_PRED2(same, tarry::log1p(x), std::log1p(exact)) << x;
      EXPECT_PRED2(same, tarry::cbrt(x), std::cbrt(exact)) << x;
      for (double other : special)
        for (double y : {other, -other}) {
          const auto exact_y = static_cast<Long>(y);
          EXPECT_PRED2(same, tarry::pow(x, y), std::pow(exact, exact_y)) << x << " to the " << y;
          EXPECT_PRED2(same, tarry::hypot(x, y), std::hypot(exact, exact_y)) << x << ", " << y;
        }
    }
}

TEST(Elementary, NeighboursStayInOrder) {
  RandomSequence random(4);
  for (int i = 0; i < kPoints / 10; ++i) {
    double x =
        i % 2 == 0 ? random.uniform(-5, 5) : std::ldexp(random.uniform(), static_cast<int>(random.below(60)) - 50);
    for (int step = 0; step < 4; ++step) {
      const double next = std::nextafter(x, kInfinity);
      ASSERT_LE(tarry::exp(x), tarry::exp(next)) << x;
      ASSERT_LE(tarry::exp2(x), tarry::exp2(next)) << x;
      ASSERT_LE(tarry::cbrt(x), tarry::cbrt(next)) << x;
      if (x > -1) {
        ASSERT_LE(tarry::log1p(x), tarry::log1p(next)) << x;
      }
      if (x > 0) {
        ASSERT_LE(tarry::log(x), tarry::log(next)) << x;
        ASSERT_LE(tarry::pow(x, 0.75), tarry::pow(next, 0.75)) << x;
      }
      x = next;
    }
  }
}

// A hash over a million results of each. Whoever changes the functions changes every game that was played with them.
TEST(Elementary, HaveTheirBits) {
  const auto hash = [](auto&& f, const Draw& draw) {
    RandomSequence random(2024);
    std::uint64_t sum = 0;
    for (int i = 0; i < 1'000'000; ++i) {
      const double x = draw(random), y = f(x);
      sum = (sum ^ (std::isnan(y) ? 0 : bits_of(y))) * 0x9E3779B97F4A7C15u;
      sum ^= sum >> 29;
    }
    return sum;
  };
  EXPECT_EQ(hash([](double x) { return tarry::exp(x); }, between(-750, 712)), 0x58681e413d9234d0u);
  EXPECT_EQ(hash([](double x) { return tarry::exp2(x); }, between(-1080, 1026)), 0x6fec895ea48ae458u);
  EXPECT_EQ(hash([](double x) { return tarry::log(x); }, any_positive), 0x08499e0c54164357u);
  EXPECT_EQ(hash([](double x) { return tarry::log(x); }, beside(1, 0.5)), 0x4ab8dcd5b45379b3u);
  EXPECT_EQ(hash([](double x) { return tarry::log1p(x); }, beside(0, 1)), 0x0f8d1405cc81851eu);
  EXPECT_EQ(hash([](double x) { return tarry::log2(x); }, any_positive), 0x8c5f16468221e4d5u);
  EXPECT_EQ(hash([](double x) { return tarry::pow(x, 0.75); }, any_positive), 0x2f12620fe487cadau);
  EXPECT_EQ(hash([](double x) { return tarry::pow(1.7, x); }, between(-1400, 1400)), 0x6df3d497303571abu);
  EXPECT_EQ(hash([](double x) { return tarry::cbrt(x); }, any_double), 0x6b0061489a643df9u);
  EXPECT_EQ(hash([](double x) { return tarry::hypot(x, 1.3); }, between(-9, 9)), 0xe459b69caa1a28d1u);
  EXPECT_EQ(hash([](double x) { return sin_turns(x); }, between(-9, 9)), 0x36f3ec3c1bc601fau);
  EXPECT_EQ(hash([](double x) { return cos_turns(x); }, between(-9, 9)), 0x75d8dc27d68ca5f3u);
  const Random random(2024);
  std::uint64_t at = 0;
  EXPECT_EQ(hash([&](double) { return random.gaussian(at++); }, between(0, 1)), 0x2eae53e784296704u);
}

}  // namespace
}  // namespace tarry
