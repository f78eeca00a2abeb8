#include "tarry/store/reply_memory.h"

#include <algorithm>

#include "tarry/base/error.h"

namespace tarry::store {

const RememberedReply* RememberedRequest::find(std::uint64_t index) const {
  const auto found =
      std::find_if(replies.begin(), replies.end(), [&](const auto& reply) { return reply.index == index; });
  return found == replies.end() ? nullptr : &*found;
}

const RememberedRequest* ReplyMemory::find(const std::string& key) const {
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? nullptr : &**requests_.find(found->second);
}

void ReplyMemory::add(const std::string& key, std::uint64_t digest, RememberedReply reply) {
  auto found = by_key_.find(key);
  if (found == by_key_.end()) {
    auto text = std::make_shared<const std::string>(key);
    requests_.set(added_, Shared(RememberedRequest{.key = text, .digest = digest, .replies = {}}));
    found = by_key_.emplace(*text, added_++).first;
    bytes_ += key.size();
  }
  bytes_ += reply.json.size();
  ++decisions_;
  requests_.edit(found->second)->own().replies.push_back(std::move(reply));
  while (requests_.size() > 1 && (decisions_ > limits_.decisions || bytes_ > limits_.bytes)) forget_oldest();
}

void ReplyMemory::forget_oldest() {
  const auto oldest = requests_.first();
  const RememberedRequest& request = **oldest.value;
  bytes_ -= request.key->size();
  for (const RememberedReply& reply : request.replies) bytes_ -= reply.json.size();
  decisions_ -= request.replies.size();
  by_key_.erase(*request.key);
  requests_.erase(oldest.key);
}

void save_replies(ByteWriter& out, const RememberedRequests& requests) {
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

void ReplyMemory::load(ByteReader& in) {
  *this = ReplyMemory(limits_);
  for (std::uint64_t left = in.count(24); left > 0; --left) {
    const std::string key = in.text();
    const std::uint64_t digest = in.u64();
    if (by_key_.contains(key)) throw Error(Code::kCorrupt, "snapshot: an idempotency key stands twice");
    for (std::uint64_t replies = in.count(24); replies > 0; --replies) {
      RememberedReply reply{.index = in.u64()};
      reply.round = in.u64();
      reply.json = in.text();
      add(key, digest, std::move(reply));
    }
  }
}

}  // namespace tarry::store
