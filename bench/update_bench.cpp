// Times one update (`receive`) of the Frank-Wolfe learners on the l1 ball: dense, sparse, erased, and a plain
// streaming pass over the same bytes. Usage: update_bench GROUP TURNS
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "tarry/base/random.h"
#include "tarry/learners/any_learner.h"
#include "tarry/learners/frank_wolfe/delayed_ofw.h"
#include "tarry/learners/frank_wolfe/delayed_ofw_sc.h"
#include "tarry/linalg/large_vector.h"
#include "tarry/linalg/parallel.h"
#include "tarry/sets/balls/l1_ball.h"
#include "tarry/theory/step_size.h"
#include "timing.h"

namespace {

using namespace tarry;
using tarry::bench::Contestant;

constexpr double kRadius = 10;
constexpr double kHorizon = 20'000;
constexpr double kBeta = 0.1;

// Gradients to cycle through: enough of them that a long one is not in the cache when its turn comes again.
struct Gradients {
  std::vector<std::vector<Index>> indices;  // empty: dense
  std::vector<Vec> values;

  std::size_t size() const { return values.size(); }
  Covector operator[](std::size_t k) const {
    return indices.empty() ? Covector::dense(values[k]) : Covector::sparse(indices[k], values[k]);
  }
};

Gradients dense_gradients(std::size_t count, Index n) {
  Gradients made;
  for (std::size_t k = 0; k < count; ++k) {
    RandomSequence random(1, k);
    Vec& g = made.values.emplace_back(static_cast<std::size_t>(n));
    for (double& x : g) x = random.uniform(-1, 1);
  }
  return made;
}

Gradients sparse_gradients(std::size_t count, Index n, std::size_t non_zeros, std::uint64_t seed) {
  Gradients made;
  for (std::size_t k = 0; k < count; ++k) {
    RandomSequence random(seed, k);
    std::set<Index> at;
    while (at.size() < non_zeros) at.insert(static_cast<Index>(random.below(static_cast<std::uint64_t>(n))));
    made.indices.emplace_back(at.begin(), at.end());
    Vec& g = made.values.emplace_back(non_zeros);
    for (double& x : g) x = random.uniform(-1, 1);
  }
  return made;
}

double eta_for(double gradient_bound) { return theory::ofw_eta_general(2 * kRadius, gradient_bound, kHorizon); }

// Calls that give the learner the next `updates` gradients, round and round.
template <class L>
Contestant contestant(std::string name, L learner, std::shared_ptr<const Gradients> gradients, int updates) {
  auto state = std::make_shared<std::pair<L, std::size_t>>(std::move(learner), 0);
  return {std::move(name), updates, [state, gradients, updates] {
            auto& [held, next] = *state;
            for (int i = 0; i < updates; ++i) {
              held.receive(1, {.gradient = (*gradients)[next]}, Memo{});
              next = (next + 1) % gradients->size();
            }
          }};
}

// The least an update could do: read g, z and p, write p.
Contestant streaming_pass(std::string name, Index n, std::shared_ptr<const Gradients> gradients, int updates) {
  struct State {
    LargeVector<double> p, z;  // as the learner keeps them
    std::size_t next = 0;
  };
  auto state = std::make_shared<State>(
      State{LargeVector<double>(static_cast<std::size_t>(n)), LargeVector<double>(static_cast<std::size_t>(n))});
  return {std::move(name), updates, [state, n, gradients, updates] {
            double* p = state->p.data();
            const double* z = state->z.data();
            for (int i = 0; i < updates; ++i) {
              const double* g = gradients->values[state->next].data();
              parallel_chunks(n, 16384, [=](Index, Index begin, Index end) {
                for (Index k = begin; k < end; ++k) p[k] += 0.5 * g[k] + z[k];
              });
              state->next = (state->next + 1) % gradients->size();
            }
          }};
}

// Both algorithms, native and erased, with the same gradients.
std::vector<Contestant> both_ways(Index n, std::shared_ptr<const Gradients> gradients, int updates) {
  const L1Ball ball(n, kRadius);
  const OfwRule rule(eta_for(std::sqrt(static_cast<double>(n) / 3)));
  const OfwScRule sc_rule(kBeta);
  const AnySet any(ball);
  const auto storage = Storage::kDense;
  std::vector<Contestant> made;
  made.push_back(contestant("native", DelayedOfw<L1Ball>(ball, rule, shape_of(ball), storage), gradients, updates));
  made.push_back(
      contestant("erased", AnyLearner(DelayedOfw<AnySet>(any, rule, shape_of(ball), storage)), gradients, updates));
  made.push_back(
      contestant("sc_native", DelayedOfwSc<L1Ball>(ball, sc_rule, shape_of(ball), storage), gradients, updates));
  made.push_back(contestant("sc_erased", AnyLearner(DelayedOfwSc<AnySet>(any, sc_rule, shape_of(ball), storage)),
                            gradients, updates));
  return made;
}

std::vector<Contestant> small() { return both_ways(8, std::make_shared<Gradients>(dense_gradients(64, 8)), 20'000); }

std::vector<Contestant> dense() {
  const Index n = 1'000'000;
  const auto gradients = std::make_shared<Gradients>(dense_gradients(8, n));
  auto made = both_ways(n, gradients, 8);
  made.push_back(streaming_pass("stream", n, gradients, 8));
  return made;
}

// A hundred non-zeros in ten million coordinates, after 10,000 updates, against a learner that keeps them all.
std::vector<Contestant> sparse() {
  const Index n = 10'000'000;
  const std::size_t non_zeros = 100;
  const auto history = std::make_shared<Gradients>(sparse_gradients(10'000, n, non_zeros, 2));
  const auto fresh = std::make_shared<Gradients>(sparse_gradients(10'000, n, non_zeros, 3));
  const auto full = std::make_shared<Gradients>(dense_gradients(4, n));
  const L1Ball ball(n, kRadius);
  const OfwRule rule(eta_for(std::sqrt(non_zeros / 3.0)));
  const OfwScRule sc_rule(kBeta);
  const auto advanced = [&](auto learner) {
    for (std::size_t k = 0; k < history->size(); ++k) learner.receive(1, {.gradient = (*history)[k]}, Memo{});
    if (!learner.is_sparse()) std::abort();
    return learner;
  };
  std::vector<Contestant> made;
  made.push_back(contestant("sparse", advanced(DelayedOfw<L1Ball>(ball, rule)), fresh, 100));
  made.push_back(contestant("sc_sparse", advanced(DelayedOfwSc<L1Ball>(ball, sc_rule)), fresh, 100));
  made.push_back(
      contestant("dense_given_sparse", DelayedOfw<L1Ball>(ball, rule, shape_of(ball), Storage::kDense), fresh, 2));
  made.push_back(contestant("sc_dense_given_sparse",
                            DelayedOfwSc<L1Ball>(ball, sc_rule, shape_of(ball), Storage::kDense), fresh, 2));
  made.push_back(
      contestant("dense_given_dense", DelayedOfw<L1Ball>(ball, rule, shape_of(ball), Storage::kDense), full, 2));
  return made;
}

// What a non-zero and an atom cost the sparse track, beside a coordinate of the dense one: linalg/iterate.cpp weighs
// them. A hundredth of the coordinates in each gradient is about where one form overtakes the other.
std::vector<Contestant> cost() {
  std::vector<Contestant> made;
  for (const Index n : {10'000, 100'000, 1'000'000}) {
    const auto gradients = std::make_shared<Gradients>(sparse_gradients(64, n, static_cast<std::size_t>(n / 100), 4));
    const L1Ball ball(n, kRadius);
    const OfwRule rule(eta_for(std::sqrt(static_cast<double>(n) / 300)));
    const int updates = static_cast<int>(20'000'000 / n);
    for (const auto& [name, storage] : {std::pair("sparse", Storage::kSparse), std::pair("dense", Storage::kDense)})
      made.push_back(contestant(name + std::to_string(n), DelayedOfw<L1Ball>(ball, rule, shape_of(ball), storage),
                                gradients, updates));
  }
  // One non-zero at a time, each at a new coordinate, makes an atom of nearly every one: 20,000 of them.
  const Index n = 1'000'000;
  const auto single = std::make_shared<Gradients>(sparse_gradients(20'000, n, 1, 5));
  const L1Ball ball(n, kRadius);
  DelayedOfw<L1Ball> learner(ball, OfwRule(eta_for(1)), shape_of(ball), Storage::kSparse);
  for (std::size_t k = 0; k < single->size(); ++k) learner.receive(1, {.gradient = (*single)[k]}, Memo{});
  Vec y(static_cast<std::size_t>(n));
  learner.write(y);
  const auto atoms = n - std::count(y.begin(), y.end(), 0.0);
  made.push_back(contestant("atoms", std::move(learner), single, 200));
  made.back().updates *= static_cast<int>(atoms);  // so that a sample is seconds for one atom
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string_view group = argv[1];
  auto contestants = group == "small" ? small() : group == "dense" ? dense() : group == "sparse" ? sparse() : cost();
  bench::take_turns(contestants, std::atoi(argv[2]));
  bench::print(contestants);
}
