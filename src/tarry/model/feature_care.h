// From features as they come to features as the learner sees them: names to slots, then standardised. Both remember
// what they have seen, and are part of the model's state.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "tarry/features/bends.h"
#include "tarry/features/crossing.h"
#include "tarry/features/encoder.h"
#include "tarry/features/products.h"
#include "tarry/features/ratings_encoder.h"
#include "tarry/features/standardiser.h"
#include "tarry/ledger/context.h"
#include "tarry/model/features_view.h"

namespace tarry {

using AnyEncoder = std::variant<Encoder, RatingsEncoder>;

// Of how many features a row has products, and how many may bend.
struct MoreFeatures {
  Index products = 0, bends = 0;
};

class FeatureCare {
 public:
  // `dimension`: how many numbered features a row has. The first `numbers` of them are missing where a row lacks them;
  // the others are 0. `more`: what it has beside them. `action`: the name of an
  // action's features, where rows are crossed with a context's.
  FeatureCare(Index dimension, std::optional<AnyEncoder> encoder, bool standardise, Index numbers = 0,
              MoreFeatures more = {}, const std::string& action = {});

  Index dimension() const { return dimension_; }
  // Of the learner's rows: features, then products, then bends.
  Index width() const { return products_.width() + bends_.width(); }
  const Products& products() const { return products_; }
  const Bends& bends() const { return bends_; }
  Index numbers() const { return numbers_; }
  bool standardises() const { return standardiser_.has_value(); }
  bool takes_names() const { return encoder_.has_value(); }
  const AnyEncoder* encoder() const { return encoder_ ? &*encoder_ : nullptr; }

  // At the play of a round: counts the row, and fills the context's features. Throws Error{kBadInput}: nothing has
  // changed then.
  void prepare(const FeaturesView& features, Round round, Context& context);
  // With the label, nothing is standardised: first the row, for which names take no slots yet, …
  Covector preview(const FeaturesView& features, Row& row) const;
  // … and, once the label is learnt, these slots.
  void keep_names(const FeaturesView& features);
  // For a prediction that opens no round.
  Covector look_up(const FeaturesView& features, Row& row) const;
  // The same of one word of an action, where rows are crossed: most actions have nothing else.
  Covector look_up(std::string_view name, std::string_view word, Row& row) const;

  // What the learner sees of a round's prepared features.
  Covector widen(const Covector& row, Round round, Row& wide) const {
    if (crossing_) return crossing_->widen(row, wide);
    return bends_.widen(row, products_.widen(row, wide), round, wide);
  }
  // For a learner that grows trees: the features as they came, behind a row's weights. From when keep_raw is called.
  void keep_raw() { keeps_raw_ = true; }
  // Of the row prepared last, …
  Covector with_raw(const Covector& row, Row& wide) const { return keeps_raw_ ? behind(row, raw_, wide) : row; }
  // … or of any other.
  Covector with_raw(const Covector& row, const FeaturesView& features, Row& wide) const;
  bool crosses() const { return crossing_.has_value(); }
  // What the learner sees of a context and an action that were looked up apart.
  Covector cross(const Covector& context, const Covector& action, Row& wide) const {
    return crossing_->cross(context, action, wide);
  }
  // Whether prepared features, of rows that are crossed, are of the action with this word.
  bool has_word(const Context& context, std::string_view name, std::string_view word) const;
  // Puts an action's features in the place of another's: numbers as they are standardised by now, which counts nothing.
  // Throws Error{kBadInput}: nothing has changed then.
  void put_action(const NamedFeatures& action, Context& context);
  // Whether that can be done: rows are crossed, and no feature is a product of the action's and the context's.
  bool puts_actions() const;

  // Of a number that is standardised.
  Standardiser::Spread spread(Index slot) const {
    return standardiser_ ? standardiser_->spread(slot) : Standardiser::Spread{};
  }

  // What has counted the rows; null: nothing has.
  const Standardiser* standardiser() const { return standardiser_ ? &*standardiser_ : nullptr; }

  std::string name_of(Index slot) const;
  Index slots() const;  // that have been given out; numbered features: all

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  Covector encode(const FeaturesView& features, Row& row);
  Covector behind(const Covector& row, const Row& raw, Row& wide) const;
  void check(const Covector& numbered) const;
  void check_named() const;
  struct Apart;                              // what is standardised, and the words of an action
  const Apart& apart(const Row& row) const;  // valid until the next call of the same thread

  Index dimension_, numbers_;
  std::optional<AnyEncoder> encoder_;
  std::optional<Standardiser> standardiser_;
  Products products_;
  Bends bends_;
  std::optional<Crossing> crossing_;
  Row row_;  // of the last play: its memory is used again
  bool keeps_raw_ = false;
  Row raw_;  // the same as it came, if that is kept
};

// Throws Error{kBadInput}: `given` must have `dimension` entries, or ascending indices below it, all finite.
void check_vector(const Covector& given, const std::string& name, Index dimension, const std::string& which);
void check_sizes(const Covector& given, const std::string& name);

// The features of a round as it was played; the context must outlive them.
inline Covector view(const Context& context) {
  return context.sparse ? Covector::sparse(context.indices, context.values) : Covector::dense(context.values);
}

}  // namespace tarry
