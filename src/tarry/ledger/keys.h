// Rounds by the names that clients gave them: those outstanding, and the last million that were closed, so that a play
// which is sent again is answered as it was the first time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "tarry/base/bytes.h"
#include "tarry/base/shared_map.h"
#include "tarry/ledger/round.h"

namespace tarry {

inline constexpr std::size_t kRememberedKeys = 1'000'000;  // of closed rounds
inline constexpr std::size_t kLongestKey = 1024;           // bytes

// What a keyed play was answered with, and what it asked.
struct KeyedRound {
  Round round = 0;
  std::uint64_t digest = 0;  // of its features
  double prediction = 0;
  std::vector<double> scores = {};
};

// A key with what it names; it never changes.
struct KnownKey {
  std::string key;
  KeyedRound round;
};
using KnownKeyPointer = std::shared_ptr<const KnownKey>;

// All keys that are known, in the order of their rounds and in that of their closing. A copy shares what both hold.
struct KeyLists {
  SharedMap<KnownKeyPointer> open;    // by round
  SharedMap<KnownKeyPointer> closed;  // by a number that counts them

  void save(ByteWriter& out) const;
};

class Keys {
 public:
  explicit Keys(std::size_t remembered = kRememberedKeys) : remembered_(remembered) {}

  // Both are the keys' own, good until the next call that changes them.
  const KeyedRound* find(const std::string& key) const;
  const std::string* key_of(Round outstanding) const;  // null: it has none, or is closed

  void open(const std::string& key, KeyedRound round);  // not known yet
  void close(Round round);                              // nothing happens when it has no key

  std::size_t size() const { return by_key_.size(); }
  const KeyLists& lists() const { return lists_; }

  void save(ByteWriter& out) const { lists_.save(out); }
  void load(ByteReader& in, Round issued);  // on error it must not be used further
  // Whether the keys that are open are those of rounds that wait, and each was answered as it can be.
  bool fit(const std::function<bool(Round)>& waits, const std::function<bool(const KeyedRound&)>& answered) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view key) const { return std::hash<std::string_view>()(key); }
    std::size_t operator()(const KnownKeyPointer& known) const { return (*this)(std::string_view(known->key)); }
  };
  struct Same {
    using is_transparent = void;
    static std::string_view key(std::string_view x) { return x; }
    static std::string_view key(const KnownKeyPointer& x) { return x->key; }
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      return key(a) == key(b);
    }
  };
  void remember_closed(KnownKeyPointer known);

  std::size_t remembered_;
  std::unordered_set<KnownKeyPointer, Hash, Same> by_key_;
  KeyLists lists_;
  std::uint64_t closings_ = 0;
};

}  // namespace tarry
