// Times oracles that are classical algorithms: the cheapest assignment at size 500, beside SciPy's, and linear programs
// whose direction moves slowly, with and without what is kept between questions. Also counts the oracle calls of four
// models that see the same events, over one set and over the same set `cached`.
// Usage: oracle_bench TURNS [FILE], where FILE receives the costs for SciPy.
#include <cstdlib>
#include <fstream>
#include <limits>
#include <memory>
#include <stdexcept>

#include "tarry/base/random.h"
#include "tarry/lab/play/counted_set.h"
#include "tarry/learners/frank_wolfe/delayed_ofw.h"
#include "tarry/model/model.h"
#include "tarry/oracles/polytope.h"
#include "tarry/sets/combinatorial/assignment.h"
#include "tarry/sets/combinatorial/birkhoff.h"
#include "tarry/sets/wrappers/cached.h"
#include "timing.h"

namespace {

using namespace tarry;
using tarry::bench::Contestant;

constexpr std::size_t kSize = 500;

Vec gaussian(RandomSequence& random, std::size_t n) {
  Vec c(n);
  for (double& x : c) x = random.gaussian();
  return c;
}

// A product mix: 100 resources, 300 products, a tenth of the numbers not 0; a third of the resources must be used at
// least so much that doing nothing is not allowed.
oracles::LinearProgram product_mix() {
  constexpr Index kRows = 100, kCols = 300;
  RandomSequence random(2);
  oracles::LinearProgram lp;
  for (Index i = 0; i < kRows; ++i) {
    double all = 0;
    for (Index j = 0; j < kCols; ++j)
      if (random.uniform() < 0.1) {
        lp.entries.push_back({i, j, random.uniform(0.5, 1.5)});
        all += lp.entries.back().value;
      }
    lp.row_lower.push_back(i % 3 == 0 ? 0.2 * all : -std::numeric_limits<double>::infinity());
    lp.row_upper.push_back(0.4 * all);
  }
  lp.lower.assign(kCols, 0);
  lp.upper.assign(kCols, 1);
  return lp;
}

// A learner's direction: each step moves it by one part in `slow`.
class Walk {
 public:
  Walk(std::size_t n, double slow) : random_(3), slow_(slow), c_(gaussian(random_, n)) {}
  const Vec& next() {
    for (double& x : c_) x += random_.gaussian() / slow_;
    return c_;
  }

 private:
  RandomSequence random_;
  double slow_;
  Vec c_;
};

using Ask = oracles::SimplexMethod::Answer (oracles::SimplexMethod::*)(std::span<const double>) const;

Contestant asking(std::string name, std::shared_ptr<const oracles::Polytope> set, Ask ask, double slow) {
  constexpr int kQuestions = 20;
  auto walk = std::make_shared<Walk>(300, slow);
  return {std::move(name), kQuestions, [=] {
            for (int k = 0; k < kQuestions; ++k)
              if (!(set->method().*ask)(walk->next()).bounded) throw std::runtime_error("unbounded");
          }};
}

// Four models, each answered as soon as the next has played: a replica a machine, say.
double calls_of_four(bool cached) {
  constexpr Round kRounds = 200;
  const auto calls = std::make_shared<std::atomic<std::uint64_t>>(0);
  const AnySet counted = lab::CountedSet(Birkhoff(10), calls);
  const AnySet set = cached ? AnySet(Cached(counted)) : counted;
  std::vector<Model> models;
  for (int k = 0; k < 4; ++k) models.emplace_back(set, DelayedOfw<AnySet>(set, OfwRule(0.1)));
  RandomSequence random(4);
  const auto before = calls->load();
  for (Round t = 1; t <= kRounds; ++t) {
    const Vec gradient = gaussian(random, 100);
    for (Model& model : models) {
      model.play();
      model.receive(t, Covector::dense(gradient));
    }
  }
  return static_cast<double>(calls->load() - before);
}

}  // namespace

int main(int argc, char** argv) {
  const int turns = argc > 1 ? std::atoi(argv[1]) : 5;
  RandomSequence random(1);
  const auto costs = std::make_shared<const Vec>(gaussian(random, kSize * kSize));
  if (argc > 2)
    std::ofstream(argv[2], std::ios::binary)
        .write(reinterpret_cast<const char*>(costs->data()),
               static_cast<std::streamsize>(costs->size() * sizeof(double)));
  const auto set = std::make_shared<const oracles::Polytope>(product_mix());
  using Method = oracles::SimplexMethod;
  std::vector<Contestant> all = {
      {"assignment", 1, [=] { cheapest_assignment(*costs, kSize); }},
      asking("lp_slow", set, &Method::least, 1000),
      asking("lp_fast", set, &Method::least, 10),
      asking("lp_search", set, &Method::least_by_search, 1000),
      asking("lp_cold", set, &Method::least_from_nowhere, 1000),
  };
  take_turns(all, turns);
  all.push_back({"calls_plain", 1, [] {}, {calls_of_four(false)}});
  all.push_back({"calls_cached", 1, [] {}, {calls_of_four(true)}});
  print(all);
}
