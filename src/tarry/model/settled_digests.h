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
    try {
      if (round != next_ || next_ == 0) runs_.set(added_, round);
    } catch (...) {
      digests_.erase(round);
      throw;
    }
    next_ = round + 1;
    ++added_;
    if (digests_.size() > remembered_) forget_oldest();
  }

  std::size_t size() const { return digests_.size(); }

  void save(ByteWriter& out) const {
    out.u64(size());
    std::uint64_t at = added_ - size(), from = 0;
    Round first = 0;
    const auto write_until = [&](std::uint64_t end) {
      for (; at < end; ++at) {
        out.u64(first + (at - from));
        out.u64(*digests_.find(first + (at - from)));
      }
    };
    runs_.each([&](std::uint64_t begin, Round round) {
      write_until(begin);
      from = begin;
      first = round;
    });
    write_until(added_);
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
  void forget_oldest() {
    const std::uint64_t oldest = added_ - digests_.size();
    const auto run = runs_.first();
    digests_.erase(*run.value + (oldest - run.key));
    if (const auto next = runs_.at_or_after(run.key + 1); next.key == oldest + 1 && next) runs_.erase(run.key);
  }

  std::size_t remembered_;
  SharedMap<std::uint64_t> digests_;  // by round
  // In which order they came: they are counted, and where one is not the round after the one before, it is here. Most
  // rounds settle in order, and then this stays small.
  SharedMap<Round> runs_;  // by its count
  std::uint64_t added_ = 0;
  Round next_ = 0;  // after the one that came last
};

}  // namespace tarry
