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
  const auto found = requests_.find(key);
  return found == requests_.end() ? nullptr : &found->second;
}

void ReplyMemory::add(const std::string& key, std::uint64_t digest, RememberedReply reply) {
  auto [request, first] = requests_.try_emplace(key);
  if (first) {
    request->second.digest = digest;
    order_.push_back(key);
    bytes_ += key.size();
  }
  bytes_ += reply.json.size();
  ++decisions_;
  request->second.replies.push_back(std::move(reply));
  while (order_.size() > 1 && (decisions_ > limits_.decisions || bytes_ > limits_.bytes)) forget_oldest();
}

void ReplyMemory::forget_oldest() {
  const auto oldest = requests_.find(order_.front());
  bytes_ -= oldest->first.size();
  for (const RememberedReply& reply : oldest->second.replies) bytes_ -= reply.json.size();
  decisions_ -= oldest->second.replies.size();
  requests_.erase(oldest);
  order_.pop_front();
}

void ReplyMemory::save(ByteWriter& out) const {
  out.u64(order_.size());
  for (const std::string& key : order_) {
    const RememberedRequest& request = requests_.at(key);
    out.text(key);
    out.u64(request.digest);
    out.u64(request.replies.size());
    for (const RememberedReply& reply : request.replies) {
      out.u64(reply.index);
      out.u64(reply.round);
      out.text(reply.json);
    }
  }
}

void ReplyMemory::load(ByteReader& in) {
  *this = ReplyMemory(limits_);
  for (std::uint64_t left = in.count(24); left > 0; --left) {
    const std::string key = in.text();
    const std::uint64_t digest = in.u64();
    if (requests_.contains(key)) throw Error(Code::kCorrupt, "snapshot: an idempotency key stands twice");
    for (std::uint64_t replies = in.count(24); replies > 0; --replies) {
      RememberedReply reply{.index = in.u64()};
      reply.round = in.u64();
      reply.json = in.text();
      add(key, digest, std::move(reply));
    }
  }
}

}  // namespace tarry::store
