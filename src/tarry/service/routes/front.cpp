#include "tarry/service/routes/front.h"

#include <fmt/format.h>

#include "tarry/base/error.h"
#include "tarry/base/version.h"

namespace tarry::service {
namespace {

std::string tokens_path(const std::string& folder) { return fmt::format("{}/{}", folder, kTokensFile); }

}  // namespace

void check_reach(const FrontOptions& options) {
  const HttpOptions& http = options.http;
  if (http.certificate.empty() != http.key.empty())
    throw Error(Code::kBadInput, "TLS needs both a certificate and its key (--tls-cert, --tls-key)");
  if (is_loopback(http.address)) return;
  if (http.certificate.empty() && !options.without_tls)
    throw Error(Code::kBadInput,
                fmt::format("{} can be reached from outside: give --tls-cert and --tls-key, or say --without-tls where "
                            "something in front of it does TLS",
                            http.address));
}

void check_tokens(const FrontOptions& options, store::Disk& disk, const std::string& folder) {
  const std::string path = tokens_path(folder);
  if (options.without_tokens && !is_loopback(options.http.address))
    throw Error(Code::kBadInput,
                fmt::format("--without-tokens needs a loopback address, which only this machine reaches ({} came)",
                            options.http.address));
  const bool there = disk.exists(path);  // empty or not: tokens were wanted here
  if (options.without_tokens && there)
    throw Error(
        Code::kBadInput,
        fmt::format("{}: is there, and --without-tokens (or --demo, which implies it) was given: leave that out "
                    "to ask for tokens, or remove the file to go without",
                    path));
  if (options.without_tokens) return;
  if (!there || Tokens::parse(store::read_whole(disk, path)).all().empty())
    throw Error(
        Code::kBadInput,
        fmt::format("{}: has no token: make one with tarry token add NAME --data {} --scope "
                    "admin,decide,feedback,read, or say --without-tokens, and every user of this machine may do "
                    "everything",
                    folder, folder));
}

Front::Front(const FrontOptions& options, Host& host, hosting::JsonLog& log, store::Disk& disk,
             const std::string& folder, RoutesSetting setting)
    : options_(options), log_(log), watch_(disk, tokens_path(folder)) {
  FoundTokens found = watch_.look().value_or(FoundTokens{});
  why_none_ = found.why_none;
  if (options_.without_tokens) log_.warning("without tokens: every user of this machine may do everything");
  access_ = std::make_unique<Access>(options_.without_tokens, std::move(found.tokens), [this] { look_for_tokens(); });
  if (options_.log_requests)
    setting.seen = [this](const std::string& method, const std::string& path, int status, double seconds) {
      log_.info("request",
                {{"method", {method}}, {"path", {path}}, {"status", {std::int64_t{status}}}, {"seconds", {seconds}}});
    };
  routes_ = std::make_unique<Routes>(host, *access_, std::move(setting));
  http_ = std::make_unique<HttpServer>(
      options_.http, [this](const Request& head) { return routes_->admit(head); },
      [this](Request request, Respond respond) { routes_->handle(std::move(request), std::move(respond)); });
}

void Front::look_for_tokens() {
  const std::lock_guard lock(mutex_);
  std::optional<FoundTokens> found = watch_.look();
  if (!found) return;
  told(*found);
  access_->replace(std::move(found->tokens));
}

// Once for each reason, not at each look.
void Front::told(const FoundTokens& found) {
  if (found.why_none == why_none_) return;
  why_none_ = found.why_none;
  if (why_none_.empty()) return log_.info("tokens are there: every request needs one");
  log_.error("no token is left: every request is refused",
             {{"file", {watch_.path()}}, {"why", {why_none_}}, {"see", {std::string("tarry token add")}}});
}

void Front::start() {
  http_->start();
  log_.info("listening", {{"address", {address()}}, {"version", {std::string(kVersion)}}});
}

void Front::stop(std::chrono::seconds patience) { http_->stop(patience); }

std::string Front::address() const {
  const bool v6 = options_.http.address.find(':') != std::string::npos;
  return fmt::format("{}://{}{}{}:{}", options_.http.certificate.empty() ? "http" : "https", v6 ? "[" : "",
                     options_.http.address, v6 ? "]" : "", http_->port());
}

}  // namespace tarry::service
