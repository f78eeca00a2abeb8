#include "tarry/service/http/request_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstring>

#include "tarry/service/http/http_rules.h"
#include "tarry/service/memory/memory.h"

namespace tarry::service {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;

using Fields = http::request<http::string_body>;

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }
std::string text_of(beast::string_view text) { return {text.data(), text.size()}; }

Request request_of(const Fields& from) {
  Request request;
  request.method = text_of(from.method_string());
  const std::string target = text_of(from.target());
  request.path = target.substr(0, target.find('?'));
  if (request.path.size() < target.size()) request.query = target.substr(request.path.size() + 1);
  request.host = text_of(from[http::field::host]);
  request.origin = text_of(from[http::field::origin]);
  request.content_type = text_of(from[http::field::content_type]);
  request.authorization = text_of(from[http::field::authorization]);
  request.subscription_key = text_of(from[{kSubscriptionKey.data(), kSubscriptionKey.size()}]);
  request.idempotency_key = text_of(from["Idempotency-Key"]);
  request.has_idempotency_key = from.count("Idempotency-Key") > 0;
  request.prefer = text_of(from["Prefer"]);
  for (const char* name : {"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via"})
    request.forwarded = request.forwarded || from.count(name) > 0;
  request.takes_gzip = from[http::field::accept_encoding].find("gzip") != beast::string_view::npos;
  return request;
}

std::optional<Refusal> doubt_about(const Fields& from) {
  return doubt({.count =
                    [&](std::string_view name) {
                      return from.count({name.data(), name.size()});
                    },
                .length = view(from[http::field::content_length]),
                .coding = view(from[http::field::transfer_encoding]),
                .host = view(from[http::field::host]),
                .origin = view(from[http::field::origin])});
}

}  // namespace

Refusal body_too_long(std::size_t most, std::optional<std::uint64_t> came) {
  return Refusal(413, "too_large",
                 fmt::format("the body must have at most {} bytes (--max-body), and {} came", most,
                             came ? fmt::format("{}", *came) : std::string("more, in chunks,")));
}

struct RequestReader::Parser {
  http::request_parser<http::string_body> beast;
  FoldedHeaders folded;
};

RequestReader::RequestReader(Limits limits) : limits_(limits) { next(); }
RequestReader::~RequestReader() = default;

void RequestReader::next() {
  parser_ = std::make_unique<Parser>();
  parser_->beast.header_limit(static_cast<std::uint32_t>(limits_.header));
  parser_->beast.body_limit(boost::none);  // a length is looked at with the head
  head_ = {};
  if (begin_ < end_ && parser_->folded.found_in(std::string_view(bytes_).substr(begin_, end_ - begin_)))
    refusal_ = Refusal(400, "bad_request", "a header must not go on in the next line");
}

std::span<char> RequestReader::room() {
  const MayFail own;
  constexpr std::size_t kFirst = std::size_t{4} << 10, kBody = std::size_t{64} << 10;
  if (begin_ > 0) {
    std::memmove(bytes_.data(), bytes_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  const bool in_body = parser_->beast.is_header_done();
  const std::size_t wanted = in_body ? kBody : std::max(kFirst, 2 * end_);
  if (bytes_.size() < wanted) bytes_.resize(wanted);
  return {bytes_.data() + end_, bytes_.size() - end_};
}

RequestReader::Step RequestReader::came(std::size_t count) {
  if (!parser_->beast.is_header_done() && parser_->folded.found_in(std::string_view(bytes_).substr(end_, count)))
    refusal_ = Refusal(400, "bad_request", "a header must not go on in the next line");
  end_ += count;
  return step();
}

RequestReader::Step RequestReader::read_body() {
  const MayFail own;
  auto& parser = parser_->beast;
  if (parser.is_done()) return Step::kWhole;
  parser.eager(true);
  if (head_.chunked) parser.body_limit(limits_.body);
  if (head_.length) parser.get().body().reserve(static_cast<std::size_t>(*head_.length));
  return step();
}

RequestReader::Step RequestReader::step() {
  const MayFail own;
  if (refusal_) return Step::kBad;
  if (begin_ == end_) return Step::kMore;
  auto& parser = parser_->beast;
  const bool in_body = parser.is_header_done();
  beast::error_code error;
  begin_ += parser.put(boost::asio::const_buffer(bytes_.data() + begin_, end_ - begin_), error);
  if (error == http::error::body_limit) return bad(body_too_long(limits_.body, std::nullopt));
  if (error == http::error::header_limit)
    return bad(Refusal(431, "too_large", fmt::format("the headers are longer than {} bytes", limits_.header)));
  if (error && error != http::error::need_more)
    return bad(Refusal(400, "bad_request", "not an HTTP request: " + error.message()));
  if (in_body) return parser.is_done() ? Step::kWhole : Step::kMore;
  if (!parser.is_header_done()) return Step::kMore;
  const Fields& fields = parser.get();
  if (auto refusal = doubt_about(fields)) return bad(*std::move(refusal));
  head_.request = request_of(fields);
  head_.chunked = parser.chunked();
  if (const auto length = parser.content_length()) head_.length = *length;
  head_.waits_for_continue = beast::iequals(fields[http::field::expect], "100-continue") && !parser.is_done();
  head_.keep_alive = parser.keep_alive();
  head_.head = fields.method() == http::verb::head;
  if (head_.head) head_.request.method = "GET";
  return Step::kHead;
}

RequestReader::Step RequestReader::bad(Refusal refusal) {
  refusal_ = std::move(refusal);
  return Step::kBad;
}

void RequestReader::discard() { begin_ = end_ = 0; }
bool RequestReader::began() const { return parser_->beast.got_some(); }
std::string RequestReader::take_body() { return std::move(parser_->beast.get().body()); }

}  // namespace tarry::service
