#include "tarry/model/given_up.h"

#include <algorithm>

namespace tarry {

// Actions without probability could not be taken.
void GivenUp::played(const std::vector<RankedAction>& ranking) {
  double best = 0, expected = 0;
  bool first = true;
  for (const RankedAction& each : ranking) {
    if (each.probability == 0) continue;
    best = first ? each.reward : std::max(best, each.reward);
    first = false;
    expected += each.probability * each.reward;
  }
  rounds_ += 1;
  const double given_up = std::max(0.0, best - expected);  // below 0 by rounding alone
  const auto add = [&](Means& means, double count) {
    means.given_up += (given_up - means.given_up) / count;
    means.best += (best - means.best) / count;
  };
  add(all_, static_cast<double>(rounds_));
  add(lately_, std::min(kLately, static_cast<double>(rounds_)));
}

GivenUp::Figures GivenUp::figures() const {
  const auto cost = [](const Means& means) {
    Cost told{.reward = means.given_up};
    if (means.best > 0 && means.given_up <= means.best) told.share = means.given_up / means.best;
    return told;
  };
  return {.rounds = rounds_, .all = cost(all_), .lately = cost(lately_)};
}

void GivenUp::save(ByteWriter& out) const {
  out.u64(rounds_);
  for (const double x : {all_.given_up, all_.best, lately_.given_up, lately_.best}) out.f64(x);
}

void GivenUp::load(ByteReader& in) {
  rounds_ = in.u64();
  for (Means* each : {&all_, &lately_}) {
    each->given_up = in.size();
    each->best = in.f64();
  }
}

spec::Value to_value(const GivenUp::Figures& figures) {
  using spec::Value;
  const auto members = [](const GivenUp::Cost& cost) {
    return spec::Object{{"cost", Value{cost.reward}}, {"share", cost.share ? Value{*cost.share} : Value{}}};
  };
  spec::Object out = members(figures.all);
  out.insert(out.begin(), {"rounds", Value{static_cast<std::int64_t>(figures.rounds)}});
  out.emplace_back("lately", Value{members(figures.lately)});
  return {std::move(out)};
}

}  // namespace tarry
