#include "tarry/lab/play/row_width.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "tarry/features/bends.h"
#include "tarry/features/products.h"
#include "tarry/learners/registry.h"

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
  const bool weighed = learner.standardise && outputs == 1 && entry != nullptr && entry->weighs_products &&
                       is_word(learner.set, "type", {"box", "linf_ball"}) &&
                       is_word(learner.set, "dimension", {"stream"});
  return learner.widened.products.value_or(weighed) ? std::min(stream.dimension / outputs, Products::kMost) : 0;
}

Index bent(const LearnerSpec& learner, const Stream& stream) {
  const Index most = std::min(stream.dimension / outputs_of(stream), Bends::kMost);
  if (learner.widened.bends) return *learner.widened.bends ? most : 0;
  return std::min(multiplied(learner, stream), most);
}

Index weights_of(const LearnerSpec& learner, const Stream& stream) {
  const Index of = multiplied(learner, stream);
  return stream.dimension + (of * of + Bends::width(bent(learner, stream))) * outputs_of(stream);
}

}  // namespace tarry::lab
