// A request and its answer, as routes see them: nothing here knows sockets.
#pragma once

#include <functional>
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
  std::string host, origin, content_type, authorization, idempotency_key;
  bool has_idempotency_key = false;
  bool forwarded = false;  // some header says that a proxy passed it on
};

struct Response {
  int status = 200;
  std::string body = {};
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers = {};
};

// To be called once, from any thread.
using Reply = std::function<void(Response)>;
using Handler = std::function<void(Request, Reply)>;

}  // namespace tarry::service
