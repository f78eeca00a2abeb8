// What a host was asked before, so that what is sent again does no harm: of requests with an idempotency key, what each
// of their decisions was answered, and whether the log has it for sure. The last million decisions, within a bound on
// memory. What rounds were told is model/told.h, for doors without a host too; the keys of rounds (ledger/keys.h) are
// names that late labels use, part of the model's state and of its hash.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tarry/base/bytes.h"
#include "tarry/base/shared.h"
#include "tarry/base/shared_map.h"
#include "tarry/hosting/log.h"
#include "tarry/ledger/round.h"

namespace tarry::hosting {

struct RememberedReply {
  std::uint64_t index = 0;  // of the decision among those of its request
  Round round = 0;
  std::string json = {};  // as model/reply.h writes it: a quarter of the value's memory, and read only when asked again
};

struct RememberedRequest {
  std::shared_ptr<const std::string> key;
  std::uint64_t digest = 0;              // of the body
  std::vector<RememberedReply> replies;  // of the decisions that were made, in their order
  Position written = 0;                  // of the last of them in the log; 0: it was there when this was loaded

  const RememberedReply* find(std::uint64_t index) const;  // null: that one was not made
};

// What is saved of it. A copy shares what both hold, and can be saved while the model goes on.
struct RetriesKept {
  SharedMap<Shared<RememberedRequest>> requests;  // by numbers that count their first answers

  void save(ByteWriter& out) const;
};

class Retries {
 public:
  struct Limits {
    std::size_t decisions = 1'000'000;
    std::size_t bytes = std::size_t{256} << 20;  // of keys and answers
  };
  explicit Retries(Limits limits) : limits_(limits) {}
  Retries() : Retries(Limits{}) {}

  const RememberedRequest* request(const std::string& key) const;  // null: it never came, or was forgotten
  // The next answer of a request; its first one makes the request known.
  void answered(const std::string& key, std::uint64_t digest, RememberedReply reply);
  // The answers of this request are in the log up to here, and durable once that is.
  void written(const std::string& key, Position position);

  std::size_t requests() const { return kept_.requests.size(); }
  std::size_t decisions() const { return decisions_; }

  const RetriesKept& kept() const { return kept_; }
  void load(ByteReader& in);  // throws Error{kCorrupt}; on error it must not be used further

 private:
  void forget_oldest_request();

  Limits limits_;
  RetriesKept kept_;
  std::unordered_map<std::string_view, std::uint64_t> by_key_;  // the texts are the requests' own
  std::uint64_t requests_added_ = 0;
  std::size_t decisions_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace tarry::hosting
