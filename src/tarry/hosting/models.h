// All models of a store: the deterministic fold of a log's entries. Recovery, the tools of the store and a queue's
// worker feed it; the service takes the models over and feeds each of them itself, in the same way, one thread a model.
//
// A saved state may hold models at later positions than its own: what a model has seen already is dropped.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarry/base/bytes.h"
#include "tarry/hosting/entry.h"
#include "tarry/hosting/hosted_model.h"

namespace tarry::hosting {

using ModelPointer = std::shared_ptr<HostedModel>;

// What precedes the models in a saved state.
struct StateHead {
  Position position = 0;    // every entry up to here is in the state
  std::uint64_t epoch = 0;  // of the last opening up to there
  std::int64_t at_ms = 0;   // the latest time of any entry up to there
  std::uint64_t models = 0;
};

// Models are shared with those who found them: one that is deleted lives on, outside the fold, until they let go of it.
// Who has one must see to it that one thread at a time changes it.
class Models {
 public:
  // Takes the entry after the one before. Nothing comes back for one that no model had to fold. Throws Error where it
  // cannot be applied; the position counts then, and nothing else has changed.
  std::optional<Folded> apply(Position position, const Entry& entry);
  std::optional<Folded> apply(Position position, std::string_view payload);

  ModelPointer find(std::string_view name) const;  // null: there is none
  ModelPointer find(Position incarnation) const;   // null: there is none, or no longer
  std::vector<ModelPointer> all() const;           // by name
  const StateHead& head() const { return head_; }

  void save(ByteWriter& out) const;
  // Throws Error{kCorrupt}; on error it must not be used further.
  void load(ByteReader& in);

 private:
  std::optional<Folded> fold(Position position, const Entry& entry);

  StateHead head_;
  std::map<Position, ModelPointer> by_incarnation_;
  std::map<std::string, ModelPointer, std::less<>> by_name_;
};

// The pieces of a saved state, for a shell that saves one model after the other: the head, then each model's bytes.
void save_head(ByteWriter& out, const StateHead& head);
void save_model(ByteWriter& out, std::string_view hosted_model_bytes);
void save_model(ByteWriter& out, const FrozenHosted& model);  // without a second copy of it

}  // namespace tarry::hosting
