// Traffic over three routes, whose travel times are known late and out of order: it moves to the fastest.
#include <cstdio>

#include "tarry/learners/frank_wolfe/delayed_ofw.h"
#include "tarry/model/model.h"
#include "tarry/sets/polytopes/simplex.h"

int main() {
  const tarry::Simplex shares(3);
  tarry::Model model(shares, tarry::DelayedOfw<tarry::Simplex>(shares, tarry::OfwRule(0.01)));
  const tarry::Vec minutes = {9, 2, 6};
  for (tarry::Round t = 1; t <= 100; ++t) {
    model.apply(tarry::Play{});  // decides round t
    if (t % 4 != 0) continue;    // nothing has arrived yet
    for (auto late : {t - 1, t - 3, t, t - 2}) model.apply(tarry::Gradient{late, tarry::Covector::dense(minutes)});
  }
  tarry::Vec x(3);
  model.write(x);
  std::printf("%.3f %.3f %.3f\n", x[0], x[1], x[2]);
}
