#include "tarry/service/watch/name_watch.h"

#include <gtest/gtest.h>

#include "tarry/model/model_spec.h"

namespace tarry::service {
namespace {

TEST(NameWatch, CountsLettersThatAreApart) {
  EXPECT_EQ(letters_apart("amount", "amount", 2), 0u);
  EXPECT_EQ(letters_apart("amuont", "amount", 2), 1u);  // swapped
  EXPECT_EQ(letters_apart("Amount", "amount", 2), 0u);
  EXPECT_EQ(letters_apart("amont", "amount", 2), 1u);
  EXPECT_EQ(letters_apart("ammounts", "amount", 2), 2u);
  EXPECT_GT(letters_apart("city", "amount", 2), 2u);
  EXPECT_EQ(letters_apart("", "ab", 2), 2u);
}

TEST(NameWatch, TellsTheNearestKnownName) {
  Model model = make_model(ModelSpec::parse(R"({"task": "binary"})"));
  NameWatch watch;
  watch.begin(model);
  Round round = 0;
  const auto play = [&](const NamedFeatures& features) {
    const Event event = Play{.features = Features(features)};
    model.apply(event);
    watch.saw(model, event, ++round, 1000);
  };
  while (round < NameWatch::kWarmUp) play({{"amount", 1.0}, {"count", 2.0}, {"city", std::string("Paris")}});
  EXPECT_EQ(watch.told(), "");
  play({{"amuont", 1.0}, {"city", std::string("Rome")}});  // a new word is no new name
  play({{"amuont", 1.0}});
  play({{"missing", FeatureValue()}, {"height", 3.0}});
  ASSERT_EQ(watch.news().size(), 2u);
  EXPECT_EQ(watch.news()[0].rounds, 2u);
  EXPECT_EQ(watch.told(), "amuont is new since round 101: did you mean amount?; height is new since round 103");
}

}  // namespace
}  // namespace tarry::service
