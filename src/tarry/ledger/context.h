// What is kept of an outstanding round, and its packed form: one small block a round, never a copy of the decision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tarry/base/bytes.h"
#include "tarry/ledger/round.h"

namespace tarry {

// What is shown of a prediction ⟨features, x⟩: centre + scale · it, in the labels' units.
struct Link {
  double centre = 0, scale = 1;

  double operator()(double prediction) const { return centre + scale * prediction; }
  bool operator==(const Link&) const = default;
};

// When a round was played and when its answer is due, in seconds; equal: it is not due at any time.
struct DueTime {
  double played = 0, due = 0;

  bool any() const { return due > played; }
  double share(double now) const { return (now - played) / (due - played); }  // of the time between
  bool operator==(const DueTime&) const = default;
};

// The memory of up to so many numbers is kept for the next round; that of more is given back.
inline constexpr std::size_t kKeptNumbers = std::size_t{1} << 12;

struct Context {
  bool has_features = false;
  bool sparse = false;  // then `indices` go with `values`
  std::vector<std::int64_t> indices;
  std::vector<double> values;
  double prediction = 0;       // ⟨features, x⟩ at play; over classes, the likeliest
  std::vector<double> scores;  // of the classes, where there are several outputs
  Link link;
  DueTime due;
  Memo memo;

  void clear();  // to be filled again: its memory stays, unless that is much
};

// Throws Error{kOutOfMemory} where a round has more features than a context can hold.
void check_size(const Context& context);

// All of a Context in one allocation: 16 bytes, and 8 for each number (link and scores only where there are some). It
// never changes, and copies share it.
class PackedContext {
 public:
  explicit PackedContext(const Context& context);
  Context unpack() const;
  void unpack(Context& into) const;  // into memory that is there
  // Of the context, without unpacking it.
  double prediction() const;
  std::size_t memo_size() const;
  bool has_due() const;

  // The same bytes for the same context; load throws Error{kCorrupt} for what no context packs to.
  void save(ByteWriter& out) const;
  static PackedContext load(ByteReader& in);

 private:
  PackedContext() = default;
  std::size_t size() const;

  std::shared_ptr<std::byte[]> bytes_;
};

}  // namespace tarry
