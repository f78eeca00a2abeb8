// Features that somebody else owns: numbered (dense or sparse) or named.
#pragma once

#include "tarry/linalg/covector.h"
#include "tarry/model/event.h"

namespace tarry {

// Good for one call: a model copies what a round must keep.
class FeaturesView {
 public:
  FeaturesView(const Covector& numbered) : numbered_(numbered) {}  // NOLINT(google-explicit-constructor)
  // `names`: what stands for their names, where somebody knows.
  FeaturesView(const NamedFeatures& named, NamesId names = NamesId::kUnknown)  // NOLINT(google-explicit-constructor)
      : named_(&named), names_(names) {}
  FeaturesView(const Features& features);  // NOLINT(google-explicit-constructor)

  const NamedFeatures* named() const { return named_; }  // null: numbered
  NamesId names() const { return names_; }
  const Covector& numbered() const { return numbered_; }

 private:
  const NamedFeatures* named_ = nullptr;
  NamesId names_ = NamesId::kUnknown;
  Covector numbered_ = Covector::dense({});
};

}  // namespace tarry
