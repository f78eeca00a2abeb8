// How often a round allocates: memory that the last round had is used again.
#include <gtest/gtest.h>

#include "sanitized.h"
#include "tarry/model/model_spec.h"
#include "tarry/service/memory/memory.h"

namespace tarry {
namespace {

void play_rounds(Model& model, NamedFeatures& row, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    for (std::size_t j = 0; j < row.size(); ++j) row[j].value = static_cast<double>((7 * i + 3 * j) % 11) / 5 - 1;
    model.label(model.play(FeaturesView(row)).round, i % 3 == 0);
  }
}

TEST(Allocations, ADecisionAndItsLabelTakeFew) {
  if (kSanitized) GTEST_SKIP() << "sanitizers have an operator new of their own";
  constexpr int kRounds = 100, kEach = 8;
  Model model = make_model(ModelSpec::parse(R"({"task": "binary", "learner": {"type": "auto"}})"));
  NamedFeatures row;
  for (int j = 0; j < 10; ++j) row.push_back({"x" + std::to_string(j), 0.0});
  play_rounds(model, row, 100);
  const service::MayFail counted;
  service::fail_allocation(kRounds * kEach + 1);
  EXPECT_NO_THROW(play_rounds(model, row, kRounds));
  EXPECT_FALSE(service::allocation_failed()) << "more than " << kEach << " a round";
  service::fail_allocation(0);
}

// A label that is at hand: what is left is how late labels come, which is summed up every 32 rounds.
TEST(Allocations, APlayWithItsLabelTakesFewerThanTwo) {
  if (kSanitized) GTEST_SKIP() << "sanitizers have an operator new of their own";
  constexpr int kWarm = 2000, kRounds = 1000;
  Model model = make_model(ModelSpec::parse(R"({"task": "binary", "learner": {"type": "auto"}})"));
  NamedFeatures row = {{"x", 0.0}, {"y", 0.0}, {"words", std::vector<std::string>{}}};
  const auto play = [&](int from, int rounds) {
    for (int i = from; i < from + rounds; ++i) {
      row[0].value = static_cast<double>(i % 11) / 5 - 1;
      row[1].value = static_cast<double>(3 * i % 7);
      model.play_and_label(row, i % 3 == 0);
    }
  };
  std::get<std::vector<std::string>>(row[2].value) = {"a", "b", "c", "d"};
  play(0, kWarm);
  const service::MayFail counted;
  service::fail_allocation(2 * kRounds);
  EXPECT_NO_THROW(play(kWarm, kRounds));
  EXPECT_FALSE(service::allocation_failed()) << "two a round, or more";
  service::fail_allocation(0);
}

}  // namespace
}  // namespace tarry
