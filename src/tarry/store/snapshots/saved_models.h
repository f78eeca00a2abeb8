// Models out of a snapshot, and which arithmetic the entries behind it were written with.
#pragma once

#include <optional>
#include <string>

#include "tarry/hosting/models.h"
#include "tarry/store/snapshots/snapshots.h"

namespace tarry::store {

// Throws Error{kCorrupt} where the state is damaged and Error{kConflict} where it is another log's, with the file's
// name.
hosting::Models load_models(const Snapshots& snapshots, const Saved& saved);

// Watches what is folded behind a snapshot. Entries that were written with another number may have been answered with
// other bits than the fold has: that is said once. A later number than this program's is refused.
class ArithmeticWatch {
 public:
  // Nothing: the fold begins with the first entry. Throws Error{kUnsupported}.
  explicit ArithmeticWatch(const SavedHead* saved);

  void see(Position position, const hosting::Entry& entry);  // throws Error{kUnsupported}
  // What there is to be told, in one line; nothing where all has this program's number.
  std::optional<std::string> told() const;
  // From where on the fold has this program's number: what SavedHead::folded_from of its snapshots says.
  Position folded_from() const { return folded_from_; }

 private:
  void check_not_later(Position position) const;

  Position base_ = 0;  // of the snapshot
  Position folded_from_ = 0;
  std::uint64_t base_number_;
  std::uint64_t number_;
  std::string engine_;
  Position first_other_ = 0, last_other_ = 0;
  std::uint64_t other_number_ = 0;  // of the first
  std::string other_engine_;
};

}  // namespace tarry::store
