// HTTP/1.1 over TCP or TLS. A few threads serve all connections; one that is silent or slow holds none of them.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "tarry/service/http/http.h"

namespace tarry::service {

struct HttpOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any that is free
  std::size_t threads = 1;
  std::size_t most_body = std::size_t{8} << 20;
  std::size_t most_bodies = std::size_t{512} << 20;  // of all large bodies together; one in chunks counts as the most
  std::size_t most_header = std::size_t{16} << 10;
  std::size_t most_connections = 1024;
  std::chrono::seconds to_read{30};  // a whole request; and how long a connection may rest between two
  std::chrono::seconds to_write{30};
  std::string certificate, key;  // PEM files; empty: no TLS

  // Of connections, those that have not shown a valid token: the others are for those that have.
  std::size_t most_strangers() const { return most_connections < 2 ? 1 : most_connections / 2; }
  std::size_t most_strangers_of_one_address() const { return most_connections < 4 ? 1 : most_connections / 4; }
};

// It keeps gate and handler, and calls them from its threads until stop() has returned: what they refer to must live
// that long. A connection ends with the server at the latest.
class HttpServer {
 public:
  // Listens from now on. Throws Error{kIo}, or Error{kBadInput} for an address that is none.
  HttpServer(const HttpOptions& options, Gate gate, Handler handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  void start();  // before, connections wait
  // Takes no more connections, lets requests that came be answered for a while, and returns when no thread works.
  void stop(std::chrono::seconds patience);

  std::uint16_t port() const;
  std::size_t connections() const;
  std::size_t strangers() const;        // of them, those that have not shown a valid token
  std::uint64_t turned_away() const;    // connections beyond the most
  std::uint64_t out_of_memory() const;  // connections that ended for want of memory

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

bool is_loopback(const std::string& address);

}  // namespace tarry::service
