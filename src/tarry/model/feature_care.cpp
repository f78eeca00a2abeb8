#include "tarry/model/feature_care.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/error.h"
#include "tarry/base/overload.h"
#include "tarry/features/hash.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/spec/node.h"

namespace tarry {
namespace {

[[noreturn]] void refuse_features(const std::string& why) { throw Error(Code::kBadInput, why); }

// What is not 0.
void copy_raw(const Covector& given, Row& raw) {
  raw.clear();
  given.each([&](Index i, double value) {
    if (value != 0) raw.add(i, value, false);
  });
}

// Says which of the indices is out of range or out of order.
[[noreturn, gnu::cold]] void refuse_indices(std::span<const Index> indices, Index dimension) {
  Index last = -1;
  for (const Index i : indices) {
    if (i < 0 || i >= dimension)
      refuse_features(fmt::format("indices must be from 0 to {} ({} came)", dimension - 1, i));
    if (i <= last) refuse_features(fmt::format("indices must be ascending, each once ({} after {})", i, last));
    last = i;
  }
  refuse_features("indices must be ascending");
}

}  // namespace

Features::Features(const Covector& numbered) {
  const Vec values(numbered.values().begin(), numbered.values().end());
  if (numbered.is_sparse())
    emplace<SparseVector>(std::vector<Index>(numbered.indices().begin(), numbered.indices().end()), values);
  else
    emplace<Vec>(values);
}

FeaturesView::FeaturesView(const Features& features) {
  std::visit(Overload{[&](const Vec& x) { numbered_ = Covector::dense(x); },
                      [&](const SparseVector& x) { numbered_ = Covector::sparse(x.indices, x.values); },
                      [&](const NamedFeatures& x) { named_ = &x; }},
             static_cast<const Features::Kinds&>(features));
}

// Numbers small enough that their squares and sums are numbers.
void check_sizes(const Covector& given, const std::string& name) {
  if (kernels::sum_of_squares(given.values()) < 0.9 * spec::kLargest * spec::kLargest) return;  // none is larger
  for (double x : given.values())
    if (!(std::fabs(x) <= spec::kLargest))
      refuse_features(fmt::format("{} must be finite and at most 1e100 in size ({} came)", name, x));
}

void check_vector(const Covector& given, const std::string& name, Index dimension, const std::string& which) {
  if (!given.is_sparse() && static_cast<Index>(given.stored()) != dimension)
    refuse_features(fmt::format("{} must have {} entries, {} ({} came)", name, dimension, which, given.stored()));
  if (given.is_sparse() && given.indices().size() != given.values().size())
    refuse_features(fmt::format("values must have as many entries as indices ({} and {} came)", given.values().size(),
                                given.indices().size()));
  const std::span<const Index> indices = given.indices();
  bool ascending = indices.empty() || (indices.front() >= 0 && indices.back() < dimension);
  for (std::size_t j = 1; j < indices.size(); ++j) ascending &= indices[j - 1] < indices[j];
  if (!ascending) refuse_indices(indices, dimension);
  check_sizes(given, name);
}

FeatureCare::FeatureCare(Index dimension, std::optional<AnyEncoder> encoder, bool standardise, Index numbers,
                         MoreFeatures more, const std::string& action)
    : dimension_(dimension),
      numbers_(numbers),
      encoder_(std::move(encoder)),
      products_(dimension, more.products),
      bends_(products_.width(), more.bends) {
  if (standardise) standardiser_.emplace(dimension);
  if (!action.empty()) crossing_.emplace(dimension, more.products, action);
}

// How often an action is taken is up to the model itself, and must not change what its word means.
struct FeatureCare::Apart {
  Row rest, words;

  void put_words(std::vector<Index>& indices, Vec& values) const {
    for (std::size_t i = 0; i < words.indices.size(); ++i) {
      const auto at = std::lower_bound(indices.begin(), indices.end(), words.indices[i]) - indices.begin();
      indices.insert(indices.begin() + at, words.indices[i]);
      values.insert(values.begin() + at, words.values[i]);
    }
  }
};

const FeatureCare::Apart& FeatureCare::apart(const Row& row) const {
  thread_local Apart both;  // its memory is used again
  both.rest.clear();
  both.words.clear();
  for (std::size_t i = 0; i < row.indices.size(); ++i)
    (crossing_->is_action(row.indices[i]) && row.number[i] == 0 ? both.words : both.rest)
        .add(row.indices[i], row.values[i], row.number[i] != 0);
  return both;
}

void FeatureCare::check(const Covector& numbered) const {
  if (encoder_) refuse_features("features must be named: this model gives names their slots");
  static const std::string name = "features", which = "one for each weight";
  check_vector(numbered, name, dimension_, which);
}

void FeatureCare::check_named() const {
  if (!encoder_)
    refuse_features("features must be numbers, or indices with values: this model has no names for features");
}

Covector FeatureCare::encode(const FeaturesView& features, Row& row) {
  if (features.named() == nullptr) {
    check(features.numbered());
    return features.numbered();
  }
  check_named();
  if (auto* encoder = std::get_if<Encoder>(&*encoder_))
    encoder->encode(*features.named(), row, features.names());
  else
    std::get<RatingsEncoder>(*encoder_).encode(*features.named(), row);
  return row.covector();
}

Covector FeatureCare::preview(const FeaturesView& features, Row& row) const {
  if (features.named() == nullptr) {
    check(features.numbered());
    return features.numbered();
  }
  check_named();
  std::visit([&](const auto& encoder) { encoder.preview(*features.named(), row); }, *encoder_);
  return row.covector();
}

void FeatureCare::keep_names(const FeaturesView& features) {
  if (features.named() != nullptr) encode(features, row_);
}

void FeatureCare::prepare(const FeaturesView& features, Round round, Context& context) {
  const Covector given = encode(features, row_);
  context.has_features = true;
  if (crossing_) crossing_->learn(std::get<Encoder>(*encoder_).vocabulary());
  if (standardiser_ && crossing_) {
    context.sparse = true;
    const Apart& both = apart(row_);
    standardiser_->prepare(RowView(both.rest), context.indices, context.values);
    return both.put_words(context.indices, context.values);
  }
  if (standardiser_) {
    context.sparse = true;
    const RowView row = features.named() != nullptr ? RowView(row_) : RowView(given, numbers_);
    bends_.count(row, round);
    if (keeps_raw_) copy_raw(row.entries(), raw_);
    standardiser_->prepare(row, context.indices, context.values);
    return;
  }
  context.sparse = given.is_sparse();
  context.indices.assign(given.indices().begin(), given.indices().end());
  context.values.assign(given.values().begin(), given.values().end());
}

Covector FeatureCare::look_up(const FeaturesView& features, Row& row) const {
  if (features.named() == nullptr) {
    check(features.numbered());
    if (!standardiser_) return features.numbered();
    standardiser_->view(RowView(features.numbered(), numbers_), row.indices, row.values);
    return row.covector();
  }
  check_named();
  thread_local Row known;  // its memory is used again
  if (const auto* encoder = std::get_if<Encoder>(&*encoder_))
    encoder->look_up(*features.named(), known, features.names());
  else
    std::get<RatingsEncoder>(*encoder_).look_up(*features.named(), known);
  if (standardiser_ && crossing_) {
    const Apart& both = apart(known);
    standardiser_->view(RowView(both.rest), row.indices, row.values);
    both.put_words(row.indices, row.values);
  } else if (standardiser_) {
    standardiser_->view(RowView(known), row.indices, row.values);
  } else {
    row = known;
  }
  return row.covector();
}

Covector FeatureCare::look_up(std::string_view name, std::string_view word, Row& row) const {
  const Vocabulary& vocabulary = std::get<Encoder>(*encoder_).vocabulary();
  const FeatureKey key = FeatureKey::word(name, hash_text(name), word);
  Slot slot = vocabulary.find(key);
  // A word that was never seen has the slot that it would take now: nothing is known of it, and the answer says so.
  if (slot == kNoSlot)
    slot = vocabulary.full() ? vocabulary.shared_slot(key.hash) : static_cast<Slot>(vocabulary.size());
  row.clear();
  row.add(slot, 1, false);
  return row.covector();
}

bool FeatureCare::has_word(const Context& context, std::string_view name, std::string_view word) const {
  const Slot slot = std::get<Encoder>(*encoder_).vocabulary().find(FeatureKey::word(name, hash_text(name), word));
  return slot != kNoSlot && std::binary_search(context.indices.begin(), context.indices.end(), Index{slot});
}

bool FeatureCare::puts_actions() const {
  return crossing_ && standardiser_ && !std::get<Encoder>(*encoder_).spec().interactions.any();
}

void FeatureCare::put_action(const NamedFeatures& action, Context& context) {
  encode(action, row_);
  crossing_->learn(std::get<Encoder>(*encoder_).vocabulary());
  const Apart& both = apart(row_);
  Context all;  // what is frequent in contexts among it
  standardiser_->view(RowView(both.rest), all.indices, all.values);
  both.put_words(all.indices, all.values);
  Row merged;
  const auto add = [&](const Context& from, std::size_t i) { merged.add(from.indices[i], from.values[i], false); };
  std::size_t next = 0;
  const auto add_own_below = [&](Index end) {
    for (; next < all.indices.size() && all.indices[next] < end; ++next)
      if (crossing_->is_action(all.indices[next])) add(all, next);
  };
  for (std::size_t i = 0; i < context.indices.size(); ++i) {
    if (crossing_->is_action(context.indices[i])) continue;
    add_own_below(context.indices[i]);
    add(context, i);
  }
  add_own_below(dimension_);
  context.indices = std::move(merged.indices);
  context.values = std::move(merged.values);
}

Covector FeatureCare::with_raw(const Covector& row, const FeaturesView& features, Row& wide) const {
  if (!keeps_raw_) return row;
  Row raw;
  if (features.named() == nullptr) {
    copy_raw(features.numbered(), raw);
  } else {
    Row known;
    std::visit([&](const auto& encoder) { encoder.look_up(*features.named(), known); }, *encoder_);
    copy_raw(known.covector(), raw);
  }
  return behind(row, raw, wide);
}

// In the row's own memory where that is `wide`.
Covector FeatureCare::behind(const Covector& row, const Row& raw, Row& wide) const {
  if (row.indices().data() != wide.indices.data()) {
    wide.clear();
    row.each([&](Index i, double value) {
      wide.indices.push_back(i);
      wide.values.push_back(value);
    });
  }
  for (std::size_t i = 0; i < raw.indices.size(); ++i) {
    wide.indices.push_back(width() + raw.indices[i]);
    wide.values.push_back(raw.values[i]);
  }
  return Covector::sparse(wide.indices, wide.values);
}

std::string FeatureCare::name_of(Index slot) const {
  if (!encoder_) return fmt::format("{}", slot);
  return std::visit([&](const auto& encoder) { return encoder.name_of(slot); }, *encoder_);
}

Index FeatureCare::slots() const {
  const auto* named = encoder_ ? std::get_if<Encoder>(&*encoder_) : nullptr;
  return named != nullptr ? named->vocabulary().size() : dimension_;
}

void FeatureCare::save(ByteWriter& out) const {
  if (encoder_) std::visit([&](const auto& encoder) { encoder.save(out); }, *encoder_);
  if (standardiser_) standardiser_->save(out);
  if (bends_.of() > 0) bends_.save(out);
}

void FeatureCare::load(ByteReader& in) {
  if (encoder_) std::visit([&](auto& encoder) { encoder.load(in); }, *encoder_);
  if (standardiser_) standardiser_->load(in);
  if (bends_.of() > 0) bends_.load(in);
  if (crossing_) crossing_->learn(std::get<Encoder>(*encoder_).vocabulary());
}

}  // namespace tarry
