// Named features to rows: each feature, word and product to its slot of the vocabulary.
#pragma once

#include <string>

#include "tarry/features/feature_spec.h"
#include "tarry/features/last_names.h"
#include "tarry/features/named.h"
#include "tarry/features/row.h"
#include "tarry/features/vocabulary.h"

namespace tarry {

class Encoder {
 public:
  explicit Encoder(FeatureSpec spec) : spec_(std::move(spec)), vocabulary_(spec_.capacity, spec_.intercept) {}

  // At play: new names take slots, those of one row in the order of names, so that the order in which features are
  // given never matters. Throws Error{kBadInput} for features that are wrong: nothing has changed then.
  void encode(const NamedFeatures& features, Row& row, NamesId names = NamesId::kUnknown);
  // The row that encode would give, with nothing changed; it does not say which of it are named numbers.
  void preview(const NamedFeatures& features, Row& row) const;
  // For a prediction: the same without new names, which are left out until the vocabulary is full. Nothing is counted;
  // any number of threads may ask.
  void look_up(const NamedFeatures& features, Row& row, NamesId names = NamesId::kUnknown) const;

  Index dimension() const { return vocabulary_.capacity(); }
  const FeatureSpec& spec() const { return spec_; }
  const Vocabulary& vocabulary() const { return vocabulary_; }
  std::string name_of(Index slot) const { return vocabulary_.name_of(slot); }
  std::uint64_t rows_cut() const { return rows_cut_; }  // rows whose products past most_pairs were left out

  void save(ByteWriter& out) const;
  void load(ByteReader& in);  // into one of the same specification; on error it must not be used further

 private:
  FeatureSpec spec_;
  Vocabulary vocabulary_;
  std::uint64_t rows_cut_ = 0;
  LastNames last_;
};

}  // namespace tarry
