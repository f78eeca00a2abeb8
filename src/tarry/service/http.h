// A request and its answer, as routes see them: nothing here knows sockets.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tarry::service {

struct Request {
  std::string method;  // "GET"
  std::string path;    // before the "?", as it came
  std::string query;   // behind it
  std::string body;
  // Headers that matter; empty: not given.
  std::string host, origin, content_type, authorization, idempotency_key, prefer;
  bool has_idempotency_key = false;
  bool forwarded = false;  // some header says that a proxy passed it on
  bool takes_gzip = false;
};

// A body without an end: asked for a piece when it begins and then once a second. Nothing: it is over.
using Pieces = std::function<std::optional<std::string>()>;

// Something that was asked for and refused, for whoever watches; an answer to many things may have many.
struct RefusedItem {
  int status = 0;
  std::string code, message;
  std::string model;  // empty: the address says it, or nobody knows
};

struct Response {
  int status = 200;
  std::string body = {};
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers = {};
  Pieces pieces = {};  // instead of the body
  std::vector<RefusedItem> refused = {};
};

// To be called once, from any thread.
using Reply = std::function<void(Response)>;
using Handler = std::function<void(Request, Reply)>;

}  // namespace tarry::service
