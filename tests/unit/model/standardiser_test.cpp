#include "tarry/model/standardiser.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tarry/base/random.h"
#include "tarry/learners/descent/adagrad.h"
#include "tarry/losses/classification.h"
#include "tarry/losses/regression.h"
#include "tarry/model/model.h"
#include "tarry/sets/polytopes/box.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

std::map<Index, double> prepare(Standardiser& standardiser, const Vec& row) {
  std::vector<Index> indices;
  Vec values;
  standardiser.prepare(Covector::dense(row), indices, values);
  std::map<Index, double> entries;
  for (std::size_t j = 0; j < indices.size(); ++j) {
    if (j > 0) {
      EXPECT_LT(indices[j - 1], indices[j]);
    }
    entries[indices[j]] = values[j];
  }
  return entries;
}

// Column by column, from all the rows so far: the definition, by two passes.
double by_definition(const std::vector<Vec>& rows, std::size_t column) {
  const double n = static_cast<double>(rows.size()), now = rows.back()[column];
  bool varies = false, frequent = false;
  double so_far = 0, count = 0, sum = 0, squares = 0, nonzero_squares = 0;
  for (const Vec& row : rows) {
    sum += row[column];
    if (row[column] != 0) count += 1;
    so_far += 1;
    frequent = frequent ? count >= 0.4 * so_far : row[column] != 0 && count > so_far / 2;
    varies = varies || row[column] != rows[0][column];
    nonzero_squares += row[column] * row[column];
  }
  const double mean = sum / n;
  for (const Vec& row : rows) squares += (row[column] - mean) * (row[column] - mean);
  if (frequent) return varies ? (now - mean) / std::sqrt(squares / n) : now == 1 ? 1 : 0;
  return now == 0 ? 0 : now / std::sqrt(nonzero_squares / count);
}

TEST(Standardiser, CentresTheFrequentAndScalesTheRare) {
  Standardiser standardiser(6);
  RandomSequence random(3);
  std::vector<Vec> rows;
  for (int t = 0; t < 400; ++t) {
    Vec row(6, 0.0);
    row[0] = 1;                                                    // an intercept
    row[1] = 1e6 + 10 * random.gaussian();                         // always there, far from 0
    if (random.uniform() < 0.8) row[2] = -3 + random.gaussian();   // often
    if (random.uniform() < 0.1) row[3] = 500 * random.gaussian();  // a rare number
    if (random.uniform() < (t < 100 ? 0.6 : 0.1)) row[4] = 1;      // an indicator, frequent and then rare
    row[5] = t < 200 ? 0.4 : random.gaussian();                    // constant for a long time
    rows.push_back(row);
    const auto entries = prepare(standardiser, row);
    for (std::size_t i = 0; i < 6; ++i) {
      const auto entry = entries.find(static_cast<Index>(i));
      ASSERT_NEAR(entry == entries.end() ? 0 : entry->second, by_definition(rows, i), 1e-6) << "row " << t << ", " << i;
    }
  }
}

// Multiplying a feature by anything positive changes nothing, and neither does adding to one that is always there.
TEST(Standardiser, DoesNotSeeUnits) {
  Standardiser one(3), other(3);
  RandomSequence random(5);
  for (int t = 0; t < 200; ++t) {
    const Vec row = {5 + random.gaussian(), random.uniform() < 0.3 ? random.gaussian() : 0, random.gaussian()};
    const auto a = prepare(one, row), b = prepare(other, {1e-6 * row[0] + 7, 1e5 * row[1], 30 * row[2]});
    ASSERT_EQ(a.size(), b.size());
    for (const auto& [i, value] : a) ASSERT_NEAR(b.at(i), value, 1e-5) << "row " << t;
  }
}

// Values whose squares vanish count as zeros: nothing is divided by them.
TEST(Standardiser, TakesTheTiniestForNothing) {
  Standardiser standardiser(2);
  for (double tiny : {5e-324, 1e-170, 0.0, 1e-170}) EXPECT_TRUE(prepare(standardiser, {tiny, tiny}).empty());
  EXPECT_NEAR(prepare(standardiser, {0, 3}).at(1), 1, 1e-12);
}

// What is rare stays sparse: a row costs its own entries and those of the frequent features, which are few.
TEST(Standardiser, KeepsRareFeaturesSparse) {
  Standardiser standardiser(100000);
  RandomSequence random(7);
  std::vector<Index> indices;
  Vec values;
  for (int t = 0; t < 2000; ++t) {
    std::vector<Index> at = {0};
    for (Index block = 1; block <= 20; ++block) at.push_back(block * 4000 + static_cast<Index>(random.below(4000)));
    standardiser.prepare(Covector::sparse(at, Vec(at.size(), 1.0)), indices, values);
    if (t > 0) {
      ASSERT_LE(indices.size(), 2 * at.size());
    }
    if (t > 4) {
      ASSERT_EQ(indices, at);
    }
  }
}

Model standardising(AnyLoss loss) {
  const Bounds box{Vec(3, -10.0), Vec(3, 10.0)};
  Model model(Box(box), Adagrad(box, Vec(3, 0.0), 0.25), std::move(loss));
  model.standardise();
  return model;
}

// Units of features and labels, and a label's offset, do not change what is learnt: predictions follow the label's
// units.
TEST(Model, StandardisedPredictsTheSameInAnyUnits) {
  Model one = standardising(SquaredLoss{}), other = standardising(SquaredLoss{});
  RandomSequence random(9);
  std::map<Round, double> labels;
  double late_error = 0, late_count = 0;
  for (Round t = 1; t <= 3000; ++t) {
    const Vec row = {2 + random.gaussian(), random.gaussian(), 1};
    labels[t] = 3 * row[0] - row[1] + 0.1 * random.gaussian();
    const double p = one.apply(Play{Covector::dense(row)}).prediction;
    const double q = other.apply(Play{Covector::dense(Vec{1000 * row[0] - 5, 0.01 * row[1], 1})}).prediction;
    if (t > 45) {  // from the first two labels on
      ASSERT_NEAR((q - 900) / 50, p, 1e-4) << "round " << t;
    }
    if (t > 2000) {
      late_error += std::pow(p - labels[t], 2);
      late_count += 1;
    }
    if (t <= 40) continue;
    const double loss = one.apply(Label{t - 40, labels[t - 40]}).loss;
    const double same = other.apply(Label{t - 40, 900 + 50 * labels[t - 40]}).loss;
    if (t > 90) {
      ASSERT_NEAR(same, 2500 * loss, 1e-3 * (1 + 2500 * loss));
    }
  }
  EXPECT_LT(late_error / late_count, 0.1);
}

TEST(Model, StandardisedSaysWhatItCannotDo) {
  Model model = standardising(LogisticLoss{});
  EXPECT_ERROR(model.apply(Play{}), Code::kBadInput, "features must come with the play: this model standardises them");
  const Vec row = {1, 2, 3};
  model.apply(Play{Covector::dense(row)});
  EXPECT_ERROR(model.apply(Gradient{1, Covector::dense(row)}), Code::kBadInput,
               "a gradient does not fit a model that standardises features: give the label");
  EXPECT_EQ(model.ledger().outstanding(), 1u);
  EXPECT_ERROR(model.standardise(), Code::kBadSpec, "standardise must be asked for before the first round");
  Model regression = standardising(SquaredLoss{});
  regression.apply(Play{Covector::dense(row)});
  EXPECT_ERROR(regression.apply(Label{1, 1e60}), Code::kBadInput,
               "label must be at most 1e45 in size where the model standardises (1e+60 came)");
  EXPECT_EQ(regression.apply(Label{1, 4}).answer, Answer::kApplied);
  const Bounds box{Vec(3, -1.0), Vec(3, 1.0)};
  Model bare(Box(box), Adagrad(box, Vec(3, 0.0), 1));
  EXPECT_ERROR(bare.standardise(), Code::kBadSpec,
               "standardise needs a loss: a gradient cannot be told in other units");
}

// In every other row: about the half, which is the border to the frequent. Its form may not change with every row.
TEST(Standardiser, DoesNotChangeAFormForEver) {
  Standardiser standardiser(1);
  for (int t = 0; t < 1000; ++t) {
    const auto entries = prepare(standardiser, {t % 2 == 0 ? 3.0 : 0.0});
    if (t == 0) continue;
    ASSERT_EQ(entries.size(), 1u) << "row " << t;  // centred: zeros as well are something
    ASSERT_NEAR(entries.at(0), t % 2 == 0 ? 1 : -1, 2.0 / t);
  }
}

}  // namespace
}  // namespace tarry
