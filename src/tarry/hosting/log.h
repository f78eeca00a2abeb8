// The ordered history that a store folds its state from. It has more than one home (a local journal, a partition of a
// queue), and nothing above this folder knows which.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "tarry/base/error.h"

namespace tarry::hosting {

using Position = std::uint64_t;  // of a record: 1, 2, 3 … without gaps; 0: before the first

// The process, or the machine, has as many files open as it may: nothing was tried, and it passes by itself, as a full
// disk does.
class OutOfDescriptors : public Error {
 public:
  explicit OutOfDescriptors(const std::string& message) : Error(Code::kFull, message) {}
};

// One thread at a time appends; one other may sync meanwhile.
class Log {
 public:
  virtual ~Log() = default;

  virtual Position last() const = 0;    // of what was appended
  virtual Position synced() const = 0;  // of what survives a loss of power

  // Makes sure that so many more bytes of payload, in so many records, can be appended. Throws Error{kFull}: nothing
  // has changed then, and it may be tried again. What was reserved is used up by the next append.
  virtual void reserve(std::size_t records, std::size_t bytes) = 0;
  // Takes payloads as the next records and gives the last one's position. Never fails within what was reserved.
  virtual Position append(std::span<const std::string_view> payloads) = 0;
  // Returns when all that had been appended is durable, with the position up to which it is. Throws Error{kIo}: the
  // log must not be used any more, since nobody knows what is on the disk.
  virtual Position sync() = 0;

  // Visits the records after `position` that are there at the call, in order, until `visit` says false.
  // A payload is the log's, and good for the length of that call.
  virtual void read(Position after, const std::function<bool(Position, std::string_view payload)>& visit) const = 0;
};

}  // namespace tarry::hosting
