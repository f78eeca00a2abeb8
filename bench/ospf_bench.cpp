// Times one block of delayed OSPF (n = 10^6, B = 100, the l1 ball) beside the random generator alone, and a round of
// BOLD beside one of delayed OFW at a delay of 1,000. Usage: ospf_bench TURNS
#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "tarry/base/random.h"
#include "tarry/lab/verify/verify.h"
#include "tarry/learners/frank_wolfe/delayed_ospf.h"
#include "tarry/learners/snapshot.h"
#include "tarry/linalg/gaussian.h"
#include "tarry/sets/balls/l1_ball.h"
#include "timing.h"

namespace {

using namespace tarry;
using tarry::bench::Contestant;

constexpr Index kDimension = 1'000'000;
constexpr std::uint64_t kBlock = 100;

Contestant block() {
  auto learner =
      std::make_shared<DelayedOspf>(L1Ball(kDimension, 1), OspfOptions{.delta = 1e-3, .block = kBlock, .seed = 1});
  Vec g(static_cast<std::size_t>(kDimension));
  RandomSequence random(1);
  for (double& x : g) x = random.uniform(-1, 1);
  Memo memo;
  learner->receive(1, {.gradient = Covector::dense(g)}, memo);
  return {"block", 1, [learner] {
            Memo none;
            for (std::uint64_t t = 1; t <= kBlock; ++t) learner->play(t, nullptr, none);  // decides once
          }};
}

Contestant generator() {
  auto z = std::make_shared<std::vector<float>>(kDimension);
  return {"generator", 1, [z] {
            for (std::uint64_t j = 0; j < kBlock; ++j) fill_gaussian(1, j, *z);
          }};
}

// A model that has played long enough for all its rounds to be outstanding, as a game that goes on for 100 rounds a
// call.
struct Late {
  static constexpr Round kDelay = 1000;
  static constexpr Index kSize = 1000;
  Model model;
  std::vector<Vec> gradients;
  Round played = 0;

  explicit Late(const std::string& learner)
      : model(lab::make_model(fmt::format(R"({{"type": "l1_ball", "dimension": {}, "radius": 1}})", kSize), learner)) {
    RandomSequence random(2);
    for (int k = 0; k < 64; ++k) {
      gradients.emplace_back(kSize);
      for (double& x : gradients.back()) x = random.uniform(-1, 1);
    }
    for (Round t = 0; t < 3 * kDelay; ++t) round();
  }

  void round() {
    model.apply(Play{});
    if (++played >= kDelay)
      model.apply(Gradient{played - kDelay + 1, Covector::dense(gradients[played % gradients.size()])});
  }
};

Contestant late(const std::string& name, const std::string& learner, std::vector<Contestant>& memory) {
  auto game = std::make_shared<Late>(learner);
  const double bytes = static_cast<double>(save_learner(game->model.learner()).size());
  memory.push_back({name + "_bytes", 1, [] {}, {bytes}});
  return {name, 100, [game] {
            for (int i = 0; i < 100; ++i) game->round();
          }};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::vector<Contestant> memory;
  std::vector<Contestant> contestants;
  contestants.push_back(block());
  contestants.push_back(generator());
  contestants.push_back(late("ofw", R"({"type": "delayed_ofw", "eta": 0.01})", memory));
  contestants.push_back(late("bold", R"({"type": "bold", "base": {"type": "delayed_ofw", "eta": 0.01}})", memory));
  bench::take_turns(contestants, std::atoi(argv[1]));
  bench::print(contestants);
  bench::print(memory);
}
