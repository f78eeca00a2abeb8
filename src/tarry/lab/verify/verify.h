// The theorems, checked by playing: regret against bounds, against instances whose answer is known exactly, against the
// rates that theory gives, and against BOLD.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tarry/lab/hindsight/comparator.h"
#include "tarry/lab/verify/climb.h"
#include "tarry/learners/promise.h"
#include "tarry/learners/verify_rows.h"

namespace tarry::lab {

// Regret of one game beside the bound that holds for it.
struct BoundCheck {
  std::string learner, set, delay, adversary;
  Round rounds = 0;
  double regret = 0;  // the upper end of its interval
  bool has_theorem = true;
  bool always = true;  // whether the theorem speaks of every game: then a bound must be there
  std::optional<double> bound;
  bool feasible = true;  // every decision lay in the set

  bool passed() const {
    if (!feasible || (bound && !has_theorem)) return false;
    return bound ? regret <= *bound : !has_theorem || !always;
  }
};

// A measured number beside its exact value.
struct AnswerCheck {
  std::string instance, learner;
  double measured = 0;
  double exact = 0;
  double tolerance = 0;      // absolute
  bool must_differ = false;  // a planted fault, which the check has to see

  bool passed() const;
};

// A fitted exponent of regret in T beside the one that theory gives.
struct RateCheck {
  std::string learner, instance;
  double fitted = 0;
  double theory = 0;
  bool exact = false;  // a hard instance: also not far below

  bool passed() const { return fitted <= theory + 0.05 && (!exact || fitted >= theory - 0.05); }
};

// Delayed OFW beside a pool of undelayed copies.
struct PoolCheck {
  std::string learner, delay;
  Round rounds = 0;
  double regret = 0;
  std::size_t instances = 1;
  std::size_t state_bytes = 0;  // what a snapshot of the learner takes
};

// The game that came nearest to breaking a promise, of all that an adversary tried that climbs.
struct ClimbCheck {
  std::string learner, set, game;
  std::string promise;      // "certificate", "Theorem 12": a hedge's regret to its bases, or "section 16": of choices
  std::uint64_t games = 0;  // tried
  bool silent = false;      // it must promise nothing
  Finding worst = {};
  std::string log = {};  // the game, where it breaks the promise

  bool passed() const { return silent ? !worst.promised() : !worst.violates(); }
};

struct Verification {
  std::vector<BoundCheck> bounds;
  std::vector<ClimbCheck> climbs;
  std::vector<AnswerCheck> answers;
  std::vector<RateCheck> rates;
  std::vector<PoolCheck> pools;

  bool passed() const;
};

// `progress(done, total)` may be called from any thread, one call at a time.
using Progress = std::function<void(std::size_t done, std::size_t total)>;

struct VerifyEffort {
  bool quick = false;
  std::uint64_t climb = 0;  // games for each row of the climbs; 0: as many as suit
};

Verification verify(const VerifyEffort& effort, const Progress& progress = {});

// The parts of it, one file each: they fill their place in `result`, and each returns the jobs that do so.
using Jobs = std::vector<std::function<void()>>;
Jobs bound_jobs(bool quick, std::vector<BoundCheck>& result);
Jobs label_jobs(bool quick, std::vector<BoundCheck>& result);
Jobs climb_jobs(const VerifyEffort& effort, std::vector<ClimbCheck>& result);
Jobs choice_climb_jobs(const VerifyEffort& effort, std::vector<ClimbCheck>& result);
Jobs answer_jobs(bool quick, std::vector<AnswerCheck>& result);
Jobs rate_jobs(bool quick, std::vector<RateCheck>& result);
Jobs pool_jobs(bool quick, std::vector<PoolCheck>& result);

using Named = NamedSpec;
// Every example of every registered learner; (i) is the i-th of several.
std::vector<Named> registered_learners();
// The type that a learner's specification names.
std::string type_of(const std::string& learner);
// What both kinds of drawn games are played by, and on: every setting of the paper's learners, and the examples of all
// others that are registered.
struct DrawnLearner : Named {
  bool always = true;  // whether it has a bound for each of these games, if it has one at all
  int draws = 1;       // how many of its seeds the regret is the mean of
};
std::vector<DrawnLearner> drawn_learners(Round rounds);
const std::vector<Named>& drawn_sets();
// What its entry says of a learner's theorem.
Promise promise_of(const std::string& learner);

// The same learner that draws by this seed.
std::string with_seed(const std::string& spec, int seed);

// A spec with each $T, or another mark, replaced by the number of rounds.
std::string with_rounds(std::string spec, Round rounds, const std::string& mark = "$T");
// One of the instances that learners' entries name.
RawStream stream_of(Instance instance, Index dimension, Round delay, std::uint64_t seed);
// A model from JSON specs and a loss's name; `initial` and `loss` may be empty.
Model make_model(const std::string& set, const std::string& learner, const Vec& initial = {},
                 const std::string& loss = "");
// Whether the learner can be made for the set at all: it says so itself.
bool can_make(const std::string& set, const std::string& learner);
// A game on a raw stream, start to end.
Played play_raw(Model& model, RawStream stream, Round rounds, Delays& delays);
std::unique_ptr<Delays> delays_from(const std::string& spec, std::uint64_t seed);

}  // namespace tarry::lab
