#include "tarry/service/http_server.h"

#include <algorithm>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/strand.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "tarry/base/error.h"
#include "tarry/service/errors.h"
#include "tarry/service/http_rules.h"
#include "tarry/service/tls.h"

namespace tarry::service {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;

using Plain = beast::tcp_stream;
using Secure = beast::ssl_stream<beast::tcp_stream>;

// What connections share.
struct Shared {
  HttpOptions options;
  Handler handler;
  std::atomic<std::size_t> connections = 0;
  std::atomic<std::size_t> claimed = 0;  // bytes of large bodies that may come, or are being worked on
  std::atomic<std::uint64_t> turned_away = 0;
  std::atomic<bool> stopping = false;
};

class Connection {
 public:
  virtual ~Connection() = default;
  virtual void begin() = 0;
  virtual void end_when_idle() = 0;
};

std::string text_of(beast::string_view view) { return {view.data(), view.size()}; }

Request taken(http::request<http::string_body>& from) {
  Request request;
  request.method = text_of(from.method_string());
  const std::string target = text_of(from.target());
  request.path = target.substr(0, target.find('?'));
  if (request.path.size() < target.size()) request.query = target.substr(request.path.size() + 1);
  request.host = text_of(from[http::field::host]);
  request.origin = text_of(from[http::field::origin]);
  request.content_type = text_of(from[http::field::content_type]);
  request.authorization = text_of(from[http::field::authorization]);
  request.idempotency_key = text_of(from["Idempotency-Key"]);
  request.has_idempotency_key = from.count("Idempotency-Key") > 0;
  request.prefer = text_of(from["Prefer"]);
  for (const char* name : {"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via"})
    request.forwarded = request.forwarded || from.count(name) > 0;
  request.takes_gzip = from[http::field::accept_encoding].find("gzip") != beast::string_view::npos;
  request.body = std::move(from.body());
  return request;
}

std::optional<Refusal> refusal_of(beast::error_code error) {
  if (error == http::error::body_limit) return Refusal(413, "too_large", "the body is longer than this service takes");
  if (error == http::error::header_limit) return Refusal(431, "too_large", "the headers are longer than 16 KiB");
  if (error == http::error::end_of_stream || error == http::error::partial_message) return std::nullopt;
  if (error.category() == make_error_code(http::error::bad_method).category())
    return Refusal(400, "bad_request", "not an HTTP request: " + error.message());
  return std::nullopt;
}

template <class Stream>
class Session : public Connection, public std::enable_shared_from_this<Session<Stream>> {
 public:
  template <class... Args>
  Session(std::shared_ptr<Shared> shared, tcp::socket socket, Args&... args)
      : shared_(std::move(shared)), stream_(std::move(socket), args...) {
    ++shared_->connections;
  }
  ~Session() override {
    release();
    --shared_->connections;
  }

  void begin() override {
    asio::dispatch(stream_.get_executor(), [self = this->shared_from_this()] {
      self->lowest().expires_after(self->shared_->options.to_read);
      if constexpr (std::is_same_v<Stream, Secure>) {
        self->stream_.async_handshake(asio::ssl::stream_base::server, [self](beast::error_code error) {
          if (!error) self->read();
        });
      } else {
        self->read();
      }
    });
  }

  void end_when_idle() override {
    asio::post(stream_.get_executor(), [self = this->shared_from_this()] {
      if (!self->busy_) self->close();
    });
  }

 private:
  beast::tcp_stream& lowest() { return beast::get_lowest_layer(stream_); }

  void read() {
    if (shared_->stopping) return close();
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(shared_->options.most_header));
    parser_->body_limit(shared_->options.most_body);
    lowest().expires_after(shared_->options.to_read);
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = this->shared_from_this()](auto error, std::size_t) { self->on_header(error); });
  }

  void on_header(beast::error_code error) {
    if (error) return on_failure(error);
    busy_ = true;
    const auto& head = parser_->get();
    const auto count = [&](std::string_view name) { return head.count({name.data(), name.size()}); };
    const auto length = head[http::field::content_length];
    if (const auto refusal = doubt({count, {length.data(), length.size()}, head.chunked()})) return refuse(*refusal);
    if (!claim()) return refuse(Refusal(503, "overloaded", "too many large requests at once: try again later"));
    if (beast::iequals(parser_->get()[http::field::expect], "100-continue") && !parser_->is_done()) return go_on();
    read_body();
  }

  // Many large bodies at once must not take all of the memory; small ones are bounded by the number of connections.
  bool claim() {
    constexpr std::size_t kSmall = 1 << 16;
    const std::size_t wanted = parser_->chunked() ? shared_->options.most_body
                                                  : static_cast<std::size_t>(parser_->content_length().value_or(0));
    if (wanted <= kSmall) return true;
    claimed_ = wanted;
    if ((shared_->claimed += wanted) <= shared_->options.most_bodies) return true;
    release();
    return false;
  }
  void release() { shared_->claimed -= std::exchange(claimed_, 0); }

  void go_on() {
    auto answer = std::make_shared<http::response<http::empty_body>>(http::status::continue_, 11);
    http::async_write(stream_, *answer, [self = this->shared_from_this(), answer](auto error, std::size_t) {
      error ? self->close() : self->read_body();
    });
  }

  void read_body() {
    http::async_read(stream_, buffer_, *parser_, [self = this->shared_from_this()](auto error, std::size_t) {
      error ? self->on_failure(error) : self->handle();
    });
  }

  void on_failure(beast::error_code error) {
    if (const auto refusal = refusal_of(error)) return refuse(*refusal);
    close();
  }

  void refuse(const Refusal& refusal) {
    busy_ = true;
    last_ = true;
    refused_ = true;
    write(error_response(refusal));
  }

  // Who closes with something unread makes the other side forget the answer: what is still coming is taken for a while.
  void hear_out() {
    constexpr std::size_t kMost = 1 << 20;
    beast::error_code ignored;
    if (heard_ == 0) {
      lowest().socket().shutdown(tcp::socket::shutdown_send, ignored);
      lowest().expires_after(std::chrono::seconds(2));
    }
    buffer_.clear();
    lowest().async_read_some(buffer_.prepare(4096), [self = this->shared_from_this()](auto error, std::size_t count) {
      self->heard_ += count;
      const bool enough = error || self->heard_ > kMost || self->shared_->stopping;
      enough ? self->close() : self->hear_out();
    });
  }

  void handle() {
    lowest().expires_never();  // the service has limits of its own
    auto& request = parser_->get();
    last_ = !request.keep_alive();
    head_ = request.method() == http::verb::head;
    Request copy = taken(request);
    if (head_) copy.method = "GET";
    shared_->handler(std::move(copy), [self = this->shared_from_this()](Response response) {
      asio::post(self->stream_.get_executor(),
                 [self, response = std::move(response)]() mutable { self->write(std::move(response)); });
    });
  }

  void write(Response response) {
    release();
    last_ = last_ || shared_->stopping;
    answer_.emplace(static_cast<http::status>(response.status), 11);
    answer_->set(http::field::content_type, response.content_type);
    answer_->set(http::field::cache_control, "no-store");
    answer_->set("X-Content-Type-Options", "nosniff");
    for (const auto& [name, value] : response.headers) answer_->set(name, value);
    answer_->keep_alive(!last_);
    answer_->content_length(response.body.size());
    if (!head_) answer_->body() = std::move(response.body);
    if (response.pieces && !head_) return write_pieces(std::move(response.pieces));
    lowest().expires_after(shared_->options.to_write);
    http::async_write(stream_, *answer_, [self = this->shared_from_this()](beast::error_code error, std::size_t) {
      self->busy_ = false;
      if (error) return self->close();
      if (self->refused_) return self->hear_out();
      if (self->last_) return self->close();
      self->read();
    });
  }

  void write_pieces(Pieces pieces) {
    pieces_ = std::move(pieces);
    busy_ = false;  // whoever stops the service need not wait for it
    answer_->content_length(boost::none);
    answer_->chunked(true);
    lowest().expires_after(shared_->options.to_write);
    auto header = std::make_shared<http::response_serializer<http::string_body>>(*answer_);
    http::async_write_header(stream_, *header, [self = this->shared_from_this(), header](auto error, std::size_t) {
      error ? self->close() : self->write_piece();
    });
  }

  void write_piece() {
    piece_ = shared_->stopping ? "" : pieces_().value_or("");  // a chunk without bytes is the last one
    lowest().expires_after(shared_->options.to_write);
    const auto then = [self = this->shared_from_this()](beast::error_code error, std::size_t) {
      if (error || self->piece_.empty()) return self->close();
      self->lowest().expires_never();
      self->pause_.expires_after(std::chrono::seconds(1));
      self->pause_.async_wait([self](beast::error_code stopped) { stopped ? self->close() : self->write_piece(); });
    };
    asio::async_write(stream_, http::make_chunk(asio::buffer(piece_)), then);
  }

  void close() {
    pause_.cancel();
    beast::error_code ignored;
    lowest().socket().shutdown(tcp::socket::shutdown_send, ignored);
    lowest().close();
  }

  std::shared_ptr<Shared> shared_;
  Stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::optional<http::response<http::string_body>> answer_;
  Pieces pieces_;      // of a body without an end
  std::string piece_;  // the one that is being written
  asio::steady_timer pause_{stream_.get_executor()};
  bool busy_ = false;     // a request has come that is not answered
  bool last_ = false;     // the connection ends with this answer
  bool refused_ = false;  // with this answer, and without being read
  bool head_ = false;
  std::size_t claimed_ = 0;
  std::size_t heard_ = 0;  // bytes that came behind it
};

}  // namespace

// What waits in the context must not own it: stop() ends the threads before any of this goes.
struct HttpServer::Impl {
  explicit Impl(const HttpOptions& options) : context(static_cast<int>(options.threads)), acceptor(context) {
    shared->options = options;
  }

  void listen() {
    const HttpOptions& options = shared->options;
    beast::error_code error;
    const auto address = asio::ip::make_address(options.address, error);
    if (error) throw Error(Code::kBadInput, "listen must be an IP address and a port (" + options.address + " came)");
    if (!options.certificate.empty()) use_tls();
    try {
      const tcp::endpoint endpoint(address, options.port);
      acceptor.open(endpoint.protocol());
      acceptor.set_option(asio::socket_base::reuse_address(true));
      acceptor.bind(endpoint);
      acceptor.listen(asio::socket_base::max_listen_connections);
    } catch (const boost::system::system_error& failed) {
      throw Error(Code::kIo, options.address + ": cannot listen there: " + failed.code().message());
    }
  }

  void use_tls() {
    const HttpOptions& options = shared->options;
    beast::error_code error;
    tls.emplace(asio::ssl::context::tls_server);
    offer_aead_only(tls->native_handle());
    tls->use_certificate_chain_file(options.certificate, error);
    if (error) throw Error(Code::kIo, options.certificate + ": not a certificate: " + error.message());
    tls->use_private_key_file(options.key, asio::ssl::context::pem, error);
    if (error) throw Error(Code::kIo, options.key + ": not the certificate's key: " + error.message());
  }

  void accept() {
    acceptor.async_accept(asio::make_strand(context), [this](beast::error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted || shared->stopping) return;
      if (!error) take(std::move(socket));
      accept_later(static_cast<bool>(error));
    });
  }

  // Where no more files can be opened, accepting at once again would only burn the processor.
  void accept_later(bool failed) {
    if (!failed) return accept();
    timer.expires_after(std::chrono::milliseconds(50));
    timer.async_wait([this](beast::error_code error) {
      if (!error) accept();
    });
  }

  void take(tcp::socket socket) {
    beast::error_code ignored;
    if (shared->connections >= shared->options.most_connections) {
      ++shared->turned_away;
      socket.close(ignored);
      return;
    }
    socket.set_option(tcp::no_delay(true), ignored);
    std::shared_ptr<Connection> connection;
    if (tls)
      connection = std::make_shared<Session<Secure>>(shared, std::move(socket), *tls);
    else
      connection = std::make_shared<Session<Plain>>(shared, std::move(socket));
    {
      const std::lock_guard lock(mutex);
      std::erase_if(open, [](const auto& one) { return one.expired(); });
      open.push_back(connection);
    }
    connection->begin();
  }

  void stop(std::chrono::seconds patience) {
    if (shared->stopping.exchange(true)) return;
    asio::post(context, [this] {
      beast::error_code ignored;
      acceptor.close(ignored);
      timer.cancel();
    });
    std::vector<std::weak_ptr<Connection>> left;
    {
      const std::lock_guard lock(mutex);
      left.swap(open);
    }
    for (const auto& one : left)
      if (const auto connection = one.lock()) connection->end_when_idle();
    const auto end = std::chrono::steady_clock::now() + patience;
    while (shared->connections > 0 && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    context.stop();
    for (std::thread& thread : threads) thread.join();
    threads.clear();
  }

  asio::io_context context;
  std::shared_ptr<Shared> shared = std::make_shared<Shared>();
  tcp::acceptor acceptor;
  asio::steady_timer timer{context};
  std::optional<asio::ssl::context> tls;
  std::mutex mutex;
  std::vector<std::weak_ptr<Connection>> open;
  std::vector<std::thread> threads;
};

HttpServer::HttpServer(const HttpOptions& options, Handler handler) : impl_(std::make_shared<Impl>(options)) {
  impl_->shared->handler = std::move(handler);
  impl_->listen();
}

HttpServer::~HttpServer() { stop(std::chrono::seconds(0)); }

void HttpServer::start() {
  impl_->accept();
  for (std::size_t i = 0; i < impl_->shared->options.threads; ++i)
    impl_->threads.emplace_back([impl = impl_.get()] { impl->context.run(); });
}

void HttpServer::stop(std::chrono::seconds patience) { impl_->stop(patience); }
std::uint16_t HttpServer::port() const { return impl_->acceptor.local_endpoint().port(); }
std::size_t HttpServer::connections() const { return impl_->shared->connections; }
std::uint64_t HttpServer::turned_away() const { return impl_->shared->turned_away; }

}  // namespace tarry::service
