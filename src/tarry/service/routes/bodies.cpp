#include "tarry/service/routes/bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <span>
#include <type_traits>

#include "tarry/features/hash.h"
#include "tarry/hosting/names.h"
#include "tarry/hosting/spec_rules.h"
#include "tarry/model/choice.h"
#include "tarry/model/codec.h"
#include "tarry/service/http/query.h"
#include "tarry/service/memory/memory.h"
#include "tarry/spec/json.h"
#include "tarry/spec/node.h"

namespace tarry::service {
namespace {

constexpr std::size_t kLongestIdempotencyKey = 255;

// Runs `read` on a part of the body; what is wrong with it is a rejection that fits.
template <class F>
auto reading(const spec::Value& value, F read) {
  try {
    return read();
  } catch (const Error& error) {
    const bool impossible = hosting::has_impossible_number(value);
    throw Rejection(impossible ? Rejection::kUnusable : Rejection::kMalformed, "bad_input", error.what());
  }
}

void check_count(std::size_t count, const ServiceLimits& limits) {
  if (count > limits.batch)
    throw Rejection(Rejection::kTooLarge, "too_large",
                    fmt::format("a request must have at most {} items ({} came)", limits.batch, count));
}

// Preferences are words between commas, with parameters behind semicolons (RFC 7240).
bool prefers_async(const Request& request) {
  for (std::size_t at = 0; at < request.prefer.size();) {
    const std::size_t end = std::min(request.prefer.find(',', at), request.prefer.size());
    std::string word = request.prefer.substr(at, end - at);
    word = word.substr(0, word.find(';'));
    std::erase_if(word, [](char c) { return c == ' ' || c == '\t'; });
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
    if (word == "respond-async") return true;
    at = end + 1;
  }
  return false;
}

// Nothing of a request is copied on its way: it may be large, and a std::variant of texts and lists that is being
// copied when memory runs out takes the process down (libstdc++ before 14 takes it for whole, and destroys what is not
// there).
static_assert(std::is_nothrow_move_constructible_v<spec::Value> && std::is_nothrow_move_constructible_v<spec::Member>);
static_assert(std::is_nothrow_move_constructible_v<Play> && std::is_nothrow_move_constructible_v<FeedbackItem>);

// The elements of a list, however its reader has kept them.
std::span<const spec::Value> elements(const spec::Value& value, const char* what) {
  if (const auto* array = std::get_if<spec::Array>(&value.as)) return *array;
  if (const auto* numbers = std::get_if<spec::Numbers>(&value.as); numbers != nullptr && numbers->empty()) return {};
  throw Rejection(Rejection::kMalformed, "bad_input",
                  fmt::format("{} must be an array of objects ({} came)", what, spec::brief(value)), what);
}

void check_object(const spec::Value& value, const char* what) {
  if (!std::holds_alternative<spec::Object>(value.as))
    throw Rejection(Rejection::kMalformed, "bad_input",
                    fmt::format("{} must be an object ({} came)", what, spec::brief(value)));
}

enum class Asks : std::uint8_t { kDecision, kChoice };

Play read_play(const spec::Value& value, Asks asks) {
  check_object(value, "a request");
  return reading(value, [&] {
    const spec::Node node(value, asks == Asks::kChoice ? "choice" : "decision");
    Play play;
    if (asks == Asks::kChoice)
      play.choosing = read_choosing(node);
    else if (const auto features = node.find("features"))
      play.features = read_features(*features);
    if (const auto key = node.find("key")) {
      play.key = key->text();
      if (play.key.empty() || play.key.size() > kLongestKey) key->fail("a text of 1 to 1024 bytes");
    }
    if (node.has("due")) play.times.due = node.number("due");
    node.refuse_unknown_keys();
    return play;
  });
}

Features read_prediction(const spec::Value& value) {
  check_object(value, "a request");
  return reading(value, [&] {
    const spec::Node node(value, "predict");
    Features features = read_features(node.at("features", "features"));
    node.refuse_unknown_keys();
    return features;
  });
}

// Either of the two forms, each element read by `read`.
template <class F>
bool read_requests(const spec::Value& body, const ServiceLimits& limits, F read) {
  check_object(body, "the body");
  const spec::Value* requests = body.find("requests");
  if (requests == nullptr) {
    read(body);
    return false;
  }
  if (std::get<spec::Object>(body.as).size() > 1)
    throw Rejection(Rejection::kMalformed, "bad_input", "requests must stand alone: each of them has its own keys",
                    "requests");
  const std::span<const spec::Value> list = elements(*requests, "requests");
  check_count(list.size(), limits);
  for (const spec::Value& one : list) read(one);
  return true;
}

// ?explain=1
bool asks_to_explain(const Request& request) {
  if (request.query.empty()) return false;
  const std::string_view query = request.query;
  if (query == "explain=1" || query == "explain=true") return true;
  if (query == "explain=0" || query == "explain=false") return false;
  if (query.starts_with("explain"))
    throw Rejection(Rejection::kMalformed, "bad_input", "explain must be 1 or 0 (" + request.query + " came)",
                    "explain");
  return false;
}

Features read_gradient(const spec::Node& node) {
  if (const auto whole = node.find("gradient")) return read_features(*whole);
  spec::Value indices, values;  // assigned, not made as copies
  indices = node.at("indices", "an array of indices").value();
  values = node.at("values", "an array of numbers").value();
  spec::Object parts;
  parts.emplace_back("indices", std::move(indices));
  parts.emplace_back("values", std::move(values));
  const spec::Value sparse{std::move(parts)};
  return read_features(spec::Node(sparse, "feedback"));
}

Event read_content(const spec::Node& node, RoundName round) {
  if (node.has("label") && node.has("reward")) node.fail_whole("give label or reward, not both", Code::kBadInput);
  const char* name = node.has("reward") ? "reward" : "label";
  const bool label = node.has(name), whole = node.has("gradient"), voided = node.has("void"), value = node.has("loss");
  const bool sparse = node.has("indices") || node.has("values");
  if (label + whole + sparse + voided + value != 1)
    node.fail_whole("give one of label, reward, gradient, indices with values, loss, or void", Code::kBadInput);
  if (voided) {
    if (!node.at("void").flag()) node.at("void").fail("true");
    return Void{std::move(round)};
  }
  if (value) return read_loss_value(std::move(round), node.at("loss"));
  if (!label) return Gradient{std::move(round), read_gradient(node)};
  Label event{std::move(round), read_label(node.at(name))};
  if (const auto features = node.find("features")) event.features = read_features(*features);
  event.revising = read_revising(node);
  if (const auto shown = node.find("shown")) event.shown = read_shown(*shown);
  return event;
}

FeedbackItem read_item(const spec::Value& value, const Host& host) {
  FeedbackItem item;
  check_object(value, "feedback");
  reading(value, [&] {
    const spec::Node node(value, "feedback");
    RoundName round(Round{1});
    if (const auto ticket = node.find("ticket")) {
      const std::string& text = ticket->text();
      if (node.has("model") || node.has("key"))
        node.fail_whole("give ticket, or model and key, not both", Code::kBadInput);
      auto named = host.open_ticket(text, item);
      if (!named) throw Rejection(Rejection::kForged, "forged", "this ticket was not made by this service", "ticket");
      round = *std::move(named);
    } else {
      item.model = node.text("model");
      round = RoundName(node.text("key"));
      if (round.key.empty() || round.key.size() > kLongestKey) node.at("key").fail("a text of 1 to 1024 bytes");
    }
    item.event = read_content(node, std::move(round));
    node.refuse_unknown_keys();
  });
  return item;
}

}  // namespace

spec::Value read_body(const Request& request) {
  const MayFail own;
  // A reader keeps its buffers, some fifteen times the longest text: a thread's own is for short ones.
  constexpr std::size_t kShort = std::size_t{64} << 10;
  thread_local spec::JsonReader reader;
  try {
    return request.body.size() <= kShort ? reader.read(request.body) : spec::parse_json(request.body);
  } catch (const Error& error) {
    throw Rejection(Rejection::kMalformed, "bad_json", error.what());
  }
}

RoundsRequest read_rounds(const Request& request, const Host& host) {
  const auto refuse = [](const std::string& message, const std::string& key) {
    return Rejection(Rejection::kMalformed, "bad_query", message, key);
  };
  const auto query = read_query(request.query);
  if (query.size() != 1) throw refuse("the query must be one of key=…, ticket=…, round=… and alarm=…", "");
  const auto& [key, value] = query.front();
  const auto number = [&, &key = key, &value = value] {
    std::uint64_t read = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), read);
    if (error != std::errc() || end != value.data() + value.size() || read == 0 || read > kLastRound)
      throw refuse(fmt::format("{} must be a number from 1 ({} came)", key, spec::to_json({value})), key);
    return read;
  };
  RoundsRequest asked;
  if (key == "round") {
    asked.round = RoundName(number());
  } else if (key == "alarm") {
    asked.alarm = number();
  } else if (key == "ticket") {
    FeedbackItem item;
    if (!host.open_ticket(value, item))
      throw Rejection(Rejection::kForged, "forged", "this ticket was not made here", "ticket");
    asked.ticket = item.ticket;
  } else if (key == "key" && !value.empty()) {
    asked.round = RoundName(value);
  } else {
    throw refuse(fmt::format("the query must be one of key=…, ticket=…, round=… and alarm=… ({}={} came)", key, value),
                 key);
  }
  return asked;
}

std::string read_promote(const Request& request) {
  const spec::Value body = read_body(request);
  check_object(body, "a request");
  return reading(body, [&] {
    const spec::Node node(body, "promote");
    std::string challenger = node.text("challenger");
    node.refuse_unknown_keys();
    return challenger;
  });
}

namespace {

DecideRequest read_plays(const Request& request, const ServiceLimits& limits, Asks asks) {
  const MayFail own;
  DecideRequest decide;
  const spec::Value body = request.body.empty() ? spec::Value{spec::Object{}} : read_body(request);
  decide.batch =
      read_requests(body, limits, [&](const spec::Value& one) { decide.plays.push_back(read_play(one, asks)); });
  decide.no_wait = prefers_async(request);
  decide.explain = asks == Asks::kDecision && asks_to_explain(request);
  if (request.has_idempotency_key) {
    if (request.idempotency_key.empty() || request.idempotency_key.size() > kLongestIdempotencyKey)
      throw Rejection(Rejection::kMalformed, "bad_input", "Idempotency-Key must have 1 to 255 bytes",
                      "Idempotency-Key");
    decide.once = hosting::Once{.key = request.idempotency_key, .digest = hash_text(request.body)};
  }
  return decide;
}

}  // namespace

DecideRequest read_decide(const Request& request, const ServiceLimits& limits) {
  return read_plays(request, limits, Asks::kDecision);
}

DecideRequest read_choose(const Request& request, const ServiceLimits& limits) {
  return read_plays(request, limits, Asks::kChoice);
}

PredictRequest read_predict(const Request& request, const ServiceLimits& limits) {
  const MayFail own;
  PredictRequest predict;
  predict.explain = asks_to_explain(request);
  predict.batch = read_requests(read_body(request), limits,
                                [&](const spec::Value& one) { predict.features.push_back(read_prediction(one)); });
  return predict;
}

FeedbackRequest read_feedback(const Request& request, const Host& host) {
  const MayFail own;
  const spec::Value body = read_body(request);
  FeedbackRequest feedback;
  feedback.batch = !std::holds_alternative<spec::Object>(body.as);
  const std::span<const spec::Value> list = feedback.batch ? elements(body, "the body") : std::span(&body, 1);
  check_count(list.size(), host.limits());
  feedback.no_wait = prefers_async(request);
  for (const spec::Value& one : list) {
    try {
      feedback.items.push_back(read_item(one, host));
    } catch (const Rejection& rejection) {
      feedback.items.push_back({.refused = rejection});
    }
  }
  return feedback;
}

}  // namespace tarry::service
