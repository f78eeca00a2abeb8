#include "tarry/kafka/outcome.h"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <utility>

#include "tarry/base/error.h"
#include "tarry/kafka/outcome_head.h"
#include "tarry/spec/json.h"
#include "tarry/spec/node.h"

namespace tarry::kafka {
namespace {

using hosting::Fate;
using hosting::Rejection;

constexpr std::array<std::pair<Fate, std::string_view>, 6> kFates{{{Fate::kApplied, "applied"},
                                                                   {Fate::kDuplicate, "duplicate"},
                                                                   {Fate::kConflict, "conflict"},
                                                                   {Fate::kUnknown, "unknown"},
                                                                   {Fate::kExpired, "expired"},
                                                                   {Fate::kUntracked, "untracked"}}};

std::string_view name_of(Fate fate) {
  for (const auto& [one, name] : kFates)
    if (one == fate) return name;
  return "";
}

Fate fate_named(const std::string& name) {
  for (const auto& [fate, known] : kFates)
    if (known == name) return fate;
  throw Error(Code::kCorrupt, fmt::format("an outcome's answer must be one of six words ({} came)", name));
}

Rejection rejection_in(const spec::Node& node) {
  return Rejection(hosting::kind_of(static_cast<int>(node.count("status", 100, 599))), node.text("code"),
                   node.text("message"), node.has("key") ? node.text("key") : "");
}

double number_in(const spec::Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value.as)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&value.as)) return *number;
  throw Error(Code::kCorrupt, "an outcome's loss must be a number");
}

Rejection too_large(std::size_t bytes) {
  return Rejection(Rejection::kTooLarge, "too_large",
                   fmt::format("the reply has {} bytes, more than the {} of an outcome", bytes, kLargestReply));
}

}  // namespace

OutcomeBytes record_of(const RecordOutcome& outcome) {
  OutcomeBytes record{.rejected = outcome.rejection.has_value()};
  std::string& out = record.json;
  out = head_text(outcome.offset, outcome.arithmetic);
  auto member = [&out, comma = ""](std::string_view name) mutable {
    out += fmt::format("{}\"{}\": ", std::exchange(comma, ", "), name);
  };
  const auto number = [&](std::string_view name, std::uint64_t value) {
    member(name);
    fmt::format_to(std::back_inserter(out), "{}", value);
  };
  if (outcome.fate) {
    member("answer");
    fmt::format_to(std::back_inserter(out), "\"{}\"", name_of(*outcome.fate));
  }
  if (outcome.round > 0) number("round", outcome.round);
  if (outcome.incarnation > 0) number("incarnation", outcome.incarnation);
  if (!outcome.key.empty()) {
    member("key");
    spec::append_json(out, outcome.key);
  }
  if (outcome.loss) {
    member("loss");
    spec::append_json(out, *outcome.loss);
  }
  const std::string reply = outcome.reply ? to_json(*outcome.reply) : "";
  record.rejected |= reply.size() > kLargestReply;
  if (record.rejected) {
    if (outcome.fate) out += ", ";
    append_error(out, outcome.rejection ? *outcome.rejection : too_large(reply.size()));
  } else if (outcome.reply) {
    member("reply");
    out += reply;
  }
  out += "}";
  return record;
}

RecordOutcome read_outcome(std::string_view json) {
  try {
    const spec::Value value = spec::parse_json(json);
    const spec::Node node(value, "outcome");
    RecordOutcome outcome;
    if (node.has("offset")) outcome.offset = node.count("offset", 0, Index{1} << 62);
    if (node.has("arithmetic"))
      outcome.arithmetic = static_cast<std::uint64_t>(node.count("arithmetic", 0, Index{1} << 62));
    if (node.has("answer")) outcome.fate = fate_named(node.text("answer"));
    if (node.has("round")) outcome.round = static_cast<Round>(node.count("round", 0, Index{kLastRound}));
    if (node.has("incarnation"))
      outcome.incarnation = static_cast<hosting::Position>(node.count("incarnation", 0, Index{1} << 62));
    if (node.has("key")) outcome.key = node.text("key");
    if (const spec::Value* loss = value.find("loss")) outcome.loss = number_in(*loss);
    if (const spec::Value* reply = value.find("reply")) outcome.reply = read_play_reply(*reply);
    if (node.has("error")) outcome.rejection = rejection_in(node.at("error"));
    if (!outcome.fate && !outcome.rejection) throw Error(Code::kCorrupt, "an outcome must have an answer or an error");
    return outcome;
  } catch (const Error& error) {
    throw Error(Code::kCorrupt, fmt::format("not an outcome that this version reads: {}", error.what()));
  }
}

std::optional<Offset> answered_offset(std::string_view json) {
  const auto head = outcome_head(json);
  return head ? std::optional(head->offset) : std::nullopt;
}

}  // namespace tarry::kafka
