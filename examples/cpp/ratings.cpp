// Ratings of a million users for a million items under a trace-norm bound: predict, and learn when the rating comes.
#include <cstdio>
#include <deque>

#include "tarry/base/random.h"
#include "tarry/learners/frank_wolfe/delayed_ofw.h"
#include "tarry/losses/regression.h"
#include "tarry/model/model.h"
#include "tarry/sets/matrices/nuclear_ball.h"

int main() {
  const tarry::Index users = 1'000'000, items = 1'000'000;
  const tarry::NuclearBall matrices(users, items, 60);
  tarry::Model model(matrices, tarry::DelayedOfw<tarry::NuclearBall>(matrices, tarry::OfwRule(0.5), matrices.shape()),
                     tarry::SquaredLoss());
  tarry::RandomSequence random(1);
  double first = 0, last = 0;
  std::deque<double> late;  // ratings that are known 20 rounds after the prediction
  for (tarry::Round t = 1; t <= 2000; ++t) {
    const auto user = static_cast<tarry::Index>(random.below(30)), item = static_cast<tarry::Index>(random.below(20));
    const tarry::Index entry[] = {user * 31'337 % users * items + item * 77'777 % items};
    const double one[] = {1};
    const double rating = user % 2 == item % 2 ? 1 : -1;  // two tastes
    const double miss = model.apply(tarry::Play{tarry::Covector::sparse(entry, one)}).prediction - rating;
    (t <= 1000 ? first : last) += miss * miss / 1000;
    late.push_back(rating);
    if (late.size() <= 20) continue;
    model.apply(tarry::Label{t - 20, late.front()});
    late.pop_front();
  }
  std::printf("mean squared error: %.2f, then %.2f\n", first, last);
}
