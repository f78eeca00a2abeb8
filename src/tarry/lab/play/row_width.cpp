#include "tarry/lab/play/row_width.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "tarry/features/bends.h"
#include "tarry/features/beside_features.h"
#include "tarry/features/products.h"
#include "tarry/learners/registry.h"
#include "tarry/losses/registry.h"

namespace tarry::lab {
namespace {

Index outputs_of(const Stream& stream) {
  const Table* table = stream.table();
  return table != nullptr ? static_cast<Index>(table->loss.outputs()) : 1;
}

bool is_word(const spec::Value& value, const char* key, std::initializer_list<std::string_view> words) {
  const spec::Value* found = value.find(key);
  const auto* word = found != nullptr ? std::get_if<std::string>(&found->as) : nullptr;
  return word != nullptr && std::find(words.begin(), words.end(), *word) != words.end();
}

}  // namespace

Index multiplied(const LearnerSpec& learner, const Stream& stream) {
  const Index outputs = outputs_of(stream);
  const LearnerEntry* entry = learner_entry(learner.learner);
  const Index features = stream.dimension / outputs;
  if (learner.widened.products) return *learner.widened.products ? std::min(features, Products::kMost) : 0;
  const bool weighed = learner.standardise && entry != nullptr && entry->weighs_products &&
                       is_word(learner.set, "type", {"box", "linf_ball"}) &&
                       is_word(learner.set, "dimension", {"stream"});
  return weighed ? multiplied_unasked(features, outputs) : 0;
}

Index bent(const LearnerSpec& learner, const Stream& stream) {
  const Index outputs = outputs_of(stream), features = stream.dimension / outputs;
  if (learner.widened.bends) return *learner.widened.bends ? std::min(features, Bends::kMost) : 0;
  return std::min(multiplied(learner, stream), bent_unasked(features, outputs));
}

// One score, a loss that trees follow, and every round kept: as where a task says nothing.
bool grown(const LearnerSpec& learner, const Stream& stream) {
  if (learner.widened.trees) return *learner.widened.trees;
  const Table* table = stream.table();
  const spec::Value* forgets = learner.learner.find("forgets");
  return bent(learner, stream) > 0 && table != nullptr && table->loss.outputs() == 1 &&
         (is_quadratic(table->loss_name) || table->loss.classes() == 2) && learner.initial.empty() &&
         !learner.tracked.any() && forgets == nullptr;
}

Index weights_of(const LearnerSpec& learner, const Stream& stream) {
  const Index of = multiplied(learner, stream);
  return stream.dimension + (of * of + Bends::width(bent(learner, stream))) * outputs_of(stream);
}

}  // namespace tarry::lab
