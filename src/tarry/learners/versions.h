// What waiting rounds saw of a learner when they were played, one copy for all that saw the same: each round's memo
// keeps the version's number, and a version lives until the last of its rounds is answered or given up.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "tarry/base/bytes.h"
#include "tarry/base/contract.h"
#include "tarry/base/error.h"
#include "tarry/ledger/round.h"

namespace tarry {

template <class T>
class Versions {
 public:
  // One more round waits for this version; the first one makes it.
  template <class Make>
  void take(std::uint64_t number, Make make) {
    auto held = held_.find(number);
    if (held == held_.end()) held = held_.emplace(number, Held{0, make()}).first;
    ++held->second.rounds;
  }
  // One round less. Throws as at() does.
  void release(std::uint64_t number) {
    const auto held = find(number);
    ensure(held->second.rounds > 0, "a version that is held has a round that waits for it");
    if (--held->second.rounds == 0) held_.erase(held);
  }

  // Throws Error{kCorrupt} where no waiting round has it: the round was settled, or its memo is another learner's.
  const T& at(std::uint64_t number) const { return const_cast<Versions*>(this)->find(number)->second.value; }
  // The one with the largest number; null when no round waits.
  const T* newest() const { return held_.empty() ? nullptr : &held_.rbegin()->second.value; }
  std::uint64_t newest_number() const { return held_.rbegin()->first; }
  std::size_t size() const { return held_.size(); }

  // In ascending order of numbers; write(value) and read() do one version's contents.
  template <class Write>
  void save(ByteWriter& out, Write write) const {
    out.u64(held_.size());
    for (const auto& [number, held] : held_) {
      out.u64(number);
      out.u64(held.rounds);
      write(held.value);
    }
  }
  template <class Read>
  void load(ByteReader& in, Read read) {
    held_.clear();
    for (std::uint64_t left = in.u64(); left > 0; --left) {
      const std::uint64_t number = in.u64(), rounds = in.u64();
      if (rounds == 0 || (!held_.empty() && number <= newest_number()))
        throw Error(Code::kCorrupt, "snapshot: what its rounds saw is not in order");
      held_.emplace_hint(held_.end(), number, Held{rounds, read()});
    }
  }

 private:
  struct Held {
    std::uint64_t rounds;
    T value;
  };

  auto find(std::uint64_t number) {
    const auto held = held_.find(number);
    if (held == held_.end())
      throw Error(Code::kCorrupt, "no waiting round saw version " + std::to_string(number) + " of the learner");
    return held;
  }

  std::map<std::uint64_t, Held> held_;
};

}  // namespace tarry
