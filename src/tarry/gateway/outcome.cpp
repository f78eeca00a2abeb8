#include "tarry/gateway/outcome.h"

#include <fmt/format.h>

#include "tarry/base/error.h"
#include "tarry/spec/json.h"
#include "tarry/spec/node.h"

namespace tarry::gateway {
namespace {

using service::Refusal;
using store::Fate;

constexpr std::string_view kReply = ", \"reply\": ";  // inside of texts quotes have a backslash: it stands once

Fate fate_named(const std::string& name) {
  if (name == "applied") return Fate::kApplied;
  if (name == "duplicate") return Fate::kDuplicate;
  if (name == "conflict") return Fate::kConflict;
  if (name == "expired") return Fate::kExpired;
  if (name == "unknown") return Fate::kUnknown;
  throw Error(Code::kCorrupt, fmt::format("an outcome's answer must be one of five words ({} came)", name));
}

Refusal error_in(const spec::Node& node) {
  return Refusal(static_cast<int>(node.count("status", 100, 599)), node.text("code"), node.text("message"),
                 node.has("key") ? node.text("key") : "");
}

}  // namespace

Outcome read_outcome(std::string_view text) {
  Outcome outcome;
  std::string head(text);
  if (const auto at = text.find(kReply); at != std::string_view::npos) {
    outcome.reply = std::string(text.substr(at + kReply.size()));
    if (!outcome.reply.empty()) outcome.reply.pop_back();  // the outcome's own brace
    head = std::string(text.substr(0, at)) + "}";
  }
  try {
    const spec::Value value = spec::parse_json(head);
    const spec::Node node(value, "outcome");
    if (node.has("answer")) outcome.fate = fate_named(node.text("answer"));
    if (node.has("round")) outcome.round = static_cast<Round>(node.count("round", 0, Index{kLastRound}));
    if (node.has("incarnation"))
      outcome.incarnation = static_cast<store::Position>(node.count("incarnation", 0, Index{1} << 62));
    if (node.has("error")) outcome.error = error_in(node.at("error"));
    if (!node.has("answer") && !outcome.error)
      throw Error(Code::kCorrupt, "an outcome must have an answer or an error");
    return outcome;
  } catch (const Error& error) {
    throw Error(Code::kCorrupt, fmt::format("not an outcome that this version reads: {}", error.what()));
  }
}

std::optional<Refusal> refusal_of(const News& news, std::int64_t waited_ms) {
  const double seconds = static_cast<double>(waited_ms) / 1000;
  switch (news.kind) {
    case News::Kind::kOutcome:
    case News::Kind::kAcknowledged:
      return std::nullopt;
    case News::Kind::kNotAcknowledged:
      return Refusal(504, "not_acknowledged",
                     fmt::format("Kafka has not acknowledged it within {} s: it may still get there and be folded; the "
                                 "same sent again is counted once where it has a key",
                                 seconds));
    case News::Kind::kNoOutcome:
      return Refusal(504, "no_outcome",
                     fmt::format("Kafka has it, but no worker has answered within {} s: it may still be folded; the "
                                 "same sent again is counted once where it has a key",
                                 seconds));
    case News::Kind::kTooLarge:
      return Refusal(413, "too_large", "Kafka does not take an event of this size");
    case News::Kind::kRefused:
      break;
  }
  return Refusal(503, "not_taken", fmt::format("Kafka did not take it: {}", news.text));
}

}  // namespace tarry::gateway
