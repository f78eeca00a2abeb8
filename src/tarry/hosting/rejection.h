// Why a host did not do what it was asked, as a value: what HTTP and Kafka make of it is their affair.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tarry/base/error.h"

namespace tarry::hosting {

class Rejection : public std::runtime_error {
 public:
  enum Kind : std::uint8_t {
    kMalformed,  // its form is wrong
    kForged,     // its ticket was not made here
    kAbsent,     // there is no such model, or no such round
    kConflict,   // it contradicts what is there
    kGone,       // the round was given up
    kTooLarge,   // more than the host takes
    kUnusable,   // well formed, but not for this model
    kBroken,     // the host has lost something, or has a bug
    kNotHere,    // another kind of host can do it
    kBusy,       // later it may be done
    kNoAnswer,   // it was passed on, and nothing came back in time
    kNoRoom,     // in memory or on the disk
  };

  // `code`: a word for programs. `key`: what of the request it is about; empty: all of it.
  Rejection(Kind kind, std::string code, const std::string& message, std::string key = {})
      : std::runtime_error(message), kind_(kind), code_(std::move(code)), key_(std::move(key)) {}

  Kind kind() const { return kind_; }
  const std::string& code() const { return code_; }
  const std::string& key() const { return key_; }

  // Whose it was; empty: the request says it, or nobody knows.
  const std::string& model() const { return model_; }
  Rejection&& of(std::string model) && {
    model_ = std::move(model);
    return std::move(*this);
  }

 private:
  Kind kind_;
  std::string code_;
  std::string key_;
  std::string model_;
};

// The number that HTTP and Kafka write for a kind: HTTP's status. And back; for a status that no kind has, the kind
// that is nearest.
int status_of(Rejection::Kind kind);
Rejection::Kind kind_of(int status);

// "error": {"status": 409, "code": "conflict", "message": "…", "key"?: "…"}, as HTTP and Kafka write it.
void append_error(std::string& out, int status, const std::string& code, const std::string& message,
                  const std::string& key);
void append_error(std::string& out, const Rejection& rejection);

// What clients are told where the log has no room.
inline constexpr std::string_view kDiskFull = "the disk is full";
inline constexpr std::string_view kNoDescriptor = "the server has too many files open";

// What the form of a request allowed but the model refused (`applying`) is unusable, not malformed. What the system
// says of files is for the server's log alone.
Rejection rejection_of(const Error& error, bool applying);

// Codes that a host asks for, too.
inline constexpr std::string_view kNoSuchModel = "no_such_model", kLost = "lost";
inline constexpr std::string_view kIdempotencyKeyReused = "idempotency_key_reused";

Rejection bad_name();  // for a model
Rejection no_such_model(const std::string& name);
Rejection idempotency_key_reused();
// A ticket that was signed here, for a decision that is not in this history: it was lost, or its model was deleted.
Rejection lost_ticket();
Rejection not_enough_memory();

}  // namespace tarry::hosting
