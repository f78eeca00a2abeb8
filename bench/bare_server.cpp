// What a durable service is measured against: the same HTTP on the same threads, with a fixed answer.
//
//   bare_server none        writes nothing
//   bare_server sync FILE   each request is written to the file and synced by itself, before its answer
//
// Prints its port, and serves until it is killed.
#include <fcntl.h>
#include <unistd.h>

#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/strand.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;

int file = -1;  // none where nothing is written

void keep(const std::string& body) {
  if (file >= 0 && (write(file, body.data(), body.size()) != static_cast<ssize_t>(body.size()) || fdatasync(file) != 0))
    std::abort();
}

// As long as a decision's answer.
constexpr std::string_view kAnswer =
    R"({"ticket":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","round":1000000,"prediction":0.5})";

class Session : public std::enable_shared_from_this<Session> {
 public:
  explicit Session(tcp::socket socket) : stream_(std::move(socket)) {}

  void read() {
    request_ = {};
    http::async_read(stream_, buffer_, request_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (!error) self->answer();
    });
  }

 private:
  void answer() {
    keep(request_.body());
    answer_ = {http::status::ok, request_.version()};
    answer_.set(http::field::content_type, "application/json");
    answer_.keep_alive(request_.keep_alive());
    answer_.body() = kAnswer;
    answer_.prepare_payload();
    http::async_write(stream_, answer_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (!error) self->read();
    });
  }

  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  http::request<http::string_body> request_;
  http::response<http::string_body> answer_;
};

void accept(asio::io_context& context, tcp::acceptor& acceptor) {
  acceptor.async_accept(asio::make_strand(context), [&](beast::error_code error, tcp::socket socket) {
    if (error) return;
    socket.set_option(tcp::no_delay(true));
    std::make_shared<Session>(std::move(socket))->read();
    accept(context, acceptor);
  });
}

}  // namespace

int main(int count, char** words) {
  if (count == 3 && std::string_view(words[1]) == "sync")
    file = open(words[2], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0 && !(count == 2 && std::string_view(words[1]) == "none")) {
    std::fprintf(stderr, "usage: bare_server none | sync FILE\n");
    return 2;
  }
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  asio::io_context context(cores);
  tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
  accept(context, acceptor);
  std::printf("%d\n", acceptor.local_endpoint().port());
  std::fflush(stdout);
  std::vector<std::jthread> threads;
  for (int i = 0; i < cores; ++i) threads.emplace_back([&] { context.run(); });
}
