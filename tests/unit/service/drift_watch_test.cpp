#include "tarry/service/watch/drift_watch.h"

#include <gtest/gtest.h>

#include "tarry/base/random.h"
#include "tarry/model/model_spec.h"

namespace tarry::service {
namespace {

constexpr std::int64_t kBegan = 1'794'000'000'000, kStep = 120'000, kDays = 24 * 3'600'000LL;

// Two weeks of parcels, a decision every two minutes and its label an hour later; then what `broken` does to them.
struct Told {
  DriftWatch watch;
  std::int64_t now = kBegan;
};
template <class F>
Told watched(double days_after, F broken) {
  hosting::HostedModel model("m", ModelSpec::parse(R"({"task": "binary"})").json());
  Told told;
  RandomSequence draw(4);
  const auto apply = [&](Event event) {
    const hosting::Apply entry{.incarnation = 1, .at_ms = told.now, .event = std::move(event)};
    const hosting::Folded folded = model.apply(entry, 1);
    told.watch.folded(model.model(), entry.event, folded, told.now);
    return folded;
  };
  std::deque<std::pair<Round, bool>> waiting;
  const std::int64_t breaks = kBegan + 14 * kDays;
  const auto ends = static_cast<std::int64_t>(static_cast<double>(breaks) + days_after * kDays);
  for (; told.now < ends; told.now += kStep) {
    NamedFeatures features{{"distance", draw.uniform(1, 9)}, {"express", draw.uniform() < 0.3}};
    bool label = draw.uniform() < 0.4;
    const bool lost = told.now >= breaks && !broken(features, label);
    waiting.emplace_back(apply(Play{Features(std::move(features)), {}}).round, label);
    if (waiting.size() <= 30) continue;
    if (!lost) apply(Label{waiting.front().first, waiting.front().second});
    waiting.pop_front();
  }
  return told;
}

TEST(DriftWatch, SaysWhichFeatureIsMissingSinceWhen) {
  const Told told = watched(1.5, [](NamedFeatures& features, bool&) {
    features.erase(features.begin());
    return true;
  });
  EXPECT_TRUE(told.watch.alarmed());
  EXPECT_NE(told.watch.sentences(told.now).find(
                "Values of \"distance\" differ from what is usual: 100 % are missing (usually 0 %)"),
            std::string::npos)
      << told.watch.sentences(told.now);
  EXPECT_NE(told.watch.sentences(told.now).find(" hours now. Look at what sends this feature. "), std::string::npos)
      << told.watch.sentences(told.now);
  std::string json;
  told.watch.append(json);
  EXPECT_NE(json.find(R"("kind":"feature","column":"distance")"), std::string::npos) << json;
}

TEST(DriftWatch, SaysThatLabelsDoNotCome) {
  const Told told = watched(0.5, [](NamedFeatures&, bool&) { return false; });
  EXPECT_NE(told.watch.sentences(told.now).find("Fewer labels come than usual: 0 where 2"), std::string::npos)
      << told.watch.sentences(told.now);
}

TEST(DriftWatch, SaysThatAClassStopsComing) {
  const Told told = watched(1, [](NamedFeatures&, bool& label) {
    label = false;
    return true;
  });
  EXPECT_TRUE(
      told.watch.sentences(told.now).starts_with("Labels differ from what is usual: 0 % are 1 or true (usually "))
      << told.watch.sentences(told.now);
}

TEST(DriftWatch, HasNothingToSayOfWhatIsUsual) {
  const Told told = watched(6, [](NamedFeatures&, bool&) { return true; });
  EXPECT_FALSE(told.watch.alarmed());
  EXPECT_EQ(told.watch.sentences(told.now), "");
}

}  // namespace
}  // namespace tarry::service
