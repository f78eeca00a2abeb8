// The learners that a specification can name.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tarry/geometry/shape.h"
#include "tarry/learners/any_learner.h"
#include "tarry/sets/any_set.h"
#include "tarry/spec/node.h"

namespace tarry {

// What a row of features is made of: the weights of one output are so many, the last of them for products.
struct RowShape {
  Index width = 0, products = 0;
};

// What a learner is made for.
struct LearnerSetting {
  AnySet set;
  Vec initial;                 // where to start; empty: the set's own start
  std::uint64_t instance = 0;  // which of several learners in one: they draw different random numbers
  std::string loss = {};       // the type of the model's, where it has one and the learner is the model's own
  std::size_t classes = 0;     // whose probabilities that loss tells; 0: none
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

struct LearnerEntry {
  std::string name;
  std::string summary;
  std::vector<spec::Key> keys;
  AnyLearner (*make)(const spec::Node& node, const LearnerSetting& setting);
  std::vector<std::string> examples;  // small specs, in JSON: shown to users, and run by the conformance suite
  std::string revises = {};  // where it takes labels that are corrected later: how messages call it; empty: nowhere
};

// Every entry: those of this library, then those that others added. From the first call on, nothing can be added.
std::span<const LearnerEntry> learner_registry();

// Adds a learner of another library; throws as add_set does.
void add_learner(LearnerEntry entry);

AnyLearner make_learner(const spec::Node& node, const LearnerSetting& setting);

}  // namespace tarry
