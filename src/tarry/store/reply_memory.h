// The answers to requests that carried an idempotency key, so that one which is sent again is answered as it was the
// first time: the last million decisions, within a bound on memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tarry/base/bytes.h"
#include "tarry/base/shared.h"
#include "tarry/base/shared_map.h"
#include "tarry/ledger/round.h"

namespace tarry::store {

struct RememberedReply {
  std::uint64_t index = 0;  // of the decision among those of its request
  Round round = 0;
  std::string json = {};
};

struct RememberedRequest {
  std::shared_ptr<const std::string> key;
  std::uint64_t digest = 0;              // of the body
  std::vector<RememberedReply> replies;  // of the decisions that were made, in their order

  const RememberedReply* find(std::uint64_t index) const;  // null: that one was not made
};

// By numbers that count their first answers. A copy shares what both hold.
using RememberedRequests = SharedMap<Shared<RememberedRequest>>;
void save_replies(ByteWriter& out, const RememberedRequests& requests);

class ReplyMemory {
 public:
  struct Limits {
    std::size_t decisions = 1'000'000;
    std::size_t bytes = std::size_t{256} << 20;  // of keys and answers
  };
  explicit ReplyMemory(Limits limits) : limits_(limits) {}
  ReplyMemory() : ReplyMemory(Limits{}) {}

  const RememberedRequest* find(const std::string& key) const;
  // The next answer of a request; its first one makes the request known.
  void add(const std::string& key, std::uint64_t digest, RememberedReply reply);

  std::size_t requests() const { return requests_.size(); }
  std::size_t decisions() const { return decisions_; }

  const RememberedRequests& all() const { return requests_; }
  void load(ByteReader& in);  // on error it must not be used further

 private:
  void forget_oldest();

  Limits limits_;
  RememberedRequests requests_;
  std::unordered_map<std::string_view, std::uint64_t> by_key_;  // the texts are the requests' own
  std::uint64_t added_ = 0;
  std::size_t decisions_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace tarry::store
