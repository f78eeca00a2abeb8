// Rounds by the names that clients gave them: those outstanding, and the last million that were closed, so that a play
// which is sent again is answered as it was the first time.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "tarry/base/bytes.h"
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

class Keys {
 public:
  explicit Keys(std::size_t remembered = kRememberedKeys) : remembered_(remembered) {}

  const KeyedRound* find(const std::string& key) const;
  const std::string* key_of(Round outstanding) const;  // null: it has none, or is closed

  void open(const std::string& key, KeyedRound round);  // not known yet
  void close(Round round);                              // nothing happens when it has no key

  std::size_t size() const { return rounds_.size(); }

  void save(ByteWriter& out) const;
  void load(ByteReader& in, Round issued);  // on error it must not be used further
  // Whether the keys that are open are those of rounds that wait, and each was answered with so many scores.
  bool fit(const std::function<bool(Round)>& waits, std::size_t scores) const;

 private:
  std::size_t remembered_;
  std::unordered_map<std::string, KeyedRound> rounds_;
  std::unordered_map<Round, std::string> open_;
  std::deque<std::string> closed_;  // in the order they were closed
};

}  // namespace tarry
