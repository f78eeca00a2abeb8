#include "tarry/hosting/retries.h"

#include <algorithm>

#include "tarry/base/error.h"

namespace tarry::hosting {

const RememberedReply* RememberedRequest::find(std::uint64_t index) const {
  const auto found =
      std::find_if(replies.begin(), replies.end(), [&](const auto& reply) { return reply.index == index; });
  return found == replies.end() ? nullptr : &*found;
}

const RememberedRequest* Retries::request(const std::string& key) const {
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? nullptr : &**kept_.requests.find(found->second);
}

void Retries::answered(const std::string& key, std::uint64_t digest, RememberedReply reply) {
  auto found = by_key_.find(key);
  if (found == by_key_.end()) {
    auto text = std::make_shared<const std::string>(key);
    kept_.requests.set(requests_added_, Shared(RememberedRequest{.key = text, .digest = digest, .replies = {}}));
    found = by_key_.emplace(*text, requests_added_++).first;
    bytes_ += key.size();
  }
  bytes_ += reply.json.size();
  ++decisions_;
  kept_.requests.edit(found->second)->own().replies.push_back(std::move(reply));
  while (kept_.requests.size() > 1 && (decisions_ > limits_.decisions || bytes_ > limits_.bytes))
    forget_oldest_request();
}

void Retries::written(const std::string& key, Position position) {
  const auto found = by_key_.find(key);
  if (found != by_key_.end()) kept_.requests.edit(found->second)->own().written = position;
}

void Retries::forget_oldest_request() {
  const auto oldest = kept_.requests.first();
  const RememberedRequest& request = **oldest.value;
  bytes_ -= request.key->size();
  for (const RememberedReply& reply : request.replies) bytes_ -= reply.json.size();
  decisions_ -= request.replies.size();
  by_key_.erase(*request.key);
  kept_.requests.erase(oldest.key);
}

void RetriesKept::save(ByteWriter& out) const {
  out.u64(requests.size());
  requests.each([&](std::uint64_t, const Shared<RememberedRequest>& request) {
    out.text(*request->key);
    out.u64(request->digest);
    out.u64(request->replies.size());
    for (const RememberedReply& reply : request->replies) {
      out.u64(reply.index);
      out.u64(reply.round);
      out.text(reply.json);
    }
  });
}

void Retries::load(ByteReader& in) {
  *this = Retries(limits_);
  for (std::uint64_t left = in.count(24); left > 0; --left) {
    const std::string key = in.text();
    const std::uint64_t digest = in.u64();
    if (by_key_.contains(key)) throw Error(Code::kCorrupt, "snapshot: an idempotency key is there twice");
    for (std::uint64_t replies = in.count(24); replies > 0; --replies) {
      RememberedReply reply{.index = in.u64()};
      reply.round = in.u64();
      reply.json = in.text();
      answered(key, digest, std::move(reply));
    }
  }
}

}  // namespace tarry::hosting
