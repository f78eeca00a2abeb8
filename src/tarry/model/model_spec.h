// What a model is made of, as every shell names it:
// {"set", "learner", "loss"?, "standardise"?, "numbers"?, "products"?, "bends"?, "trees"?, "features"?, "names"?,
// "initial"?, "expiry"?, "labels"?, "revisable"?, "tracked"?, "lost"?, "choose"?}, or a task, short for one.
// make_model is the only place where a model is assembled from a specification.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tarry/model/expiry.h"
#include "tarry/model/model.h"
#include "tarry/spec/value.h"

namespace tarry {

struct ModelSpec {
  spec::Value set;
  spec::Value learner;
  std::optional<spec::Value> loss = std::nullopt;
  bool standardise = false;
  Index numbers = 0;   // of numbered, standardised features, the first so many are missing where a row lacks them
  Index products = 0;  // of the first so many features, two by two; the set has a weight for each (products.h)
  bool trees = false;  // whether trees are grown on the features, beside what is linear in them (treed_bases.h)
  Index bends = 0;     // of the first so many features, numbers that bend; the set has weights for them (bends.h)
  std::optional<spec::Value> features = std::nullopt;  // named features; nothing: numbered ones
  std::vector<std::string> names = {};                 // of the decision's coordinates; empty: none
  Vec initial = {};                                    // where the learner starts; empty: the set's own start
  std::optional<Expiry> expiry = std::nullopt;
  Revisable revisable = {};
  Tracked tracked = {};
  std::optional<spec::Value> lost = std::nullopt;  // what is known of labels that never come
  std::optional<ChoiceSpec> choice = std::nullopt;

  // Throws Error{kBadSpec} that names the key. A task is expanded.
  static ModelSpec read(const spec::Value& value);
  static ModelSpec parse(std::string_view json);

  // In full, in one order: specifications that say the same give the same text, which is what a snapshot keeps.
  spec::Value to_value() const;
  std::string json() const;
};

// The same model whichever way its keys are ordered and its whole numbers are written.
spec::Value canonical(const spec::Value& value);

// The first key in which two specifications differ, with both values: "learner.eta is 0.1 here and 0.2 there"; empty:
// none.
std::string first_difference(const spec::Value& a, const spec::Value& b, const std::string& here,
                             const std::string& there);

// `wrap` may put something around the set, such as a counter of oracle calls.
Model make_model(const ModelSpec& spec, const std::function<AnySet(AnySet)>& wrap = {});

}  // namespace tarry
