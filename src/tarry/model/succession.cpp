// A model that joins another one's history later, and may take its place: rounds are counted as there, while learner
// and features count from their own first round, so that only the numbers of rounds differ from those of a model that
// began alone.
#include <utility>
#include <vector>

#include "tarry/base/contract.h"
#include "tarry/model/model.h"

namespace tarry {

void Model::begin_after(const Model& other) {
  ensure(ledger_.issued() == 0, "a model begins once");
  ledger_.begin_after(other.ledger_.issued());
  if (!labels_.names_classes()) return;
  labels_ = other.labels_;
  name_classes();
}

void Model::succeed(Model& other) {
  ensure(ledger_.issued() == other.ledger_.issued(), "a model takes the place of one that played the same rounds");
  std::swap(keys_, other.keys_);
  std::vector<Round> unknown;  // that it never played: they are closed, as far as it is concerned
  keys_.lists().open.each_while([&](Round round, const KnownKeyPointer&) {
    if (round <= ledger_.before()) unknown.push_back(round);
    return round <= ledger_.before();
  });
  for (const Round round : unknown) keys_.close(round);
}

}  // namespace tarry
