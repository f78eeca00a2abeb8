// What the last million settled rounds were told, as one number each: the same again is a duplicate, anything else
// contradicts it.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>

#include "tarry/base/bytes.h"
#include "tarry/base/error.h"
#include "tarry/ledger/round.h"

namespace tarry::store {

class SettledDigests {
 public:
  explicit SettledDigests(std::size_t remembered = 1'000'000) : remembered_(remembered) {}

  std::optional<std::uint64_t> find(Round round) const {
    const auto found = digests_.find(round);
    if (found == digests_.end()) return std::nullopt;
    return found->second;
  }

  void add(Round round, std::uint64_t digest) {
    if (!digests_.emplace(round, digest).second) return;
    order_.push_back(round);
    if (order_.size() <= remembered_) return;
    digests_.erase(order_.front());
    order_.pop_front();
  }

  std::size_t size() const { return order_.size(); }

  void save(ByteWriter& out) const {
    out.u64(order_.size());
    for (const Round round : order_) {
      out.u64(round);
      out.u64(digests_.at(round));
    }
  }
  void load(ByteReader& in) {  // on error it must not be used further
    *this = SettledDigests(remembered_);
    for (std::uint64_t left = in.count(16); left > 0; --left) {
      const Round round = in.u64();
      if (digests_.contains(round)) throw Error(Code::kCorrupt, "snapshot: a settled round stands twice");
      add(round, in.u64());
    }
  }

 private:
  std::size_t remembered_;
  std::unordered_map<Round, std::uint64_t> digests_;
  std::deque<Round> order_;
};

}  // namespace tarry::store
