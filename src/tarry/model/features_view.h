// Features that somebody else owns: numbered (dense or sparse) or named.
#pragma once

#include "tarry/linalg/covector.h"
#include "tarry/model/event.h"

namespace tarry {

// Good for one call: a model copies what a round must keep.
class FeaturesView {
 public:
  FeaturesView(const Covector& numbered) : numbered_(numbered) {}  // NOLINT(google-explicit-constructor)
  FeaturesView(const NamedFeatures& named) : named_(&named) {}     // NOLINT(google-explicit-constructor)
  FeaturesView(const Features& features);                          // NOLINT(google-explicit-constructor)

  const NamedFeatures* named() const { return named_; }  // null: numbered
  const Covector& numbered() const { return numbered_; }

 private:
  const NamedFeatures* named_ = nullptr;
  Covector numbered_ = Covector::dense({});
};

}  // namespace tarry
