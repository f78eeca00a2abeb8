// HTTP/1.1 over TCP or TLS. A few threads serve all connections; one that is silent or slow holds none of them.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "tarry/service/http.h"

namespace tarry::service {

struct HttpOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any that is free
  std::size_t threads = 1;
  std::size_t most_body = std::size_t{8} << 20;
  std::size_t most_header = std::size_t{16} << 10;
  std::size_t most_connections = 1024;
  std::chrono::seconds to_read{30};  // a whole request; and how long a connection may rest between two
  std::chrono::seconds to_write{30};
  std::string certificate, key;  // PEM files; empty: no TLS
};

class HttpServer {
 public:
  // Listens from now on. Throws Error{kIo}, or Error{kBadInput} for an address that is none.
  HttpServer(const HttpOptions& options, Handler handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  void start();  // before, connections wait
  // Takes no more connections, lets requests that came be answered for a while, and returns when no thread works.
  void stop(std::chrono::seconds patience);

  std::uint16_t port() const;
  std::size_t connections() const;
  std::uint64_t turned_away() const;  // connections beyond the most

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

bool is_loopback(const std::string& address);

}  // namespace tarry::service
