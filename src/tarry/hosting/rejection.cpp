#include "tarry/hosting/rejection.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tarry/hosting/log.h"
#include "tarry/hosting/names.h"
#include "tarry/spec/value.h"

namespace tarry::hosting {
namespace {

struct Row {
  Rejection::Kind kind;
  int status;
};
constexpr std::array<Row, 12> kRows{{{Rejection::kMalformed, 400},
                                     {Rejection::kForged, 403},
                                     {Rejection::kAbsent, 404},
                                     {Rejection::kConflict, 409},
                                     {Rejection::kGone, 410},
                                     {Rejection::kTooLarge, 413},
                                     {Rejection::kUnusable, 422},
                                     {Rejection::kBroken, 500},
                                     {Rejection::kNotHere, 501},
                                     {Rejection::kBusy, 503},
                                     {Rejection::kNoAnswer, 504},
                                     {Rejection::kNoRoom, 507}}};

std::string told(const Error& error) {
  if (error.code() == Code::kIo) return "the server cannot read or write its files: its log says why";
  if (error.code() != Code::kFull) return error.what();
  const bool descriptors = dynamic_cast<const OutOfDescriptors*>(&error) != nullptr;
  return fmt::format("{}: nothing was changed", descriptors ? kNoDescriptor : kDiskFull);
}

}  // namespace

int status_of(Rejection::Kind kind) {
  return std::find_if(kRows.begin(), kRows.end(), [&](const Row& row) { return row.kind == kind; })->status;
}

Rejection::Kind kind_of(int status) {
  const auto found = std::find_if(kRows.begin(), kRows.end(), [&](const Row& row) { return row.status == status; });
  if (found != kRows.end()) return found->kind;
  return status >= 400 && status < 500 ? Rejection::kMalformed : Rejection::kBroken;
}

void append_error(std::string& out, int status, const std::string& code, const std::string& message,
                  const std::string& key) {
  out += fmt::format("\"error\": {{\"status\": {}, \"code\": \"{}\", \"message\": ", status, code);
  spec::append_json(out, message);
  if (!key.empty()) {
    out += ", \"key\": ";
    spec::append_json(out, key);
  }
  out += "}";
}

void append_error(std::string& out, const Rejection& rejection) {
  append_error(out, status_of(rejection.kind()), rejection.code(), rejection.what(), rejection.key());
}

Rejection rejection_of(const Error& error, bool applying) {
  const ErrorRow& row = error_row(error.code());
  const Rejection::Kind kind = kind_of(row.http_status);
  return Rejection(applying && kind == Rejection::kMalformed ? Rejection::kUnusable : kind, std::string(row.name),
                   told(error));
}

Rejection bad_name() {
  return Rejection(Rejection::kMalformed, "bad_name", fmt::format("a model's name must be {}", kNameRule), "name");
}

Rejection no_such_model(const std::string& name) {
  return Rejection(Rejection::kAbsent, std::string(kNoSuchModel),
                   is_name(name) ? fmt::format("there is no model named {}", name)
                                 : fmt::format("there is no such model: a model's name is {}", kNameRule));
}

Rejection idempotency_key_reused() {
  return Rejection(Rejection::kUnusable, std::string(kIdempotencyKeyReused),
                   "this Idempotency-Key came before with another body");
}

Rejection lost_ticket() {
  return Rejection(Rejection::kBroken, std::string(kLost),
                   "this ticket is genuine, but its decision is not in this history: the model was deleted, or the "
                   "store was restored to an earlier state",
                   "ticket");
}

Rejection not_enough_memory() { return rejection_of(Error(Code::kOutOfMemory, "not enough memory"), true); }

}  // namespace tarry::hosting
