#include "tarry/ledger/tracking.h"

#include <algorithm>

#include "tarry/base/error.h"
#include "tarry/base/random.h"

namespace tarry {
namespace {

constexpr std::uint64_t kScores = 0x747261636B6564;  // the stream of the draws; a round has one

struct Scored {
  double score;
  Round round;
  auto operator<=>(const Scored&) const = default;
};

}  // namespace

double Tracking::score(Round round, Round newest) const {
  return Random(asked_.seed, kScores).uniform(round) * static_cast<double>(newest - round + 1);
}

std::vector<Round> Tracking::add(Round newest) {
  if (!asked_.any()) return {};
  chance_.set(newest, 1.0);
  if (chance_.size() <= asked_.most) return {};
  std::vector<Scored> all;
  all.reserve(chance_.size());
  chance_.each([&](Round round, double) { all.push_back({score(round, newest), round}); });
  const auto first_to_go = all.begin() + static_cast<std::ptrdiff_t>(asked_.most - asked_.most / 8);
  std::nth_element(all.begin(), first_to_go, all.end());
  const double threshold = first_to_go->score;
  std::vector<Round> gone;
  for (auto each = first_to_go; each != all.end(); ++each) {
    chance_.erase(each->round);
    gone.push_back(each->round);
  }
  std::sort(gone.begin(), gone.end());
  for (auto each = all.begin(); each != first_to_go; ++each) {
    const double now = threshold / static_cast<double>(newest - each->round + 1);
    if (double* chance = chance_.edit(each->round); now < *chance) *chance = now;
  }
  return gone;
}

double Tracking::chance(Round round) const {
  const double* chance = chance_.find(round);
  return chance == nullptr ? 1 : *chance;
}

void Tracking::save(ByteWriter& out) const {
  out.u64(chance_.size());
  chance_.each([&](Round round, double chance) {
    out.u64(round);
    out.f64(chance);
  });
}

void Tracking::load(ByteReader& in) {
  chance_ = {};
  Round before = 0;
  for (std::uint64_t left = in.count(16); left > 0; --left) {
    const Round round = in.u64();
    const double chance = in.f64();
    if (round <= before || !(chance > 0 && chance <= 1))
      throw Error(Code::kCorrupt, "snapshot: a round is tracked with an impossible probability");
    chance_.set(round, chance);
    before = round;
  }
  if (chance_.size() > asked_.most) throw Error(Code::kCorrupt, "snapshot: more rounds wait than may be tracked");
}

}  // namespace tarry
