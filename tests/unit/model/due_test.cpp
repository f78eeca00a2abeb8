// Rounds that say when their answer is due: what being open means depends on how much of that time has passed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sanitized.h"
#include "tarry/base/random.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/snapshot.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

// Bookings: a cancellation comes at any time before the day of arrival, which differs widely; who comes is known then.
struct Booking {
  double x, arrival, known;
  bool cancelled;
  double chance() const { return 1 / (1 + std::exp(2 - x)); }
};

std::vector<Booking> bookings(std::size_t count, std::uint64_t seed) {
  RandomSequence random(seed);
  std::vector<Booking> all;
  for (std::size_t t = 0; t < count; ++t) {
    const auto now = static_cast<double>(t);
    Booking one{random.gaussian(), now + std::exp(4 + 5 * random.uniform()), 0, false};
    one.cancelled = random.uniform() < one.chance();
    one.known = one.cancelled ? now + random.uniform() * (one.arrival - now) : one.arrival;
    all.push_back(one);
  }
  return all;
}

class Hotel {
 public:
  Hotel(const std::string& spec, bool told) : model(make_model(ModelSpec::parse(spec))), told_(told) {}

  // The log-loss of all bookings.
  double play(const std::vector<Booking>& all) {
    double loss = 0;
    for (const Booking& one : all) loss += step(one);
    return loss;
  }
  double step(const Booking& one) {
    const auto now = static_cast<double>(model.ledger().issued());
    for (; !labels_.empty() && labels_.begin()->first <= now; labels_.erase(labels_.begin()))
      model.label(labels_.begin()->second.first, labels_.begin()->second.second, std::nullopt,
                  {.now = told_ ? std::optional(labels_.begin()->first) : std::nullopt});
    const NamedFeatures features{{"x", one.x}};
    const PlayTimes times = told_ ? PlayTimes{.now = now, .due = one.arrival} : PlayTimes{};
    const auto played = model.play(FeaturesView(features), "", times);
    labels_.emplace(one.known, std::pair(played.round, one.cancelled));
    const double p = std::clamp(model.shown(played.prediction), 1e-12, 1 - 1e-12);
    return -std::log(one.cancelled ? p : 1 - p);
  }

  // The same from a snapshot.
  Hotel again() const {
    Hotel other(model.spec(), told_);
    other.model = load_snapshot(snapshot_bytes(model));
    other.labels_ = labels_;
    return other;
  }

  Model model;

 private:
  bool told_;
  std::multimap<double, std::pair<Round, bool>> labels_;
};

constexpr const char* kCancelled = R"({"task": "binary"})";

TEST(Due, TimesThatAreToldHelp) {
  if (kSanitized) GTEST_SKIP() << "long, and nothing in it is new to the sanitizers";
  double told = 0, untold = 0;  // what is lost beyond what the planted chances lose
  for (std::uint64_t seed : {1, 2, 3, 4}) {
    const auto all = bookings(4000, seed);
    double best = 0;
    for (const Booking& one : all) best -= std::log(one.cancelled ? one.chance() : 1 - one.chance());
    told += Hotel(kCancelled, true).play(all) - best;
    untold += Hotel(kCancelled, false).play(all) - best;
  }
  EXPECT_LT(told, 0.95 * untold);
}

TEST(Due, RoundsGoOnFromASnapshotHalfWay) {
  const auto all = bookings(1500, 7);
  Hotel hotel(R"({"task": "binary", "revisable": 100})", true);
  for (std::size_t t = 0; t < 1000; ++t) hotel.step(all[t]);
  Hotel other = hotel.again();
  EXPECT_EQ(other.model.hash(), hotel.model.hash());
  EXPECT_EQ(hotel.model.freeze().hash(), hotel.model.hash());
  for (std::size_t t = 1000; t < 1500; ++t) ASSERT_EQ(other.step(all[t]), hotel.step(all[t])) << t;
  EXPECT_EQ(other.model.hash(), hotel.model.hash());
}

// Bookings may come in batches, and between two of them no round is played: labels say how time passes.
TEST(Due, RoundsAreLookedAtWhenALabelComes) {
  Hotel hotel(kCancelled, true);
  for (const Booking& one : bookings(3000, 5)) hotel.step(one);
  const auto kept = [&](Round but) {  // of the rounds that wait: more where a target has moved
    std::size_t numbers = 0;
    for (const Round round : hotel.model.ledger().waiting())
      if (round != but) numbers += hotel.model.ledger().peek(round)->context.memo.size();
    return numbers;
  };
  const Round oldest = hotel.model.ledger().oldest_outstanding();
  const std::size_t before = kept(oldest);
  hotel.model.label(oldest, true, std::nullopt, {.now = 3400.0});
  EXPECT_GT(kept(oldest), before);
}

TEST(Due, NeedsToKnowWhenTheRoundIsPlayed) {
  Model model = make_model(ModelSpec::parse(kCancelled));
  const NamedFeatures features{{"x", 1.0}};
  const std::string before = model.hash();
  EXPECT_ERROR(model.play(FeaturesView(features), "", {.due = 5.0}), Code::kBadInput,
               "now must come with due: when the round is played, by the same clock");
  EXPECT_EQ(model.hash(), before);
}

}  // namespace
}  // namespace tarry
