// A bank remembers the row that it played last; its copies do not, and have to look everything up.
#include "tarry/learners/descent/played_row.h"

#include <gtest/gtest.h>

#include "tarry/base/random.h"
#include "tarry/learners/descent/implicit_adagrad.h"
#include "tarry/losses/classification.h"

namespace tarry {
namespace {

constexpr Index kCoordinates = 60;

struct Entries {
  std::vector<Index> at;
  Vec values;

  Covector row() const { return Covector::sparse(at, values); }
};

// Of the coordinates below `end`; some of the values are 0.
Entries some_entries(RandomSequence& random, Index end) {
  Entries row;
  for (Index i = 0; i < end; ++i)
    if (random.uniform() < 0.2) {
      row.at.push_back(i);
      row.values.push_back(random.uniform() < 0.1 ? 0 : random.gaussian());
    }
  return row;
}

template <class Bases>
std::string bytes_of(const Bases& bases) {
  ByteWriter out;
  bases.save(out);
  return out.take();
}

template <class Bases>
void learn(Bases& bases, const Entries& row, double label) {
  const AnyLoss logistic = LogisticLoss();
  const KnownLoss known{row.row(), logistic, label};
  bases.receive(1, {.gradient = row.row(), .known = &known, .predictions = {}}, {}, {});
}

// Labels right after the play, after another row's label, and of rows that were not played last.
template <class Bases>
void expect_memory_changes_nothing(Bases bases) {
  RandomSequence random(4);
  Entries before = some_entries(random, 5);
  Memo memo;
  Vec predictions(bases.size()), again(bases.size());
  for (int t = 0; t < 200; ++t) {
    const Entries row = some_entries(random, std::min<Index>(kCoordinates, 5 + t / 2));  // room for all comes later
    const Covector played = row.row();
    bases.play(1, &played, predictions, memo);
    Bases other = bases;
    const double label = random.uniform() < 0.4 ? 1 : -1;
    const bool late = t % 3 == 1, twice = t % 7 == 0;
    for (Bases* one : {&bases, &other}) {
      if (late) learn(*one, before, label);
      learn(*one, row, label);
      if (twice) learn(*one, row, -label);
    }
    ASSERT_EQ(bytes_of(bases), bytes_of(other)) << "round " << t;
    bases.predict(played, predictions);
    other.predict(played, again);
    ASSERT_EQ(predictions, again) << "round " << t;
    before = row;
  }
}

TEST(PlayedRow, ALabelTeachesTheSameWhetherItsRowIsRemembered) {
  const Bounds box = Bounds::everywhere(kCoordinates, -10, 10);
  const Start start{kCoordinates, 0, {}};
  for (const Vec& rates : {Vec{2, 1, 0.5, 0.25, 0.125, 0.06, 0.03, 0.01}, Vec{1, 0.5, 0.1}}) {
    expect_memory_changes_nothing(AdagradBases(AdagradBank(box, start, rates)));
    expect_memory_changes_nothing(ImplicitBases(box, start, rates));
  }
}

TEST(PlayedRow, IsKnownBitForBitAndForgottenInACopy) {
  PlayedRow played;
  const Entries row{{1, 4}, {0.5, 0}}, other{{1, 5}, {0.5, 0}}, minus{{1, 4}, {0.5, -0.0}};
  EXPECT_FALSE(played.is(row.row()));
  played.begin(2);
  played.remember(row.row(), Vec{3});
  EXPECT_TRUE(played.is(row.row()));
  EXPECT_FALSE(played.is(other.row()));
  EXPECT_FALSE(played.is(minus.row()));
  EXPECT_FALSE(played.is(Covector::sparse(row.at, row.values).slice(1, 6)));
  EXPECT_FALSE(PlayedRow(played).is(row.row()));
  played.forget();
  EXPECT_FALSE(played.is(row.row()));
}

}  // namespace
}  // namespace tarry
