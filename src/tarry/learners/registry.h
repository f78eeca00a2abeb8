// The learners that a specification can name.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tarry/geometry/shape.h"
#include "tarry/learners/any_learner.h"
#include "tarry/learners/cost.h"
#include "tarry/learners/promise.h"
#include "tarry/learners/verify_rows.h"
#include "tarry/sets/any_set.h"
#include "tarry/spec/node.h"

namespace tarry {

// What a row of features is made of: the weights of one output are so many, the last of them for products
// and then for bends.
struct RowShape {
  Index width = 0, products = 0;
  Index crossed =
      0;  // rows are an action's features and their products with a context's, the first so many (0: not so)
  Index bends = 0;
  bool trees = false;  // whether trees are grown on the features
};

// What a learner is made for.
struct LearnerSetting {
  AnySet set;
  Vec initial;                 // where to start; empty: the set's own start
  std::uint64_t instance = 0;  // which of several learners in one: they draw different random numbers
  std::string loss = {};       // the type of the model's, where it has one and the learner is the model's own
  std::size_t classes = 0;     // whose probabilities that loss predicts; 0: none
  std::optional<Default> otherwise = std::nullopt;  // what rounds become that stay open
  Lost lost = {};                                   // what is known of labels that never come
  bool standardised = false;  // whether the model standardises its features, and its labels where it can
  RowShape row = {};          // of the model's features, where it has some and the learner is the model's own
  std::uint64_t copies = 1;   // how many there will be of what is made: the product over the pools around it

  // The same for the k-th of several learners inside this one.
  LearnerSetting part(std::uint64_t k) const;

  // The set's shape, starting at `initial`, which is checked to lie in the set.
  Shape shape() const;
  // For learners that have no start.
  void refuse_initial(const spec::Node& node) const;
};

// All that is to be known of a learner before it is made. Whatever other code asks about one learner is here, so
// that no other file need name it (tests/layers/check_names). What follows the examples may be left out.
struct LearnerEntry {
  std::string name;
  std::string summary;
  std::vector<spec::Key> keys;
  AnyLearner (*make)(const spec::Node& node, const LearnerSetting& setting);
  std::vector<std::string> examples;  // small specs, in JSON: shown to users, and run by the conformance suite

  Cost (*cost)(const spec::Value& learner, const CostScene& scene) = nullptr;  // null: not known
  Promise (*promise)(const spec::Value& learner) = nullptr;                    // null: a Promise without conditions
  bool (*draws)(const spec::Value& learner) = nullptr;  // whether its `seed` decides anything; null: it has none
  bool weighs_products = false;                         // finds out by itself whether products of features help
  bool one_per_part = false;                            // its `learners` play one part of a product each
  // The learners whose mean it plays, as they would be by themselves: for Theorem 12. Null: it is no hedge.
  std::vector<AnyLearner> (*bases)(const spec::Value& learner, const LearnerSetting& setting) = nullptr;
  VerifyRows (*verify)() = nullptr;  // null: its examples are all that is played
  std::string first_file = {};  // how it is written in the experiment that `tarry init` writes, in TOML; empty: not
  std::string revises = {};     // where it takes labels that are corrected later: how messages call it; empty: nowhere
};

// Every entry: those of this library, then those that others added. From the first call on, nothing can be added.
std::span<const LearnerEntry> learner_registry();

// Adds a learner of another library; throws as add_set does.
void add_learner(LearnerEntry entry);

// The entry that a specification's `type` names, or null. Entries live as long as the program.
const LearnerEntry* learner_entry(const spec::Value& learner);

// What its entry says of this learner; a learner that is not registered promises and draws nothing.
Promise promise_of(const spec::Value& learner);
bool draws(const spec::Value& learner);

AnyLearner make_learner(const spec::Node& node, const LearnerSetting& setting);

}  // namespace tarry
