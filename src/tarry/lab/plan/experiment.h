// An experiment as its file describes it: streams × delays × learners × seeds.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tarry/lab/logged/policy.h"
#include "tarry/lab/streams/stream.h"
#include "tarry/model/expiry.h"
#include "tarry/model/tracked.h"
#include "tarry/spec/node.h"

namespace tarry::data {
struct LateLabels;
}

namespace tarry::lab {

using data::LateLabels;

struct NamedSpec {
  std::string name;
  spec::Value spec;
  std::shared_ptr<const LateLabels> found = nullptr;  // in a stream's file, where somebody has looked already
};

// How long a learner leaves labels alone after their rows: as if it waited for a window to close.
struct Wait {
  bool nine_in_ten = false;  // until nine in ten of the labels that come have come
  double time = 0;           // otherwise so long, in the unit of the data's times
};

// What rows have beside their features; nothing: where `auto` can weigh it.
struct Widened {
  std::optional<bool> products = std::nullopt, bends = std::nullopt, trees = std::nullopt;
};

struct LearnerSpec {
  std::string name;
  spec::Value learner;
  spec::Value set = {};
  bool is_task = false;                   // then `learner` is the task, and says all that there is to say
  Vec initial = {};                       // where it starts; empty: the set's own start
  std::vector<std::string> streams = {};  // those it runs on; empty: all
  bool regret = true;                     // false: no comparator, for sets too large to certify one
  bool standardise = false;               // features and labels in units of what was seen; then there is no comparator
  Widened widened = {};
  std::optional<Expiry> expiry = std::nullopt;                  // when the wait for an answer ends
  Tracked tracked = {};                                         // how many rounds may wait at once
  std::optional<std::vector<std::string>> only = std::nullopt;  // of a task: the features that it sees; nothing: all

  Policy policy = {};                       // of a task on a log of choices: who decides instead of it
  std::optional<Wait> wait = std::nullopt;  // then it plays with delays of the type `recorded` alone

  bool runs_on(const std::string& stream) const;
  bool runs_with(const NamedSpec& delay) const;
};

// For whom to list the items that a learner would rate highest, at the end of a run on ratings.
struct TopSpec {
  std::vector<std::string> users;
  std::size_t count = 10;

  bool operator==(const TopSpec&) const = default;
};
TopSpec read_top(const spec::Node& node);

struct Experiment {
  std::string name;
  std::string about;            // what the report says below the name, where anything is
  Round rounds = 0;             // 0: all that the stream has
  std::vector<Round> horizons;  // instead: one game for each number of rounds, and curves over these
  std::vector<std::uint64_t> seeds;
  int checkpoints = 60;
  double gap = 1e-3;       // of the comparator, relative
  bool comparator = true;  // false: no regret, for streams where it would cost more than the run
  std::vector<NamedSpec> streams;
  std::vector<NamedSpec> delays;
  std::vector<LearnerSpec> learners;
  std::string keep;  // the learner whose predictions and model are left beside the results; empty: none
  TopSpec top;       // for whom to list items at the end of a run on ratings; no users: for nobody
};

// Throws Error{kBadSpec} naming line and key.
Experiment read_experiment(const spec::Value& file);

// Sets one key of a spec: "learners.0.eta=0.1". The value is read as TOML.
void override_key(spec::Value& file, const std::string& assignment);

// Log-spaced rounds up to the last, which is always one of them.
std::vector<Round> checkpoint_rounds(Round rounds, int count);

}  // namespace tarry::lab
