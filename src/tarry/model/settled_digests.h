// The feedback of the last million settled rounds, as one number each: the same again is a duplicate, anything else
// contradicts it. A copy shares what both hold.
#pragma once

#include <cstdint>
#include <optional>

#include "tarry/base/bytes.h"
#include "tarry/base/error.h"
#include "tarry/base/shared_map.h"
#include "tarry/ledger/round.h"

namespace tarry {

class SettledDigests {
 public:
  explicit SettledDigests(std::size_t remembered = 1'000'000) : remembered_(remembered) {}

  std::optional<std::uint64_t> find(Round round) const {
    const std::uint64_t* found = digests_.find(round);
    if (found == nullptr) return std::nullopt;
    return *found;
  }

  // Of a round that was told something else since, the last.
  void add(Round round, std::uint64_t digest) {
    if (!digests_.set(round, digest)) return;
    order_.set(added_++, round);
    if (order_.size() <= remembered_) return;
    const auto oldest = order_.first();
    digests_.erase(*oldest.value);
    order_.erase(oldest.key);
  }

  std::size_t size() const { return order_.size(); }

  void save(ByteWriter& out) const {
    out.u64(order_.size());
    order_.each([&](std::uint64_t, Round round) {
      out.u64(round);
      out.u64(*digests_.find(round));
    });
  }
  void load(ByteReader& in) {  // on error it must not be used further
    *this = SettledDigests(remembered_);
    for (std::uint64_t left = in.count(16); left > 0; --left) {
      const Round round = in.u64();
      if (digests_.contains(round)) throw Error(Code::kCorrupt, "snapshot: a settled round is there twice");
      add(round, in.u64());
    }
  }

 private:
  std::size_t remembered_;
  SharedMap<std::uint64_t> digests_;  // by round
  SharedMap<Round> order_;            // by a number that counts them
  std::uint64_t added_ = 0;
};

}  // namespace tarry
