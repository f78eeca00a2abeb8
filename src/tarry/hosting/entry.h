// What one record of the log says. The state of every model is a fold of these (models.h). As bytes an entry begins
// with the version of its form; docs/store_format.md states them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "tarry/base/arithmetic.h"
#include "tarry/hosting/log.h"
#include "tarry/model/event.h"

namespace tarry::hosting {

// Each kind is written in the version that brought it: 2, 3 for what is deferred, 4 for challengers. 1 is read as well.
inline constexpr std::uint8_t kEntryVersion = 4;

// Times are milliseconds since 1970, as the shell that wrote the entry saw them: the fold reads no clock.
struct Opened {             // the service began to write
  std::uint64_t epoch = 0;  // drawn at random, so that two copies of a directory never share one
  std::int64_t at_ms = 0;
  std::string engine = {};                        // the version that writes from here on
  std::uint64_t arithmetic = kArithmeticUnknown;  // the number that it folds with

  bool operator==(const Opened&) const = default;
};

struct Create {  // its position is from now on the model's incarnation
  std::string name;
  std::string spec = {};  // JSON, in full
  std::int64_t at_ms = 0;
  std::string state = {};  // what it starts from, as model/snapshot.h has it; empty: from nothing

  bool operator==(const Create&) const = default;
};

struct Delete {
  Position incarnation = 0;

  bool operator==(const Delete&) const = default;
};

// A client's promise that requests with one key are one request. Those of a batch share it and have numbers from 0.
struct Once {
  std::string key;
  std::uint64_t digest = 0;  // of the request's body
  std::uint64_t index = 0;

  bool operator==(const Once&) const = default;
};

struct Apply {
  Position incarnation = 0;
  std::int64_t at_ms = 0;
  std::optional<Once> once = std::nullopt;
  Event event;
  bool deferred = false;  // of a play: nobody has seen what was decided, and nothing is learnt until it is activated

  bool operator==(const Apply&) const = default;
};

struct Activate {  // what was deferred was shown
  Position incarnation = 0;
  std::int64_t at_ms = 0;
  Round round = 0;

  bool operator==(const Activate&) const = default;
};

// From now on another model plays the same rounds, unseen.
struct Challenge {
  Position incarnation = 0;
  std::int64_t at_ms = 0;
  std::string challenger;
  std::string spec = {};  // JSON, in full

  bool operator==(const Challenge&) const = default;
};

struct Dismiss {  // a challenger
  Position incarnation = 0;
  std::int64_t at_ms = 0;
  std::string challenger;

  bool operator==(const Dismiss&) const = default;
};

struct Promote {  // a challenger: it and the champion change places
  Position incarnation = 0;
  std::int64_t at_ms = 0;
  std::string challenger;

  bool operator==(const Promote&) const = default;
};

using Entry = std::variant<Opened, Create, Delete, Apply, Activate, Challenge, Dismiss, Promote>;

// Whose entry it is; 0: no model's, or one's that it creates.
Position incarnation_of(const Entry& entry);

// Whether these bytes are of an event of this model, without reading the rest of them.
bool is_event_of(std::string_view bytes, Position incarnation);

std::string entry_bytes(const Entry& entry);
std::string entry_bytes(const Apply& entry);     // without a copy of the event
Entry entry_from_bytes(std::string_view bytes);  // throws Error{kCorrupt}

}  // namespace tarry::hosting
