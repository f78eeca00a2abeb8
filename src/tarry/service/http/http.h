// A request and its answer, as routes see them: nothing here knows sockets.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tarry::service {

inline constexpr std::string_view kSubscriptionKey = "Ocp-Apim-Subscription-Key";  // as Personalizer's clients send it

struct Request {
  std::string method;  // "GET"
  std::string path;    // before the "?", as it came
  std::string query;   // behind it
  std::string body;
  // Headers that matter; empty: not given.
  std::string host, origin, content_type, authorization, subscription_key, idempotency_key, prefer;
  bool has_idempotency_key = false;
  bool forwarded = false;  // some header says that a proxy passed it on
  bool takes_gzip = false;
};

// A body without an end: asked for a piece when it begins and then once a second. Nothing: it is over.
using Pieces = std::function<std::optional<std::string>()>;

// Something that was asked for and refused, for the watch; an answer to many things may have many.
struct RefusedItem {
  int status = 0;
  std::string code, message;
  std::string model;  // empty: the address says it, or nobody knows
};

struct Response {
  int status = 200;
  std::string body = {};
  std::string_view content_type = "application/json";  // of a text that stays
  std::vector<std::pair<std::string, std::string>> headers = {};
  Pieces pieces = {};  // instead of the body
  std::vector<RefusedItem> refused = {};
  std::string_view fixed = {};  // instead of the body: a text that stays

  std::string_view text() const { return fixed.empty() ? std::string_view(body) : fixed; }
};

// To be called once, from any thread.
using Respond = std::function<void(Response)>;
using Handler = std::function<void(Request, Respond)>;

// What is known once the headers are in, before any of the body is read.
struct Admission {
  std::optional<Response> refusal = {};  // the answer, and the body is not read
  bool known = false;                    // a valid token came, or none is needed: no stranger any more
  bool takes_body = false;               // false: answered without it
};
using Gate = std::function<Admission(const Request& head)>;

}  // namespace tarry::service
