// HTTP in front of a host: the rules of who may reach it, tokens, addresses, and a line in the log for each request.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>

#include "tarry/hosting/json_log.h"
#include "tarry/service/access/access.h"
#include "tarry/service/access/token_watch.h"
#include "tarry/service/http/http_server.h"
#include "tarry/service/routes/routes.h"
#include "tarry/store/disk/disk.h"

namespace tarry::service {

struct FrontOptions {
  HttpOptions http = {};
  bool without_tls = false;     // allowed on an address that others can reach
  bool without_tokens = false;  // for every user of this machine
  bool log_requests = false;
};

// Reachable from outside, nobody on the way must read along. Throws Error{kBadInput}.
void check_reach(const FrontOptions& options);
// There are tokens in `folder`, or somebody decided to go without. Throws Error.
void check_tokens(const FrontOptions& options, store::Disk& disk, const std::string& folder);

class Front {
 public:
  // Listens; requests wait until start(). Tokens are in `folder`. Throws Error.
  Front(const FrontOptions& options, Host& host, hosting::JsonLog& log, store::Disk& disk, const std::string& folder,
        RoutesSetting setting);

  void start();
  void stop(std::chrono::seconds patience);
  void look_for_tokens();  // that were added or removed; any thread

  std::string address() const;  // http://127.0.0.1:8080
  const HttpServer& http() const { return *http_; }

 private:
  void told(const FoundTokens& found);

  FrontOptions options_;
  hosting::JsonLog& log_;
  std::mutex mutex_;  // of the watch and what it found
  TokenWatch watch_;
  std::string why_none_;
  std::unique_ptr<Access> access_;
  std::unique_ptr<Routes> routes_;
  std::unique_ptr<HttpServer> http_;
};

}  // namespace tarry::service
