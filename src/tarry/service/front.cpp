#include "tarry/service/front.h"

#include <fmt/format.h>

#include "tarry/base/error.h"
#include "tarry/base/version.h"

namespace tarry::service {

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

Front::Front(const FrontOptions& options, Host& host, JsonLog& log, store::Disk& disk, const std::string& folder,
             RoutesSetting setting)
    : options_(options), log_(log), disk_(disk), tokens_path_(fmt::format("{}/{}", folder, kTokensFile)) {
  Tokens tokens = read_tokens();
  const bool loopback = is_loopback(options_.http.address);
  if (tokens.all().empty() && !loopback)
    log_.warning("no token exists: every request is refused", {{"see", {std::string("tarry token add")}}});
  access_ = std::make_unique<Access>(loopback, std::move(tokens));
  if (options_.log_requests)
    setting.seen = [this](const std::string& method, const std::string& path, int status, double seconds) {
      log_.info("request",
                {{"method", {method}}, {"path", {path}}, {"status", {std::int64_t{status}}}, {"seconds", {seconds}}});
    };
  routes_ = std::make_unique<Routes>(host, *access_, std::move(setting));
  http_ = std::make_unique<HttpServer>(
      options_.http, [this](const Request& head) { return routes_->admit(head); },
      [this](Request request, Reply reply) { routes_->handle(std::move(request), std::move(reply)); });
}

Tokens Front::read_tokens() {
  tokens_text_ = disk_.exists(tokens_path_) ? store::read_whole(disk_, tokens_path_) : "";
  return Tokens::parse(tokens_text_);
}

void Front::look_for_tokens() {
  const std::string before = tokens_text_;
  Tokens tokens = read_tokens();
  if (tokens_text_ != before) access_->replace(std::move(tokens));
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
