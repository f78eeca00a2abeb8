// Bytes to requests: what came is put here, and it says when a head is whole, when a body is, and what is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "tarry/service/http/errors.h"
#include "tarry/service/http/http.h"

namespace tarry::service {

struct RequestHead {
  Request request;                      // without its body
  std::optional<std::uint64_t> length;  // of the body, where it was said
  bool chunked = false;
  bool waits_for_continue = false;
  bool keep_alive = false;
  bool head = false;  // HEAD: as GET, and the answer has no body

  bool has_body() const { return chunked || length.value_or(0) > 0; }
};

class RequestReader {
 public:
  enum class Step { kMore, kHead, kWhole, kBad };
  struct Limits {
    std::size_t header = std::size_t{16} << 10;
    std::size_t body = std::size_t{8} << 20;
  };

  explicit RequestReader(Limits limits);
  ~RequestReader();

  void next();                   // a new request; bytes behind the last one are its beginning
  std::span<char> room();        // for bytes that come
  Step came(std::size_t count);  // so many of them did; 0: look at those that are there
  Step read_body();              // after kHead
  void discard();                // what came is of no interest

  const RequestHead& head() const { return head_; }
  const std::optional<Refusal>& refusal() const { return refusal_; }  // after kBad
  bool began() const;                                                 // some of a request is there
  std::string take_body();

 private:
  struct Parser;
  Step step();
  Step bad(Refusal refusal);

  Limits limits_;
  std::string bytes_;  // from begin_ on: not read yet
  std::size_t begin_ = 0, end_ = 0;
  std::unique_ptr<Parser> parser_;
  RequestHead head_;
  std::optional<Refusal> refusal_;
};

// Of a body that is longer than the service takes.
Refusal body_too_long(std::size_t most, std::optional<std::uint64_t> came);

}  // namespace tarry::service
