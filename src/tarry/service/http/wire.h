// A connection's bytes, with or without TLS, as a session sees them: nothing here knows a library for sockets.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tarry::service {

// Told what became of what it asked of its wire: one call at a time, each once for each thing asked.
class WireUser {
 public:
  virtual ~WireUser() = default;
  virtual void on_open(bool ok) = 0;
  virtual void on_read(std::size_t count) = 0;  // 0: nothing more comes
  virtual void on_written(bool ok) = 0;
  virtual void on_pause(bool over) = 0;  // false: it was cut short
  virtual void on_wake() = 0;
};

// A wire holds its user for as long as something was asked and not answered, so that the one called back is there;
// the user holds its wire. Bytes to read into or to write belong to the user, and stay until the answer comes.
class Wire {
 public:
  virtual ~Wire() = default;

  virtual void use(const std::shared_ptr<WireUser>& user) = 0;  // before anything else
  virtual const std::string& address() const = 0;               // of the other side, without its port

  virtual void open() = 0;
  virtual void read(std::span<char> into) = 0;
  // What was sent is of no interest any more: read past TLS.
  virtual void read_to_discard(std::span<char> into) = 0;
  virtual void write(std::string_view head, std::string_view body) = 0;  // both stay where they are until on_written
  virtual void pause(std::chrono::milliseconds time) = 0;

  // What is asked from now on fails when the time is up.
  virtual void expire_after(std::chrono::milliseconds time) = 0;
  virtual void expire_never() = 0;
  virtual void cancel() = 0;  // what was asked fails now
  virtual void end_sending() = 0;
  virtual void close() = 0;

  // From any thread: on_wake is called in its turn. False: there was no memory even for that.
  virtual bool wake() noexcept = 0;
  // Without waiting and without memory; the other side gets it, or not. Nothing is asked of the wire after it.
  virtual void last_words(std::string_view text) noexcept = 0;
};

}  // namespace tarry::service
