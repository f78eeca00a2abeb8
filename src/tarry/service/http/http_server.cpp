#include "tarry/service/http/http_server.h"

#include <sys/socket.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/write.hpp>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "tarry/base/error.h"
#include "tarry/service/http/session.h"
#include "tarry/service/http/tls.h"

namespace tarry::service {
namespace {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using Failure = boost::system::error_code;
using Clock = std::chrono::steady_clock;

std::string address_of(const tcp::socket& socket) {
  Failure ignored;
  return socket.remote_endpoint(ignored).address().to_string();
}

// A socket with a time limit on what is asked of it. Every call is made on the socket's strand, wake() aside.
class SocketWire : public Wire {
 protected:
  virtual tcp::socket& socket() = 0;

  std::shared_ptr<WireUser> user() const { return user_.lock(); }
  auto reads() const {
    return [user = user_.lock()](Failure error, std::size_t count) { user->on_read(error ? 0 : count); };
  }
  auto writes() const {
    return [user = user_.lock()](Failure error, std::size_t) { user->on_written(!error); };
  }
  static std::array<asio::const_buffer, 2> buffers(std::string_view head, std::string_view body) {
    return {asio::buffer(head.data(), head.size()), asio::buffer(body.data(), body.size())};
  }

 public:
  explicit SocketWire(tcp::socket& accepted)
      : executor_(accepted.get_executor()), address_(address_of(accepted)), pause_(executor_), timer_(executor_) {}

  void use(const std::shared_ptr<WireUser>& user) override { user_ = user; }
  const std::string& address() const override { return address_; }

  void read_to_discard(std::span<char> into) override {
    socket().async_read_some(asio::buffer(into.data(), into.size()), reads());
  }

  void pause(std::chrono::milliseconds time) override {
    pause_.expires_after(time);
    pause_.async_wait([user = user_.lock()](Failure error) { user->on_pause(!error); });
  }

  // The timer is not set again for each request: where it rings too early it is set again.
  void expire_after(std::chrono::milliseconds time) override {
    deadline_ = Clock::now() + time;
    if (!rings_ || *rings_ > *deadline_) ring_at(*deadline_);
  }
  void expire_never() override { deadline_.reset(); }

  void cancel() override {
    Failure ignored;
    socket().cancel(ignored);
    pause_.cancel();
  }

  void end_sending() override {
    Failure ignored;
    socket().shutdown(tcp::socket::shutdown_send, ignored);
  }

  // With something unread the system would reset the connection, and the other side forget its answer.
  void close() override {
    constexpr int kMostPieces = 16;
    end_sending();
    std::array<char, 4096> unread{};
    for (int i = 0; i < kMostPieces; ++i)
      if (::recv(socket().native_handle(), unread.data(), unread.size(), MSG_DONTWAIT) <= 0) break;
    Failure ignored;
    socket().close(ignored);
    pause_.cancel();
    timer_.cancel();
  }

  bool wake() noexcept override {
    try {
      asio::post(executor_, [user = user_.lock()] {
        if (user) user->on_wake();
      });
      return true;
    } catch (const std::exception&) {
      return false;
    }
  }

 private:
  void ring_at(Clock::time_point time) {
    rings_ = time;
    timer_.expires_at(time);
    timer_.async_wait([this, user = user_](Failure error) {
      const auto alive = user.lock();  // and so is its wire
      if (error || !alive) return;
      rings_.reset();
      if (!deadline_) return;
      if (*deadline_ > Clock::now()) return ring_at(*deadline_);
      deadline_.reset();
      cancel();
    });
  }

  asio::any_io_executor executor_;
  std::string address_;
  std::weak_ptr<WireUser> user_;
  asio::steady_timer pause_, timer_;
  std::optional<Clock::time_point> deadline_, rings_;
};

class PlainWire : public SocketWire {
 public:
  explicit PlainWire(tcp::socket socket) : SocketWire(socket), socket_(std::move(socket)) {}

  void open() override { user()->on_open(true); }
  void read(std::span<char> into) override { read_to_discard(into); }
  void write(std::string_view head, std::string_view body) override {
    asio::async_write(socket_, buffers(head, body), writes());
  }
  void last_words(std::string_view text) noexcept override {
    ::send(socket_.native_handle(), text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    ::shutdown(socket_.native_handle(), SHUT_RDWR);
  }

 private:
  tcp::socket& socket() override { return socket_; }
  tcp::socket socket_;
};

class SecureWire : public SocketWire {
 public:
  SecureWire(tcp::socket socket, asio::ssl::context& tls) : SocketWire(socket), stream_(std::move(socket), tls) {}

  void open() override {
    stream_.async_handshake(asio::ssl::stream_base::server, [user = user()](Failure error) { user->on_open(!error); });
  }
  void read(std::span<char> into) override { stream_.async_read_some(asio::buffer(into.data(), into.size()), reads()); }
  void write(std::string_view head, std::string_view body) override {
    asio::async_write(stream_, buffers(head, body), writes());
  }
  // TLS cannot be spoken without memory.
  void last_words(std::string_view) noexcept override { ::shutdown(stream_.next_layer().native_handle(), SHUT_RDWR); }

 private:
  tcp::socket& socket() override { return stream_.next_layer(); }
  asio::ssl::stream<tcp::socket> stream_;
};

}  // namespace

// What waits in the context must not own it: stop() ends the threads before any of this goes.
struct HttpServer::Impl {
  explicit Impl(const HttpOptions& options)
      : context(static_cast<int>(options.threads)), shared(std::make_shared<SessionsShared>(options)) {}

  void listen() {
    const HttpOptions& options = shared->options;
    Failure error;
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
    Failure error;
    tls.emplace(asio::ssl::context::tls_server);
    offer_aead_only(tls->native_handle());
    tls->use_certificate_chain_file(options.certificate, error);
    if (error) throw Error(Code::kIo, options.certificate + ": not a certificate: " + error.message());
    tls->use_private_key_file(options.key, asio::ssl::context::pem, error);
    if (error) throw Error(Code::kIo, options.key + ": not the certificate's key: " + error.message());
  }

  void accept() {
    accepting = true;
    acceptor.async_accept(asio::make_strand(context), [this](Failure error, tcp::socket socket) {
      accepting = false;
      if (error == asio::error::operation_aborted || shared->stopping) return;
      if (!error) take(std::move(socket));
      if (!error) return accept();
      // No more files can be opened: a client without a token makes room, and trying at once would burn the
      // processor.
      shared->strangers.drop_one();
      accept_later();
    });
  }

  void accept_later() {
    accepting = true;
    timer.expires_after(std::chrono::milliseconds(50));
    timer.async_wait([this](Failure error) {
      accepting = false;
      if (!error) accept();
    });
  }

  // Beyond the most, a client without a token has to go; where all have one, the new one does.
  void take(tcp::socket socket) {
    Failure ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    std::unique_ptr<Wire> wire;
    if (tls)
      wire = std::make_unique<SecureWire>(std::move(socket), *tls);
    else
      wire = std::make_unique<PlainWire>(std::move(socket));
    const auto session = std::make_shared<Session>(shared, std::move(wire));
    {
      const std::lock_guard lock(mutex);
      if (open.size() >= 2 * shared->sessions) std::erase_if(open, [](const auto& one) { return one.expired(); });
      open.push_back(session);
    }
    const bool room = shared->known + shared->strangers.size() < shared->options.most_connections;
    room || shared->strangers.drop_one() ? session->begin() : session->begin_turned_away();
  }

  // A thread that found no memory goes on: what it was about to do is lost, the service is not.
  void work() {
    for (;;) {
      try {
        context.run();
        return;
      } catch (const std::exception&) {
        ++shared->out_of_memory;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        if (!accepting.exchange(true)) asio::post(context, [this] { accept(); });
      }
    }
  }

  void stop(std::chrono::seconds patience) {
    if (shared->stopping.exchange(true)) return;
    asio::post(context, [this] {
      Failure ignored;
      acceptor.close(ignored);
      timer.cancel();
    });
    std::vector<std::weak_ptr<Session>> left;
    {
      const std::lock_guard lock(mutex);
      left.swap(open);
    }
    for (const auto& one : left)
      if (const auto session = one.lock()) session->end_when_idle();
    const auto end = Clock::now() + patience;
    while (shared->sessions > 0 && Clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    context.stop();
    for (std::thread& thread : threads) thread.join();
    threads.clear();
  }

  asio::io_context context;
  std::shared_ptr<SessionsShared> shared;
  tcp::acceptor acceptor{context};
  asio::steady_timer timer{context};
  std::atomic<bool> accepting = false;  // or waiting to
  std::optional<asio::ssl::context> tls;
  std::mutex mutex;
  std::vector<std::weak_ptr<Session>> open;
  std::vector<std::thread> threads;
};

HttpServer::HttpServer(const HttpOptions& options, Gate gate, Handler handler)
    : impl_(std::make_shared<Impl>(options)) {
  impl_->shared->gate = std::move(gate);
  impl_->shared->handler = std::move(handler);
  impl_->listen();
}

HttpServer::~HttpServer() { stop(std::chrono::seconds(0)); }

void HttpServer::start() {
  impl_->accept();
  for (std::size_t i = 0; i < impl_->shared->options.threads; ++i)
    impl_->threads.emplace_back([impl = impl_.get()] { impl->work(); });
}

void HttpServer::stop(std::chrono::seconds patience) { impl_->stop(patience); }
std::uint16_t HttpServer::port() const { return impl_->acceptor.local_endpoint().port(); }
std::size_t HttpServer::connections() const { return impl_->shared->sessions; }
std::size_t HttpServer::strangers() const { return impl_->shared->strangers.size(); }
std::uint64_t HttpServer::turned_away() const { return impl_->shared->turned_away; }
std::uint64_t HttpServer::out_of_memory() const { return impl_->shared->out_of_memory; }

}  // namespace tarry::service
